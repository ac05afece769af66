import { describe, expect, it } from 'vitest';
import { flips } from '../../../oracle/compile/table/flips.ts';
import { withOutcomes } from '../../../oracle/compile/variant.ts';
import type { QpAttr, SendWr, WcStatus } from '../../../spec/verbs.ts';
import { rules } from '../trace/trace.ts';
import { EndToEndTrace, original } from './trace.ts';

const send = { opcode: 'IBV_WR_SEND' } as const;
const write = { opcode: 'IBV_WR_RDMA_WRITE' } as const;
const read = { opcode: 'IBV_WR_RDMA_READ' } as const;
const received = { opcode: 'IBV_WC_RECV', byte_len: 32 } as const;

function sound(): EndToEndTrace {
  return new EndToEndTrace('RC')
    .receive(1)
    .post(100, send)
    .completes(1, 100)
    .completes(2, 1, undefined, received);
}

function refused(service: 'RC' | 'UC' = 'RC'): EndToEndTrace {
  return new EndToEndTrace(service)
    .receive(1)
    .receive(2)
    .post(100, { ...write, rkey: 99 })
    .post(101, send);
}

/** A WRITE, and what else comes to the QP before anybody looks: its receive fails. */
function beforeFailure(...behind: readonly Parameters<EndToEndTrace['post']>[1][]): EndToEndTrace {
  const trace = new EndToEndTrace('RC').receive(1, 8).post(100, write);
  for (const [i, wr] of behind.entries()) trace.post(101 + i, wr);
  trace.completes(2, 1, 'IBV_WC_LOC_LEN_ERR').completes(1, 100);
  for (const i of behind.keys()) trace.completes(1, 101 + i, 'IBV_WC_REM_INV_REQ_ERR');
  return trace.settle();
}

describe('where both ends send at once', () => {
  const both = (
    status: 'IBV_WC_SUCCESS' | 'IBV_WC_WR_FLUSH_ERR',
    first: boolean,
    rkey?: number,
  ): string[] => {
    const sg_list = [{ addr: 0xa000n, length: 32, lkey: 10 }];
    const trace = new EndToEndTrace('RC').call({ call: 'post_recv', qp: 1, wr: { wr_id: 9, sg_list } });
    if (first) trace.postBack(200);
    trace.post(100, { ...write, ...(rkey !== undefined && { rkey }) });
    if (!first) trace.postBack(200);
    if (rkey !== undefined)
      trace.raises(2, 'IBV_EVENT_QP_ACCESS_ERR').completes(1, 100, 'IBV_WC_REM_ACCESS_ERR');
    else trace.completes(1, 100);
    trace.completes(2, 200, status);
    if (status === 'IBV_WC_SUCCESS') trace.completes(1, 9, status, { opcode: 'IBV_WC_RECV', byte_len: 8 });
    else trace.completes(1, 9, status);
    return trace.settle().broken();
  };

  it.each([true, false])(
    'nobody knows whether work was sent before a failure of the other end: %s',
    (first) => {
      expect(both('IBV_WC_SUCCESS', first, 99)).toEqual([]);
      expect(both('IBV_WC_WR_FLUSH_ERR', first, 99)).toEqual([]);
    },
  );

  it('without a failure both are judged', () => {
    const trace = new EndToEndTrace('RC').receive(1).post(100, send).postBack(200);
    trace.completes(1, 100).completes(2, 1, undefined, received);
    expect(trace.settle(1e9).broken()).toEqual(['rc-effects-no-receive']);
  });
});

describe('a sound work request', () => {
  it('breaks nothing where both ends complete it', () => {
    const trace = sound().settle().state('IBV_QPS_RTS').state('IBV_QPS_RTS', 2);
    expect(trace.broken()).toEqual([]);
    expect(trace.judge().exercised.get('rc-effects-send')).toBe(1);
  });

  it('breaks nothing where one behind it fails, and that failure is reported first', () => {
    expect(beforeFailure(send).broken()).toEqual([]);
    expect(beforeFailure().broken()).toEqual(['rc-effects-write']);
    expect(beforeFailure(write).broken()).toEqual(['rc-effects-write']);
  });

  it('places its data', () => {
    const placed = original(20);
    placed.set(original(10).subarray(0, 32));
    expect(sound().settle().memory(0, placed, 20).memory(0, original(30), 30).broken()).toEqual([]);
    placed[31] = 0;
    expect(sound().settle().memory(0, placed, 20).broken()).toEqual(['rc-effects-send']);
  });

  it('reads what was there', () => {
    const trace = (fetched: Uint8Array): string[] =>
      new EndToEndTrace('RC').post(100, read).completes(1, 100).settle().memory(0, fetched, 10).broken();
    const fetched = original(10);
    fetched.set(original(30).subarray(0, 32));
    expect(trace(fetched)).toEqual([]);
    expect(trace(original(10))).toEqual(['rc-effects-read']);
  });

  it.each([
    ['never completes', (): EndToEndTrace => new EndToEndTrace('RC').post(100, write)],
    [
      'fails',
      (): EndToEndTrace => new EndToEndTrace('RC').post(100, write).completes(1, 100, 'IBV_WC_GENERAL_ERR'),
    ],
    [
      'completes twice',
      (): EndToEndTrace => new EndToEndTrace('RC').post(100, write).completes(1, 100).completes(1, 100),
    ],
    [
      'completes a receive',
      (): EndToEndTrace =>
        new EndToEndTrace('RC').receive(1).post(100, write).completes(1, 100).completes(2, 1),
    ],
    [
      'leaves its QP in error',
      (): EndToEndTrace =>
        new EndToEndTrace('RC').post(100, write).completes(1, 100).settle().state('IBV_QPS_ERR'),
    ],
  ])('is violated where it %s', (_, trace) => {
    expect(trace().settle().broken()).toEqual(['rc-effects-write']);
  });

  it('need not tell of itself where it is unsignaled', () => {
    expect(
      new EndToEndTrace('RC')
        .post(100, { ...write, send_flags: [] })
        .settle()
        .broken(),
    ).toEqual([]);
  });
});

describe('a READ that max_rd_atomic 0 holds back', () => {
  const held = (max_rd_atomic: number): string[] =>
    new EndToEndTrace('RC', { max_rd_atomic }).post(100, read).post(101, write).settle().broken();

  it('may leave it and all behind it without a completion', () => {
    expect(held(0)).toEqual([]);
    expect(held(1)).toEqual(['rc-effects-read']);
  });
});

describe('a refused work request', () => {
  const fails = (trace: EndToEndTrace): EndToEndTrace =>
    trace.completes(1, 100, 'IBV_WC_REM_ACCESS_ERR').completes(1, 101, 'IBV_WC_WR_FLUSH_ERR');
  const flushes = (trace: EndToEndTrace): EndToEndTrace =>
    trace.completes(2, 1, 'IBV_WC_WR_FLUSH_ERR').completes(2, 2, 'IBV_WC_WR_FLUSH_ERR');

  it('fails at both ends, and what waits is flushed', () => {
    const trace = flushes(fails(refused()).raises(2, 'IBV_EVENT_QP_ACCESS_ERR')).settle();
    expect(trace.state('IBV_QPS_ERR').state('IBV_QPS_ERR', 2).broken()).toEqual([]);
  });

  it.each([
    ['no event', (): EndToEndTrace => flushes(fails(refused()))],
    ['another event', (): EndToEndTrace => flushes(fails(refused()).raises(2, 'IBV_EVENT_QP_REQ_ERR'))],
    ['receives not flushed', (): EndToEndTrace => fails(refused()).raises(2, 'IBV_EVENT_QP_ACCESS_ERR')],
    [
      'sends not flushed',
      (): EndToEndTrace =>
        flushes(refused().completes(1, 100, 'IBV_WC_REM_ACCESS_ERR').raises(2, 'IBV_EVENT_QP_ACCESS_ERR')),
    ],
    [
      'another status',
      (): EndToEndTrace =>
        flushes(refused().completes(1, 100, 'IBV_WC_REM_OP_ERR').raises(2, 'IBV_EVENT_QP_ACCESS_ERR')),
    ],
  ])('is violated by %s', (_, trace) => {
    expect(trace().settle().broken()).toEqual(['rc-effects-remote-key']);
  });

  it('may go unreported on UC, and the requester never knows', () => {
    const told = refused('UC')
      .completes(1, 100)
      .completes(1, 101)
      .completes(2, 1, undefined, received)
      .settle();
    expect(told.broken()).toEqual([]);
    const known = refused('UC').completes(1, 100, 'IBV_WC_REM_ACCESS_ERR').settle();
    expect(known.broken()).toEqual(['uc-effects-remote-key']);
  });

  it.each(['IBV_WC_LOC_LEN_ERR', 'IBV_WC_REM_ABORT_ERR'] as const)(
    'may leave the responder in RTS on UC where its receive completes with %s',
    (status) => {
      const trace = new EndToEndTrace('UC').receive(1, 8).receive(2).post(100, send);
      trace.completes(1, 100).completes(2, 1, status).settle().state('IBV_QPS_RTS', 2);
      expect(
        trace.post(101, send).completes(1, 101).completes(2, 2, undefined, received).settle().broken(),
      ).toEqual([]);
    },
  );
});

describe('a message that is dropped', () => {
  const failing = (length: number, status: WcStatus = 'IBV_WC_LOC_LEN_ERR'): string[] =>
    new EndToEndTrace('UC')
      .receive(1, length)
      .post(100, { ...write, opcode: 'IBV_WR_RDMA_WRITE_WITH_IMM', rkey: 99 })
      .post(101, send)
      .completes(1, 100)
      .completes(1, 101)
      .completes(2, 1, status)
      .settle()
      .broken();

  it('is not what fails where a message behind it must', () => {
    expect(failing(8)).toEqual([]);
    expect(failing(8, 'IBV_WC_REM_OP_ERR')).toContain('uc-effects-remote-key');
    expect(failing(32)).toEqual(['uc-effects-remote-key']);
  });
});

describe('memory behind a WRITE that is refused', () => {
  const filled = (from: number, length: number): Uint8Array => {
    const bytes = original(30);
    bytes.set(new Uint8Array(length).fill(0xee), from);
    return bytes;
  };
  const failed = (wr: Partial<SendWr>, pmtu?: QpAttr['path_mtu']): EndToEndTrace =>
    new EndToEndTrace('RC', { ...(pmtu !== undefined && { path_mtu: pmtu }) })
      .post(100, { ...write, ...wr })
      .completes(1, 100, 'IBV_WC_REM_ACCESS_ERR')
      .raises(2, 'IBV_EVENT_QP_ACCESS_ERR')
      .settle();
  const long = { sg_list: Array.from({ length: 6 }, () => ({ addr: 0xa000n, length: 64, lkey: 10 })) };

  it('is as it was where the R_Key opens nothing', () => {
    expect(failed({ rkey: 99 }).memory(0, original(30), 30).broken()).toEqual([]);
    expect(failed({ rkey: 99 }).memory(0, filled(5, 1), 30).broken()).toEqual(['rc-effects-remote-key']);
  });

  it('is as it was where a single packet leaves the region', () => {
    const beyond = { remote_addr: 0x1e000n + 40n };
    expect(failed(beyond).memory(0, original(30), 30).broken()).toEqual([]);
    expect(failed(beyond).memory(0, filled(40, 24), 30).broken()).toEqual(['rc-effects-remote-key']);
  });

  it('may be written in part where a later packet leaves the region', () => {
    const written = (mr: number): string[] =>
      failed({ ...long, remote_addr: BigInt(mr * 0x1000), rkey: mr }, 256)
        .memory(0, filled(5, 1), mr)
        .broken();
    expect(written(40)).toEqual([]);
    expect(written(30)).toEqual(['rc-effects-remote-key']);
  });

  it('is as it was on UC, whatever became of the QP', () => {
    const dropped = (): EndToEndTrace =>
      new EndToEndTrace('UC')
        .post(100, { ...write, rkey: 99 })
        .completes(1, 100)
        .settle();
    expect(dropped().memory(0, original(30), 30).broken()).toEqual([]);
    expect(dropped().memory(0, filled(5, 1), 30).broken()).toEqual(['uc-effects-remote-key']);
    // what comes behind finds the QP in ERR or not, and may write
    const next = dropped().post(101, write).completes(1, 101).settle();
    expect(next.memory(0, filled(5, 1), 30).broken()).toEqual([]);
  });
});

describe('a requester that nobody answers', () => {
  const alone = (): EndToEndTrace =>
    new EndToEndTrace('RC')
      .call({ call: 'modify_qp', qp: 2, attr: { qp_state: 'IBV_QPS_ERR' } })
      .post(100, write);
  // timeout 1, one retry: 2 (4 x 8.192 us + 1 us of response time)
  const latest = 67_536;

  it('fails once its retries are used up, and not before', () => {
    expect(
      alone()
        .settle(latest - 1)
        .completes(1, 100, 'IBV_WC_RETRY_EXC_ERR')
        .settle()
        .broken(),
    ).toEqual([]);
    expect(
      alone()
        .settle(latest - 1)
        .broken(),
    ).toEqual([]);
    expect(alone().settle(latest).broken()).toEqual(['rc-effects-unreachable']);
  });
});

describe('what the oracle does not judge', () => {
  it('is two faults at once', () => {
    const judged = new EndToEndTrace('RC')
      .receive(1, 8, 99)
      .post(100, send)
      .completes(1, 100)
      .settle()
      .judge();
    expect(judged.violations).toEqual([]);
    expect([...judged.notJudged.keys()]).toContain('several faults at once');
  });

  it('is work that was under way while software changed something', () => {
    const trace = new EndToEndTrace('RC').post(100, send).receive(1).settle();
    expect(trace.broken()).toEqual([]);
    expect(trace.judge().notJudged.size).toBeGreaterThan(0);
  });
});

describe('one word changed in the YAML', () => {
  const every = flips(rules);
  const fine = [sound().settle().state('IBV_QPS_RTS').state('IBV_QPS_RTS', 2)];
  it.each([
    ['rc-effects-send', 'requesterQp', 'error'],
    ['rc-effects-send', 'responderQp', 'error'],
    ['rc-effects-send', 'responderReport', 'none'],
  ])('%s with %s: %s makes a sound trace break it', (rule, key, to) => {
    const flip = every.find((f) => f.rule === rule && f.alternative === 0 && f.key === key && f.to === to);
    if (flip === undefined) throw new Error(`no flip of ${rule} sets ${key} to ${to}`);
    const set = withOutcomes(rules, flip);
    expect(fine.flatMap((trace) => trace.broken(set))).toContain(rule);
  });
});
