import type { RunOptions } from './options.ts';

/** milliseconds; a longer one would end at once */
const longestTimer = 2 ** 31 - 1;

/** When a run began, and what ends it before all its cases are done. */
export class Ending {
  /** nothing more is to be learned, or somebody wanted no more after the first failure */
  stopped = false;
  /** the time limit was reached */
  late = false;
  /** the device did not come back when somebody asked for the end, or long after the time limit */
  hung = false;
  private readonly options: Pick<RunOptions, 'signal' | 'timeLimit'>;
  private readonly begun = performance.now();
  private readonly limit = new AbortController();
  private readonly timer: NodeJS.Timeout | undefined;

  constructor(options: Pick<RunOptions, 'signal' | 'timeLimit'>) {
    this.options = options;
    const { timeLimit } = options;
    if (timeLimit === undefined) return;
    const ms = Math.min(timeLimit * 1000, longestTimer);
    this.timer = setTimeout(() => {
      this.limit.abort();
    }, ms);
  }

  /** Aborted when the time limit is reached; a run without one never is. */
  get timeIsUp(): AbortSignal {
    return this.limit.signal;
  }

  /** Nothing waits for the time limit any more. */
  close(): void {
    clearTimeout(this.timer);
  }

  /** Milliseconds since the run began. */
  get elapsed(): number {
    return performance.now() - this.begun;
  }

  /** Somebody asked for the end. */
  get aborted(): boolean {
    return this.options.signal?.aborted === true;
  }

  /** No more cases are to be begun. */
  over(): boolean {
    const { timeLimit } = this.options;
    this.late ||= timeLimit !== undefined && this.elapsed > timeLimit * 1000;
    return this.early;
  }

  /** It ended, or ends, before all cases are done. */
  get early(): boolean {
    return this.stopped || this.aborted || this.late;
  }
}
