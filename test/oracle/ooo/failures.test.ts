import { describe, expect, it } from 'vitest';
import { answer, bytes } from '../trace/packets.ts';
import { far, zeros, sends, sentOnce, qp, type OooTrace, type Options } from './trace.ts';

const low = 10_000;
const invalid = 0x61;
const access = 0x62;
const operation = 0x63;
/** wait 10 us */
const notReady = 0x21;

/** A READ and a SEND behind it, sent. */
function readFirst(options?: Options): OooTrace {
  return qp(options)
    .send({ opcode: 'IBV_WR_RDMA_READ', length: 8 })
    .send()
    .from('RDMA_READ_REQUEST', 0, { read: 0 }, far(8))
    .from('SEND_ONLY', 1, { recv: 0 }, zeros(16));
}

const answered = (trace: OooTrace): OooTrace =>
  trace.to('RDMA_READ_RESPONSE_ONLY', 0, { read: 0 }, { ...answer(1), payload: bytes(8, 5) });

describe('a refusal', () => {
  it.each([
    [invalid, 'IBV_WC_REM_INV_REQ_ERR', 'ooo-failed-invalid-request'],
    [access, 'IBV_WC_REM_ACCESS_ERR', 'ooo-failed-access'],
    [operation, 'IBV_WC_REM_OP_ERR', 'ooo-failed-operation'],
  ] as const)('with syndrome %i ends in %s', (syndrome, status, rule) => {
    const refused = (): OooTrace => sends(1).acked(0, 0, 0, false, syndrome);
    expect(refused().done(1, status).settle().broken()).toEqual([]);
    expect(refused().done(1, 'IBV_WC_BAD_RESP_ERR').settle().broken()).toEqual([rule]);
    expect(refused().settle().broken()).toEqual([rule]);
    expect(sends(1).done(1, status).settle().broken()).toEqual(['ooo-failed-unprompted']);
  });

  it('lets what is in front of it complete first', () => {
    const refused = (): OooTrace => readFirst().acked(1, 1, 1, false, access);
    const fetched = { opcode: 'IBV_WC_RDMA_READ', byte_len: 8 } as const;
    const whole = answered(refused()).sent(1, fetched).done(2, 'IBV_WC_REM_ACCESS_ERR').settle();
    expect(whole.memory(0, bytes(8, 5)).broken()).toEqual([]);
    expect(whole.memory(0, bytes(8, 6)).broken()).toEqual(['ooo-memory-fetched']);
    expect(refused().done(1, 'IBV_WC_REM_ACCESS_ERR').settle().broken()).toEqual(['ooo-failed-unprompted']);
    expect(refused().done(2, 'IBV_WC_REM_ACCESS_ERR').settle().broken()).toEqual(['ooo-failed-unprompted']);
    expect(answered(refused()).sent(1, fetched).settle().broken()).toEqual(['ooo-failed-access']);
    // it waits for its answer
    expect(refused().settle().broken()).toEqual([]);
  });

  it('leaves open what the memory of a READ holds that fails', () => {
    const failed = answered(readFirst().acked(0, 0, 0, false, access)).done(1, 'IBV_WC_REM_ACCESS_ERR');
    expect(failed.settle().memory(0, bytes(8, 0)).broken()).toEqual([]);
  });
});

describe('retry_cnt', () => {
  /** `n` timeouts, each followed by a retransmission. */
  const timeouts = (n: number, retryCnt: number): OooTrace => {
    const trace = sends(1, { attr: { retry_cnt: retryCnt } });
    for (let i = 0; i < n; i++) sentOnce(trace.wait(low), 0);
    return trace;
  };

  it('is how often a packet is sent again before its work request fails', () => {
    const failed = (n: number, ns = low): string[] =>
      timeouts(n, 2).wait(ns).done(1, 'IBV_WC_RETRY_EXC_ERR').settle().broken();
    expect(failed(2)).toEqual([]);
    // its completion may be seen late
    expect(failed(2, 20 * low)).toEqual([]);
    expect(failed(1)).toEqual(['ooo-failed-unprompted']);
    expect(failed(2, low - 1000)).toEqual(['ooo-timer-low-early']);
    expect(timeouts(3, 2).broken()).toEqual(['ooo-resent-spent']);
    const other = timeouts(2, 2).wait(low).done(1, 'IBV_WC_RNR_RETRY_EXC_ERR').settle();
    expect(other.broken()).toEqual(['ooo-failed-retries']);
  });

  it('begins anew with whatever is told', () => {
    const told = (): OooTrace => {
      const trace = sends(2, { attr: { retry_cnt: 1 }, profile: { rto: { low, high: low, few: 1 } } });
      sentOnce(trace.wait(low), 0).acked(0, 1).sent(1);
      return sentOnce(trace.wait(low), 1);
    };
    expect(told().broken()).toEqual([]);
    expect(sentOnce(told().wait(low), 1).broken()).toEqual(['ooo-resent-spent']);
  });

  it('may have been used up before something was told, whose answer comes too late', () => {
    const late = timeouts(1, 1).wait(low).acked(0, 1).done(1, 'IBV_WC_RETRY_EXC_ERR').settle();
    expect(late.broken()).toEqual([]);
    const early = timeouts(1, 1).acked(0, 1).wait(100).done(1, 'IBV_WC_RETRY_EXC_ERR').settle();
    expect(early.broken()).toEqual(['ooo-failed-unprompted']);
  });
});

describe('rnr_retry', () => {
  /** `n` RNR NAKs, each after the wait for the one before. */
  const refusals = (n: number, rnrRetry: number): OooTrace => {
    const trace = sends(1, { attr: { rnr_retry: rnrRetry } });
    for (let i = 0; i < n; i++) {
      if (i > 0) sentOnce(trace.wait(low), 0);
      trace.acked(0, 0, 0, false, notReady);
    }
    return trace;
  };

  it('is how many RNR NAKs a work request survives', () => {
    const failed = (n: number, rnrRetry: number): string[] =>
      refusals(n, rnrRetry).done(1, 'IBV_WC_RNR_RETRY_EXC_ERR').settle().broken();
    expect(failed(3, 2)).toEqual([]);
    expect(failed(2, 2)).toEqual(['ooo-failed-unprompted']);
    expect(failed(9, 7)).toEqual(['ooo-failed-unprompted']);
    expect(refusals(3, 2).settle().broken()).toEqual(['ooo-failed-rnr-retries']);
    expect(refusals(1, 0).done(1, 'IBV_WC_RETRY_EXC_ERR').settle().broken()).toEqual([
      'ooo-failed-rnr-retries',
    ]);
  });

  it('need not count one that comes while another is waited for', () => {
    const twice = (): OooTrace => refusals(1, 1).acked(0, 0, 0, false, notReady);
    expect(twice().done(1, 'IBV_WC_RNR_RETRY_EXC_ERR').settle().broken()).toEqual([]);
    expect(sentOnce(twice().wait(low), 0).broken()).toEqual([]);
  });
});

describe('a work request', () => {
  it('completes once, however it ends', () => {
    expect(sends(1).acked(0, 1).sent(1).sent(1).broken()).toEqual(['ooo-retired-once']);
    const refused = sends(1).acked(0, 0, 0, false, access).done(1, 'IBV_WC_REM_ACCESS_ERR');
    expect(refused.done(1, 'IBV_WC_WR_FLUSH_ERR').broken()).toEqual(['ooo-retired-once']);
  });
});
