import { describe, expect, it } from 'vitest';
import { VerbsTrace } from './trace.ts';

const EINVAL = 22;
const responseTime = 1000;

class Resized extends VerbsTrace {
  constructor() {
    super({
      capabilities: ['cq-resize'],
      header: { sight: { packets: 'at-device', verbs: true }, timing: { responseTime, jitter: 0 } },
    });
  }

  resizes(entries: number, made = entries, errno?: number): this {
    return this.call({ call: 'resize_cq', cq: 1, cqe: made, asked: entries }, errno);
  }

  /** Three work requests that are flushed, and that software has not seen. */
  static flushed(ns = responseTime): Resized {
    return new Resized().enter('SQD').posts(1).posts(2).receives(3).enter('ERR').wait(ns);
  }
}

describe('ibv_resize_cq', () => {
  it('gives what was asked for, or fails', () => {
    expect(new Resized().resizes(8).broken()).toEqual([]);
    expect(new Resized().resizes(8, 64).broken()).toEqual([]);
    expect(new Resized().resizes(8, 8, EINVAL).broken()).toEqual([]);
    expect(new Resized().resizes(8, 7).broken()).toEqual(['resize-cq-room']);
  });

  it('leaves room for the completions in the CQ, or fails', () => {
    expect(Resized.flushed().resizes(2, 2, EINVAL).broken()).toEqual([]);
    expect(Resized.flushed().resizes(2, 3).broken()).toEqual([]);
    expect(Resized.flushed().resizes(3).broken()).toEqual([]);
    expect(Resized.flushed().resizes(2).broken()).toEqual(['resize-cq-unpolled']);
    expect(Resized.flushed().flush(1).resizes(2).broken()).toEqual([]);
  });

  it('is not held against what may not have come yet', () => {
    expect(
      Resized.flushed(responseTime / 2)
        .resizes(2)
        .broken(),
    ).toEqual([]);
    const stalled = Resized.flushed(0);
    stalled.add({ kind: 'stall', t: stalled.t, until: stalled.t + 200 });
    expect(stalled.wait(responseTime).resizes(2).broken()).toEqual([]);
  });

  it('sets the size at which the CQ overflows', () => {
    const overflows = (entries: number): string[] => {
      const trace = new Resized().resizes(entries).enter('SQD');
      trace.posts(1).posts(2).posts(3).enter('ERR').flush(1, 2);
      return trace.settle().broken();
    };
    expect(overflows(2)).toEqual(['cq-overflow-reported']);
    expect(overflows(3)).not.toContain('cq-overflow-reported');
  });
});
