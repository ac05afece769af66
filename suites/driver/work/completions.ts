import { VerbsError } from '../../../adapters/adapter.ts';
import type { Wc } from '../../../spec/verbs.ts';
import type { End } from '../setup/end.ts';
import type { Recorder } from '../recorder.ts';

/** Completions that are taken beyond the work requests that were posted: what is wrong with more of them shows by these. */
const mostInExcess = 64;

/** Takes the completions of the DUT, notes them, and knows whether the work it was given is done. */
export class Completions {
  private readonly recorder: Recorder;
  private readonly posted: () => number;
  private readonly seen = new Set<string>();
  /** CQs that gave an error when polled, or completions without end: nothing more is taken of them */
  private readonly failed = new Set<number>();
  private owed: string[] = [];
  private taken = 0;
  /** by QP number: the newest send WR */
  private readonly newest = new Map<number, string>();
  private erred = false;

  /** `posted`: work requests that the DUT was given so far */
  constructor(recorder: Recorder, posted: () => number) {
    this.recorder = recorder;
    this.posted = posted;
  }

  /** The DUT took a send WR; a signaled one completes. */
  due(end: End, wrId: number, signaled: boolean): void {
    const key = keyOf(end.qpNum, wrId);
    this.newest.set(end.qpNum, key);
    if (signaled) this.owed.push(key);
  }

  /** Whether the newest send WR of a QP has completed, if there is one. An unsignaled one does so only where it fails. */
  done(end: End | undefined): boolean {
    const newest = end === undefined ? undefined : this.newest.get(end.qpNum);
    return newest === undefined || this.seen.has(newest);
  }

  /** Whether signaled send WRs have not completed, though nothing has failed. */
  get left(): boolean {
    return !this.erred && this.failed.size === 0 && this.owed.some((key) => !this.seen.has(key));
  }

  /** What is left was waited for in vain, and is not left any more. */
  giveUp(): void {
    this.owed = [];
  }

  /** Takes all that are there; gives how many of them are in error. */
  async drain(end: End): Promise<number> {
    let failed = 0;
    for (const cq of end.cqs) failed += await this.drainOne(end, cq);
    return failed;
  }

  private async drainOne(end: End, cq: number): Promise<number> {
    let failed = 0;
    while (!this.failed.has(cq)) {
      const completions = await this.poll(end, cq);
      for (const wc of completions) {
        this.recorder.push({ kind: 'completion', t: this.recorder.stamp(), cq, wc });
        this.seen.add(keyOf(wc.qp_num, wc.wr_id));
        if (wc.status !== 'IBV_WC_SUCCESS') failed++;
      }
      if (failed > 0) this.erred = true;
      this.taken += completions.length;
      if (this.taken > this.posted() + mostInExcess) {
        const reason = 'the device gives completions without end';
        this.recorder.push({ kind: 'gap', t: this.recorder.stamp(), reason });
        this.failed.add(cq);
      }
      if (completions.length < 32) break;
    }
    return failed;
  }

  private async poll(end: End, cq: number): Promise<Wc[]> {
    const start = this.recorder.stamp();
    try {
      return await end.verbs.poll_cq(cq, 32);
    } catch (error) {
      if (!(error instanceof VerbsError)) throw error;
      const { call, errno } = error;
      const { recorder } = this;
      recorder.push({ kind: 'call-failed', t: recorder.stamp(), start, call, qp: end.qp, errno });
      this.failed.add(cq);
      return [];
    }
  }
}

function keyOf(qpNum: number, wrId: number): string {
  return `${qpNum}/${wrId}`;
}
