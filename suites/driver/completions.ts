import type { End } from './end.ts';
import type { Recorder } from './recorder.ts';

/** Takes the completions of the DUT, notes them, and knows whether the work it was given is done. */
export class Completions {
  private readonly recorder: Recorder;
  private readonly seen = new Set<number>();
  private newest: number | undefined;

  constructor(recorder: Recorder) {
    this.recorder = recorder;
  }

  /** The DUT took a send WR. */
  due(wrId: number): void {
    this.newest = wrId;
  }

  /** Whether the newest send WR has completed, if there is one. An unsignaled one does so only where it fails. */
  get done(): boolean {
    return this.newest === undefined || this.seen.has(this.newest);
  }

  /** Takes all that are there; gives their number. */
  async drain(end: End): Promise<number> {
    let count = 0;
    for (;;) {
      const completions = await end.verbs.poll_cq(end.cq, 32);
      for (const wc of completions) {
        this.recorder.push({ kind: 'completion', t: this.recorder.stamp(), cq: end.cq, wc });
        this.seen.add(wc.wr_id);
      }
      count += completions.length;
      if (completions.length < 32) return count;
    }
  }
}
