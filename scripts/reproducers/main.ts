import { isAbsolute } from 'node:path';
import { kernels, type KernelSeries } from '../../adapters/rxe/index.ts';
import { runInGuest } from './guest.ts';

const isKernel = (text: string | undefined): text is KernelSeries => kernels.some((known) => known === text);

/** `npm run reproducers -- 6.1 DIR/*.c`: builds the programs of `--reporter upstream=DIR` and runs them in a guest. */
const [kernel, ...files] = process.argv.slice(2);
if (!isKernel(kernel) || files.length === 0) {
  process.stderr.write(`usage: npm run reproducers -- ${kernels.join('|')} FILE.c...\n`);
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
