import { readdirSync, readFileSync } from 'node:fs';

/** Rounds of looking: what is being ended may start something meanwhile. */
const mostRounds = 5;

/** Processes other than this one that were started with this text in their environment; none where there is no /proc. */
function marked(mark: string): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => {
      if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
      try {
        const environment = readFileSync(`/proc/${name}/environ`, 'latin1');
        return environment.split('\0').includes(mark) ? [Number(name)] : [];
      } catch {
        // another user's, or gone meanwhile
        return [];
      }
    });
  } catch {
    return [];
  }
}

/**
 * Kills every process that has `mark`, NAME=VALUE, in its environment, whatever session or process group it went to. Linux only.
 */
export function killMarked(mark: string): void {
  for (let round = 0; round < mostRounds; round++) {
    const left = marked(mark);
    if (left.length === 0) return;
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // has gone already
      }
    }
  }
}
