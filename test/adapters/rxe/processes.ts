import { readFileSync, readdirSync } from 'node:fs';

/** Process ids below a process, itself not included. */
export function descendants(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => {
      try {
        const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
        return [Number(entry), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])] as const;
      } catch {
        return [Number(entry), -1] as const;
      }
    });
  const children = parents.filter(([, parent]) => parent === pid).map(([child]) => child);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

export const isQemu = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('qemu-system');
  } catch {
    return false;
  }
};

/** true when none of them runs any more, a zombie counting as gone */
export const allGone = (pids: readonly number[]): boolean =>
  pids.every((pid) => {
    try {
      return /^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return true;
    }
  });
