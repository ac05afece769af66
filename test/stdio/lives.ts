import { readFileSync } from 'node:fs';

/** Whether a process runs; one that has ended and that nobody has asked for yet does not. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Whether it ends within five seconds. */
export async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100 && lives(pid); tries++) await new Promise((next) => setTimeout(next, 50));
  return !lives(pid);
}
