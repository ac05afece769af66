import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Puts a file in the place of another one, in one step: who reads it gets one or the other. One that says the same stays. */
export function replaceFile(path: string, contents: Uint8Array): void {
  const there = existsSync(path);
  if (there && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  const next = `${path}.${process.pid}.new`;
  writeFileSync(next, contents, there ? { mode: statSync(path).mode } : {});
  renameSync(next, path);
}
