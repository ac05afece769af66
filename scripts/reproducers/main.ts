import { isAbsolute } from 'node:path';
import { kernelChoice } from '../../adapters/rxe/index.ts';
import { runInGuest } from './guest.ts';

/** `npm run reproducers -- 6.1 DIR/*.c`: builds the programs of `--reporter upstream=DIR` and runs them in a guest with any kernel of `rxe:kernel=`. */
const [text = '', ...files] = process.argv.slice(2);
const kernel = kernelChoice(text, process.cwd());
if (kernel === undefined || files.length === 0) {
  process.stderr.write('usage: npm run reproducers -- KERNEL FILE.c...; KERNEL: as rxe:kernel= takes it\n');
  process.exit(64);
}
const ended = await runInGuest(
  files.map((file) => (isAbsolute(file) ? file : `${process.cwd()}/${file}`)),
  kernel,
);
for (const { name, output, code } of ended) {
  process.stdout.write(
    `== ${name}: ${code === undefined ? 'the kernel went with it' : `exit ${code}`}\n${output}\n`,
  );
}
