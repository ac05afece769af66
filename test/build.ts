import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Before the tests: `dist/` is what the sources say. Tests of the command line run what users run. */
export default function build(): void {
  // where nothing has changed since the last build, and other programs use it
  if (process.env['RDMA_CONFORM_BUILT'] === '1') return;
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const built = spawnSync(npm, ['run', '--silent', 'build'], { cwd: root, encoding: 'utf8' });
  // A type error elsewhere is the business of `npm run types`; what could be built is tested.
  if (built.status !== 0) process.stderr.write(`the build has errors:\n${built.stdout}${built.stderr}\n`);
}
