import { describe, expect, it } from 'vitest';
import { loadRules } from '../../../oracle/index.ts';
import { requesterMachine } from '../../../oracle/rc-requester/machine.ts';
import { RequesterState } from '../../../oracle/rc-requester/state.ts';
import type { WcStatus } from '../../../spec/verbs.ts';
import { answer, bytes, mtu, region } from '../trace/packets.ts';
import { RcTrace, T } from '../trace/rc.ts';

const S = 'IBV_WR_SEND';
const R = 'IBV_WR_RDMA_READ';
const sequenceNak = 0x60;
// 10 us
const rnrNak = 0x21;
const two = (attr = {}): RcTrace => new RcTrace(attr).posts(S, S).sends(0, 1);
const exceeded = 'IBV_WC_RNR_RETRY_EXC_ERR';
/** The only retry that rnr_retry leaves is spent. */
const refusedOnce = (): RcTrace => two().acked(0, rnrNak).wait(10_000).sends(0, 1);

describe('what a conformant requester may do', () => {
  const sound: Record<string, () => RcTrace> = {
    'send, and complete by one Acknowledge': () => two().acked(1).sent(1).sent(2).settle(),
    'go back at a NAK': () => two().acked(1, sequenceNak).sends(1).sent(1).acked(1).sent(2).settle(),
    'send again between T and 4 T': () =>
      two()
        .wait(T)
        .sends(0, 1)
        .wait(4 * T)
        .sends(0, 1)
        .settle(),
    'stand still before T': () =>
      two()
        .wait(T / 2)
        .settle(),
    'wait for ever with timeout 0': () =>
      two({ timeout: 0 })
        .wait(1000 * T)
        .settle(),
    'wait where an RNR NAK comes on top of a sequence NAK': () =>
      two().acked(0, sequenceNak).acked(0, rnrNak).settle().sends(0, 1).settle(),
    'send again after an RNR wait': () => two().acked(0, rnrNak).wait(10_000).sends(0, 1).settle(),
    'wait with a NAK for an RNR wait': () => two().acked(0, 0x2e).acked(0, sequenceNak).settle(),
    'look at a NAK late, when what it names has been sent': () =>
      new RcTrace().posts(S).acked(0, rnrNak).sends(0).settle().wait(10_000).sends(0).settle(),
    'look at a READ response late, or not in time': () =>
      new RcTrace().posts(S, R).sends(0).data(1).acked(0).reads(1).sent(1).settle(),
    'fail when its retries are used up': () =>
      two({ retry_cnt: 0 }).wait(T).done(1, 'IBV_WC_RETRY_EXC_ERR').done(2, 'IBV_WC_WR_FLUSH_ERR').settle(),
    'go back for an answered NAK, and send again for the only retry besides': () =>
      new RcTrace({ retry_cnt: 1 })
        .posts(S, S, S)
        .sends(0, 1, 2)
        .acked(1, sequenceNak)
        .acked(1)
        .sent(1)
        .sent(2)
        .wait(1.5 * T)
        .sends(2)
        .wait(2 * T)
        .sends(2)
        .settle(),
    'stop in a retransmission for an answer': () => two().acked(0, sequenceNak).sends(0).settle(),
    'send what waited in its port when it was acknowledged, behind the completion': () =>
      two().acked(0, sequenceNak).sends(0).acked(1).sent(1).sent(2).wait(500).sends(1).settle(),
    'leave the counter of rnr_retry as it is by a sequence NAK that acknowledges': () =>
      refusedOnce().acked(1, sequenceNak).sent(1).sends(1).acked(1, rnrNak).done(2, exceeded).settle(),
    'reload it by that': () =>
      refusedOnce().acked(1, sequenceNak).sent(1).sends(1).acked(1, rnrNak).wait(10_000).sends(1).settle(),
    'reload it by a sequence NAK that acknowledges nothing': () =>
      refusedOnce()
        .acked(0, sequenceNak)
        .sends(0, 1)
        .acked(0, rnrNak)
        .wait(10_000)
        .sends(0, 1)
        .acked(1)
        .sent(1)
        .sent(2)
        .settle(),
    'wait as an RNR NAK says before it sends a READ again that this passes over': () =>
      new RcTrace().posts(R, S).reads(0).sends(1).acked(1, rnrNak).wait(10_000).reads(0).sends(1).settle(),
    'send such a READ again at once': () =>
      new RcTrace().posts(R, S).reads(0).sends(1).acked(1, rnrNak).reads(0).sends(1).settle(),
    'send a READ again that later responses pass over': () =>
      new RcTrace().posts(R, S).reads(0).sends(1).acked(1).reads(0).sends(1).settle(),
  };
  it.each(Object.entries(sound))('%s', (_, trace) => {
    expect(trace().broken()).toEqual([]);
    expect(trace().judge().inconclusive).toEqual([]);
  });
});

describe('a trace that gives a counter more than its three bits hold', () => {
  it('is judged to its end', () => {
    const trace = two({ retry_cnt: 31 }).acked(0, sequenceNak).sends(0, 1).acked(1).settle();
    expect(trace.judge().packets).toBe(6);
  });
});

describe('a requester whose link is down', () => {
  const late = (trace: RcTrace): RcTrace => trace.wait(9 * T).settle();

  it('is not blamed for what it sends into nothing', () => {
    expect(late(two()).broken()).not.toEqual([]);
    expect(late(two().settle().link(false)).broken()).toEqual([]);
    expect(late(new RcTrace().link(false).posts(S)).broken()).toEqual([]);
    expect(late(new RcTrace().link(false).settle().link(true).posts(S)).broken()).not.toEqual([]);
  });

  it('is judged by what it does with the link back, unless it had something to send before', () => {
    const back = (trace: RcTrace): number | undefined =>
      trace
        .settle()
        .link(false)
        .settle()
        .link(true)
        .posts(S)
        .sends(2)
        .settle()
        .judge()
        .exercised.get('rc-send-unacknowledged');
    expect(back(two().acked(1).sent(1).sent(2))).toBe(1);
    expect(back(two().acked(1).settle())).toBe(undefined);
  });
});

describe('a responder whose link is down', () => {
  it('owes no answer to what may not have come', () => {
    const asked = (trace: RcTrace): RcTrace => trace.recv().to('SEND_ONLY', 0, { ackReq: true }).settle();
    expect(asked(new RcTrace()).broken()).not.toEqual([]);
    expect(asked(new RcTrace().link(false)).broken()).toEqual([]);
  });
});

describe('a request that is sent again too late', () => {
  it('is told by when it was due, and how long it took', () => {
    const [late] = two()
      .wait(9 * T)
      .sends(0)
      .judge().violations;
    expect(late?.rule).toBe('rc-timeout-overdue');
    expect(late?.expected).toMatch(/^PSN \d+ sent again within 4 T, or its work request failed$/);
    expect(late?.observed).toMatch(/^PSN \d+ sent again [\d.]+ [mu]?s after the timer began$/);
  });
});

describe('a packet that is wrong whenever a response was looked at', () => {
  const solicited = { solicited: true, payload: new Uint8Array(16) };

  it('says nothing of a NAK that came before what it names', () => {
    const trace = new RcTrace()
      .acked(0, sequenceNak)
      .send({ length: 2 * mtu + 16 })
      .from('SEND_FIRST', 0, { payload: new Uint8Array(mtu), ackReq: false })
      .from('SEND_MIDDLE', 1, { payload: new Uint8Array(mtu), ackReq: false })
      .from('SEND_LAST', 2, solicited);
    expect(trace.settle().broken()).toEqual(['rc-request-solicited']);
  });

  it('is no less allowed behind a READ whose response came before its request was seen', () => {
    const trace = new RcTrace()
      .posts(R)
      .send({ send_flags: ['IBV_SEND_FENCE', 'IBV_SEND_SIGNALED'] })
      .data(0)
      .reads(0)
      .from('SEND_ONLY', 1, solicited);
    expect(trace.broken()).toEqual(['rc-request-solicited']);
  });
});

describe('the payload of a SEND', () => {
  const elsewhere = [{ addr: 0x99990000n, length: 16, lkey: 0x999 }];

  it('may be from memory that is no region, if it is inline', () => {
    const inline = new RcTrace().send({
      sg_list: elsewhere,
      send_flags: ['IBV_SEND_SIGNALED', 'IBV_SEND_INLINE'],
    });
    const sent = inline.from('SEND_ONLY', 0, { payload: bytes(16) });
    expect(sent.acked(0).sent(1).settle().broken()).toEqual([]);
  });

  it('is not from memory that its lkey does not name', () => {
    const failed = (): RcTrace => new RcTrace().send({ sg_list: elsewhere });
    expect(failed().done(1, 'IBV_WC_LOC_PROT_ERR').settle().broken()).toEqual([]);
    const sent = failed().from('SEND_ONLY', 0, { payload: bytes(16, 0) });
    expect(sent.done(1, 'IBV_WC_LOC_PROT_ERR').settle().broken()).toEqual(['rc-request-payload']);
  });
});

describe('what a requester must not do', () => {
  const unsound: readonly [rule: string, trace: () => RcTrace][] = [
    ['rc-sequence-nak-retransmits', () => two().acked(0, sequenceNak).settle()],
    ['rc-retransmission-starts-late', () => two().acked(0, sequenceNak).sends(1).settle()],
    ['rc-retransmission-uncaused', () => two().sends(1).settle()],
    [
      'rc-timeout-early',
      () =>
        two()
          .wait(T / 2)
          .sends(0),
    ],
    [
      'rc-retransmission-uncaused', // a response to what was never sent came just before
      () =>
        two()
          .wait(T / 2)
          .data(9)
          .wait(T / 100)
          .sends(0),
    ],
    [
      'rc-timeout-early', // such a response came, long before
      () =>
        two()
          .wait(T / 4)
          .data(9)
          .wait(T / 4)
          .sends(0),
    ],
    ['rc-timeout-disabled', () => two({ timeout: 0 }).wait(T).sends(0)],
    [
      'rc-timeout-overdue',
      () =>
        two()
          .wait(4 * T + 1000)
          .settle(),
    ],
    ['rc-timeout-nothing-outstanding', () => new RcTrace().posts(S).done(1, 'IBV_WC_RETRY_EXC_ERR')],
    ['rc-request-skipped', () => new RcTrace().posts(S, S).sends(1)],
    ['rc-request-unposted', () => two().sends(2)],
    ['rc-request-completed-again', () => two().acked(0).sent(1).settle().sends(0)],
    [
      'rc-request-unposted',
      () => two().acked(0, sequenceNak).sends(0).acked(1).sent(1).sent(2).wait(100_000).sends(1).settle(),
    ],
    [
      'rc-request-completed-again',
      () => two().acked(0, sequenceNak).sends(0).acked(1).sent(1).sent(2).sends(1, 1).settle(),
    ],
    ['rc-request-completed-again', () => two().acked(1).sent(1).sent(2).sends(1).settle()],
    // no copy of what had that PSN, so that nothing is sent again
    ['rc-request-opcode', () => two().acked(1).sent(1).sent(2).reads(1).settle()],
    ['rc-rnr-wait', () => two().acked(0, rnrNak).wait(5000).sends(0)],
    ['rc-rnr-wait-endless', () => two().acked(0, rnrNak).settle().wait(200_000).settle()],
    [
      'rc-rnr-wait-endless',
      () => two().acked(0, sequenceNak).acked(0, rnrNak).settle().wait(200_000).settle(),
    ],
    ['rc-implied-nak', () => new RcTrace().posts(R, S).reads(0).sends(1).acked(1).settle()],
    ['rc-retransmission-completed', () => two().acked(0, sequenceNak).sends(0).acked(0).sent(1).settle()],
    ['rc-send-queue-goes-on', () => new RcTrace().posts(S).settle()],
    ['rc-send-completes', () => two().acked(1).sent(1).settle()],
    ['rc-send-completes-in-order', () => two().acked(1).sent(2)],
    ['rc-send-completed-again', () => two().acked(0).sent(1).sent(1)],
    ['rc-send-unacknowledged', () => two().acked(0).sent(1).sent(2)],
    ['rc-retry-exhausted', () => two({ retry_cnt: 0 }).wait(T).sends(0)],
    ['rc-retry-exhausted-nak', () => two({ retry_cnt: 0 }).acked(0, sequenceNak).settle()],
    ['rc-rnr-retry-exhausted', () => two({ rnr_retry: 0 }).acked(0, rnrNak).settle()],
    ['rc-rnr-retry-exhausted', () => refusedOnce().acked(0).sent(1).acked(1, rnrNak).done(2, exceeded)],
    [
      'rc-retry-exhausted-nak',
      () => two({ retry_cnt: 1 }).acked(0, sequenceNak).sends(0, 1).acked(0, sequenceNak).settle(),
    ],
    [
      'rc-rnr-wait-endless',
      () => new RcTrace().posts(R, S).reads(0).sends(1).acked(1, rnrNak).settle().wait(200_000).settle(),
    ],
    ['rc-nak-access-error-fails', () => two().acked(0, 0x62).settle()],
    ['rc-send-failed', () => two().acked(0, 0x62).done(1, 'IBV_WC_REM_OP_ERR')],
    ['rc-send-flushed', () => two().acked(0, 0x62).done(1, 'IBV_WC_REM_ACCESS_ERR').settle()],
    ['rc-reads-outstanding', () => new RcTrace().posts(R, R).reads(0).reads(1)],
  ];

  it.each(unsound)('%s', (rule, trace) => {
    expect(trace().broken()).toContain(rule);
  });
});

it('what waited in the port of a requester is still what was sent first', () => {
  const trace = two().acked(0, sequenceNak).sends(0).acked(1).sent(1).sent(2);
  trace.from('SEND_ONLY', 1, { payload: new Uint8Array(16).fill(7) });
  expect(trace.broken()).toEqual(['rc-repeat-same']);
});

it('a cloned state has every field of the original', () => {
  const state = RequesterState.first(requesterMachine(loadRules()));
  let value = 1;
  for (const key of Object.keys(state)) if (key !== 'machine') Object.assign(state, { [key]: value++ });
  expect(Object.entries(state.clone())).toEqual(Object.entries(state));
});

describe('a requester that ibv_modify_qp overtakes', () => {
  const judged = (trace: RcTrace): string[] => [...trace.settle().broken(), ...trace.judge().inconclusive];
  /** what is seen at the time of the call */
  const before = (trace: RcTrace): RcTrace => trace.wait(-100);

  it.each(['RESET', 'ERR'] as const)('may have sent before %s, and sends nothing behind it', (state) => {
    const cut = (): RcTrace => new RcTrace().posts(S, S).sends(0).enter(state);
    const left = (trace: RcTrace): RcTrace =>
      state === 'RESET' ? trace : trace.done(1, 'IBV_WC_WR_FLUSH_ERR').done(2, 'IBV_WC_WR_FLUSH_ERR');
    expect(judged(left(cut()))).toEqual([]);
    expect(judged(left(before(cut()).sends(1)))).toEqual([]);
    expect(judged(left(cut().sends(1)))).not.toEqual([]);
  });

  it.each(['ERR', 'a timer'])('may have failed by %s since rest, before RESET', (cause) => {
    const rest = (): RcTrace => new RcTrace().posts(S).sends(0).settle();
    const failed = cause === 'ERR' ? rest().enter('ERR') : rest().wait(100 * T);
    const status = cause === 'ERR' ? 'IBV_WC_WR_FLUSH_ERR' : 'IBV_WC_RETRY_EXC_ERR';
    expect(judged(failed.enter('RESET').done(1, status))).toEqual([]);
    const over = rest().acked(0).sent(1).settle().enter('ERR').enter('RESET');
    expect(judged(over.done(1, status))).toEqual(['rc-send-completed-again']);
  });

  it('may have used up its last retry before ERR', () => {
    const ended = (ns: number, status: WcStatus): string[] =>
      judged(two({ retry_cnt: 0 }).wait(ns).enter('ERR').done(1, status).done(2, 'IBV_WC_WR_FLUSH_ERR'));
    expect(ended(T, 'IBV_WC_RETRY_EXC_ERR')).toEqual([]);
    expect(ended(T, 'IBV_WC_WR_FLUSH_ERR')).toEqual([]);
    expect(ended(T / 2, 'IBV_WC_WR_FLUSH_ERR')).toEqual([]);
    expect(ended(T / 2, 'IBV_WC_RETRY_EXC_ERR')).toEqual(['rc-send-flushed']);
  });

  it('carries no timer and no wait into the life that follows', () => {
    const next = (trace: RcTrace): RcTrace => trace.restart(trace.psn).posts(S);
    expect(judged(next(two().wait(T - 1000)).sends(0))).toEqual([]);
    expect(
      judged(
        next(two().wait(T - 1000))
          .sends(0)
          .wait(2000)
          .sends(0),
      ),
    ).toContain('rc-timeout-early');
    expect(judged(next(two().acked(0, rnrNak)).sends(0))).toEqual([]);
    expect(judged(next(two().acked(0, rnrNak)))).not.toEqual([]);
  });
});

describe('a requester that cannot place what an ATOMIC brings', () => {
  const failed = (memory: Uint8Array): string[] => {
    const reth = { va: 0x4000n, rkey: 9, dmaLen: 2 * mtu };
    const elsewhere = [{ addr: region.addr + 4096n, length: 8, lkey: 1 }];
    return new RcTrace({ max_rd_atomic: 2 })
      .send({ opcode: 'IBV_WR_ATOMIC_FETCH_AND_ADD', sg_list: elsewhere, compare_add: 0n, swap: 0n })
      .send({ opcode: 'IBV_WR_RDMA_READ', length: 2 * mtu })
      .from('FETCH_ADD', 0, { atomicEth: { va: 0x4000n, rkey: 9, swapOrAdd: 0n, compare: 0n } })
      .from('RDMA_READ_REQUEST', 1, { reth })
      .to('ATOMIC_ACKNOWLEDGE', 0, answer(1), { atomicOriginal: 5n })
      .to('RDMA_READ_RESPONSE_FIRST', 1, answer(1), { payload: bytes(mtu, 7) })
      .wait(21_000)
      .done(1, 'IBV_WC_LOC_PROT_ERR')
      .done(2, 'IBV_WC_WR_FLUSH_ERR')
      .settle()
      .memory(0, memory)
      .broken();
  };

  it('may have placed a part of the READ behind it, or nothing', () => {
    expect(failed(bytes(mtu, 7))).toEqual([]);
    expect(failed(bytes(mtu, 0))).toEqual([]);
  });
});

describe('a requester whose READ is longer than the region it is to fill', () => {
  const read = (memory: Uint8Array): string[] => {
    const sg_list = [{ addr: region.addr + BigInt(region.length - 8), length: 16, lkey: region.lkey }];
    return new RcTrace()
      .send({ opcode: R, sg_list, send_flags: [] })
      .from('RDMA_READ_REQUEST', 0, { reth: { va: 0x4000n, rkey: 9, dmaLen: 16 } })
      .to('RDMA_READ_RESPONSE_ONLY', 0, answer(1), { payload: bytes(16, 7) })
      .settle()
      .memory(region.length - 8, memory)
      .broken();
  };

  it('may have placed what fits, or nothing', () => {
    expect(read(bytes(8, 7))).toEqual([]);
    expect(read(bytes(8, 0))).toEqual([]);
  });
});
