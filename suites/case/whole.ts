import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Writes a file whole or not at all, whatever ends this process meanwhile; makes its folder. Throws what `fs` throws. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  // resolved, since Node tries for ever to make a relative folder where the working directory is gone
  mkdirSync(dirname(resolve(file)), { recursive: true });
  const next = `${file}.${process.pid}.part`;
  try {
    writeFileSync(next, content);
    renameSync(next, file);
  } catch (thrown) {
    rmSync(next, { force: true });
    throw thrown;
  }
}
