import { readFileSync, rmSync, writeFileSync } from 'node:fs';

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // another user's
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

/**
 * Takes a lock file for this process; gives the id of the process that has it, if there is such, or undefined where it was taken. One that
 * was left by a process that is no more is free. Throws what `fs` throws.
 */
export function takeLock(file: string): number | undefined {
  for (let tries = 0; tries < 3; tries++) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return undefined;
    } catch (thrown) {
      if (!(thrown instanceof Error) || !('code' in thrown) || thrown.code !== 'EEXIST') throw thrown;
    }
    const owner = Number(readFileSync(file, 'utf8'));
    if (Number.isInteger(owner) && owner > 0 && lives(owner)) return owner;
    rmSync(file, { force: true });
  }
  return undefined;
}
