import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file whole or not at all, whatever ends this process meanwhile; makes its folder. Throws what `fs` throws. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  const next = `${file}.${process.pid}.part`;
  try {
    writeFileSync(next, content);
    renameSync(next, file);
  } catch (thrown) {
    rmSync(next, { force: true });
    throw thrown;
  }
}
