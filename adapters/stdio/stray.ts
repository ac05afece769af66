import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Rounds of looking: what is being ended may start something meanwhile. */
const mostRounds = 20;
/** Milliseconds until a process is looked at again whose environment cannot be read yet. */
const again = 2;

type Sight = 'marked' | 'other' | 'unclear';

/** `unclear`: a process that is just starting a program has no environment for a moment. */
function sightOf(pid: number, mark: string): Sight {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
    if (environment !== '') return environment.split('\0').includes(mark) ? 'marked' : 'other';
    // threads of the kernel, and what has ended, have no program
    readlinkSync(`/proc/${pid}/exe`);
    return 'unclear';
  } catch {
    // another user's, or gone meanwhile
    return 'other';
  }
}

/** Processes other than this one; none where there is no /proc. */
function processes(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => pid !== process.pid);
  } catch {
    return [];
  }
}

/** Blocks: this is called when the process ends as well, where nothing may be waited for. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/**
 * Kills every process that has `mark`, NAME=VALUE, in its environment, whatever session or process group it went to. Linux only.
 */
export function killMarked(mark: string): void {
  for (let round = 0; round < mostRounds; round++) {
    const seen = processes().map((pid) => ({ pid, sight: sightOf(pid, mark) }));
    const left = seen.filter(({ sight }) => sight === 'marked');
    if (left.length === 0) {
      if (!seen.some(({ sight }) => sight === 'unclear')) return;
      pause(again);
    }
    for (const { pid } of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // has gone already
      }
    }
  }
}
