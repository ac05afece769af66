// `npm run dev -- RULE [FLAGS]`: checks the rules and runs RULE, now and whenever a file of spec/machines/ or a source has changed.
import { spawnSync } from 'node:child_process';
import { watch } from 'node:fs';

const [rule, ...flags] = process.argv.slice(2);
if (rule === undefined) {
  process.stderr.write('usage: npm run dev -- RULE [flags of run]\n');
  process.exit(64);
}

function conform(...args: string[]): boolean {
  return (
    spawnSync(process.execPath, ['--import', 'tsx', 'cli/main.ts', ...args], { stdio: 'inherit' }).status ===
    0
  );
}

function once(): void {
  if (conform('rules', 'lint')) conform('--rule', rule ?? '', '--runs', '60', ...flags);
  process.stdout.write('\nwaiting for a change (Ctrl-C ends)\n');
}

let waiting: NodeJS.Timeout | undefined;
once();
for (const folder of ['spec/machines', 'oracle', 'suites', 'adapters', 'wire'])
  watch(folder, { recursive: true }, () => {
    clearTimeout(waiting);
    // an editor writes a file in several steps
    waiting = setTimeout(once, 200);
  });
