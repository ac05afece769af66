import { afterEach, describe, expect, it, vi } from 'vitest';
import { RequesterState } from '../../../oracle/rc-requester/state.ts';
import { ResponderState } from '../../../oracle/rc-responder/state.ts';
import { everyRight } from '../../rights.ts';
import { bytes, reth } from '../trace/packets.ts';
import { RcTrace } from '../trace/rc.ts';
import type { Trace } from '../trace/trace.ts';

const tooMany = 'qp 0x000011: too many ways to explain what was seen';

/** How many states of the class are made while the trace is judged. */
function made(State: { prototype: { clone(): unknown } }, trace: Trace): number {
  const clones = vi.spyOn(State.prototype, 'clone');
  trace.judge();
  return clones.mock.calls.length;
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** Messages that nothing answers, with calls in their middle that each make a difference to some packet. */
function unsettled(messages: number): RcTrace {
  const trace = new RcTrace({}, { doubts: ['inconclusive'] });
  let psn = 0;
  for (let i = 0; i < messages; i++) {
    trace.to('SEND_FIRST', psn++, { payload: bytes(256), ackReq: false });
    if (i % 3 === 0) trace.recv(2048);
    trace.to('SEND_LAST', psn++, { payload: bytes(16) });
    trace.modify({ qp_access_flags: i % 2 === 0 ? [] : everyRight });
    trace.to('RDMA_WRITE_ONLY', psn++, { ...reth(16, 16 * i), payload: bytes(16, i) });
    trace.modify({ min_rnr_timer: 1 + (i % 30) });
    trace.to('RDMA_READ_REQUEST', psn++, reth(600));
  }
  return trace;
}

describe('a trace that leaves a responder too much', () => {
  const stress = (messages: number): RcTrace => {
    const trace = unsettled(messages);
    for (let i = 0; i < messages; i++) trace.ack(i, i, 0x20 + (i % 32));
    return trace.settle();
  };

  it('is given up, which is a doubt', () => {
    expect(stress(64).broken()).toEqual([tooMany]);
  });

  it('is judged in steps that do not grow with what it leaves open', () => {
    expect(made(ResponderState, stress(64))).toBeLessThan(30_000);
    expect(made(ResponderState, stress(128))).toBeLessThan(30_000);
  });
});

describe('a trace that leaves a requester too much', () => {
  const count = 200;
  const stress = (): RcTrace => {
    const plan = { doubts: ['inconclusive'] as const, size: { max_send_wr: count }, cqe: count };
    const trace = new RcTrace({ rnr_retry: 7, retry_cnt: 7 }, plan);
    const places = Array.from({ length: count }, (_, i) => i);
    trace.posts(...places.map(() => 'IBV_WR_SEND' as const)).sends(...places);
    for (const i of places) {
      trace.acked(i, [0x60, 0x1f, 0x22][i % 3]);
      if (i % 8 === 0) trace.modify({ min_rnr_timer: 1 + (i % 30) });
    }
    return trace.sends(...places).settle();
  };

  it('is given up in as few steps', () => {
    expect(stress().broken()).toEqual([tooMany]);
    expect(made(RequesterState, stress())).toBeLessThan(50_000);
  });
});
