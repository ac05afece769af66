// `npm run test:changed [-- REF]`: runs the tests that the changes since REF (default: HEAD, so what is not committed) touch.
import { execFileSync, spawnSync } from 'node:child_process';
import { testsFor } from './tests.ts';

const [ref = 'HEAD'] = process.argv.slice(2);

function git(...args: string[]): string[] {
  return execFileSync('git', [...args, '-z'], { encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '');
}

const changed = [
  ...git('diff', '--name-only', '--relative', ref),
  ...git('ls-files', '--others', '--exclude-standard'),
];
const all = git('ls-files', '--cached', '--others', '--exclude-standard', 'test').filter((path) =>
  path.endsWith('.test.ts'),
);
const tests = testsFor(changed, all);
process.stdout.write(
  `${changed.length} files changed since ${ref}: ${tests.length} test files\n${tests.map((test) => `  ${test}\n`).join('')}`,
);
if (tests.length > 0)
  process.exitCode =
    spawnSync('npx', ['--no-install', 'vitest', 'run', ...tests], { stdio: 'inherit' }).status ?? 1;
