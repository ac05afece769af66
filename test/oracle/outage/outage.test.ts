import { describe, expect, it } from 'vitest';
import type { WcStatus } from '../../../spec/verbs.ts';

import { RcTrace, T } from '../trace/rc.ts';

const S = 'IBV_WR_SEND' as const;
const sequenceNak = 0x60;
const responseTime = 20_000;
/** By then a QP with two retries has failed. */
const failedAfter = 3 * (4 * T + responseTime) + 1000;

const traced = (attr = {}): RcTrace => new RcTrace(attr, { judged: /^outage\// });
/** A SEND is posted while the link is down. */
const posted = (attr = {}): RcTrace => traced(attr).settle().link(false).posts(S);
const failed = (trace: RcTrace, status: WcStatus = 'IBV_WC_RETRY_EXC_ERR'): string[] =>
  trace.done(1, status).settle().broken();

describe('work of a QP without a link', () => {
  it('completes with success only when an answer has come', () => {
    expect(posted().wait(100).sent(1).settle().broken()).toEqual(['rc-outage-unanswered']);
    const back = posted().wait(100).link(true).wait(T).sends(0).acked(0);
    expect(back.sent(1).settle().broken()).toEqual([]);
  });

  it('fails when its retries are spent, and not before', () => {
    expect(failed(posted().wait(3 * T - 1))).toEqual(['rc-outage-early']);
    expect(failed(posted().wait(3 * T))).toEqual([]);
    expect(failed(posted({ retry_cnt: 0 }).wait(T))).toEqual([]);
    // one that was under way may have used up T when the link went
    const underWay = (): RcTrace => traced().posts(S).sends(0).link(false);
    expect(failed(underWay().wait(2 * T - 1))).toEqual(['rc-outage-early']);
    expect(failed(underWay().wait(2 * T))).toEqual([]);
  });

  it('fails with no error that only a NAK brings', () => {
    expect(failed(posted().wait(3 * T), 'IBV_WC_REM_OP_ERR')).toEqual(['rc-outage-refused']);
    expect(failed(posted().wait(100), 'IBV_WC_LOC_PROT_ERR')).toEqual([]);
    const answered = posted().wait(T).link(true).sends(0).acked(0);
    expect(failed(answered, 'IBV_WC_BAD_RESP_ERR')).toEqual([]);
  });

  it('does not wait for ever', () => {
    expect(posted().wait(failedAfter).settle().broken()).toEqual(['rc-outage-overdue']);
    expect(
      posted()
        .wait(failedAfter - 30_000)
        .settle(1)
        .broken(),
    ).toEqual([]);
    expect(posted({ timeout: 0 }).wait(failedAfter).settle().broken()).toEqual([]);
  });

  it('is sent again when the link is back', () => {
    const back = (): RcTrace => posted({ retry_cnt: 7 }).wait(100).link(true);
    expect(
      back()
        .wait(4 * T + 2 * responseTime)
        .settle()
        .broken(),
    ).toEqual(['rc-outage-resent']);
    expect(
      back()
        .wait(4 * T)
        .sends(0)
        .wait(2 * responseTime)
        .settle()
        .broken(),
    ).toEqual([]);
  });

  it('is left open behind a NAK, or a call for the QP', () => {
    const nak = posted().wait(T).link(true).sends(0).acked(0, sequenceNak);
    expect(nak.wait(failedAfter).settle().broken()).toEqual([]);
    expect(posted().enter('SQD').wait(failedAfter).settle().broken()).toEqual([]);
  });

  it('may fail by an implied NAK', () => {
    const read = traced({ retry_cnt: 0, max_rd_atomic: 1 }).settle().link(false).posts('IBV_WR_RDMA_READ', S);
    expect(failed(read.wait(100).link(true).acked(1))).toEqual([]);
  });
});

describe('a wait for the receiver during which the link goes and comes', () => {
  /** by the timer code of the RNR NAK */
  const wait = 640_000;
  const rnrNak = 0x20 | 12;
  const packet = 100;
  const refused = (): RcTrace => traced({ rnr_retry: 6 }).posts(S).sends(0).acked(0, rnrNak);
  /** The first request behind it leaves so long after the NAK. */
  const sentAgain = (after: number, trace = refused(), rests = true): string[] => {
    const since = trace.t;
    const flapped = (rests ? trace.settle() : trace).link(false).wait(100).link(true);
    return flapped
      .at(since + after - packet)
      .sends(0)
      .settle()
      .broken();
  };

  it('goes on', () => {
    expect(sentAgain(wait)).toEqual([]);
    expect(sentAgain(wait - 1)).toEqual(['rc-outage-wait']);
  });

  it('ends where an answer has come, and is unknown where packets may have been under way', () => {
    const answered = refused().settle().link(false).wait(100).link(true).acked(0).sends(0);
    expect(answered.settle().broken()).toEqual([]);
    expect(sentAgain(wait - 1, refused(), false)).toEqual([]);
  });

  it('holds back no answer of the QP to its peer', () => {
    const back = refused().settle().link(false).wait(100).link(true);
    expect(back.to('RDMA_WRITE_ONLY', 0).ack(0, 1).settle().broken()).toEqual([]);
  });
});
