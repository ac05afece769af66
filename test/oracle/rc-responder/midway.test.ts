import { describe, expect, it } from 'vitest';
import { answer, bytes, mtu, region, reth } from '../trace/packets.ts';
import { RcTrace } from '../trace/rc.ts';
import type { AccessFlag } from '../../../spec/verbs.ts';
import { everyRight } from '../../rights.ts';

const broken = (trace: RcTrace): string[] => [...trace.broken(), ...trace.judge().inconclusive];

describe('a request that ibv_modify_qp overtakes', () => {
  const two = (immediate: number): RcTrace => {
    const first = new RcTrace().to('SEND_ONLY_WITH_IMMEDIATE', 0, { ackReq: false, immediate: 7 });
    return first
      .restart(first.psn)
      .recv()
      .to('SEND_ONLY_WITH_IMMEDIATE', 0, { immediate: 9 })
      .ack(0, 1)
      .ack(0, 1)
      .received(1, 0, { imm_data: immediate })
      .settle();
  };

  it('is carried out in the life before, or in the one that follows', () => {
    expect(broken(two(7))).toEqual([]);
    expect(broken(two(9))).toEqual([]);
  });

  it('leaves nothing else in a completion', () => {
    expect(broken(two(8))).toEqual(['rc-receive-immediate']);
  });
});

describe('responses that ibv_modify_qp overtakes', () => {
  const response = (trace: RcTrace, index: number): RcTrace =>
    trace.from(`RDMA_READ_RESPONSE_${index === 0 ? 'FIRST' : index === 3 ? 'LAST' : 'MIDDLE'}`, index, {
      ...(index % 3 === 0 && answer(1)),
      payload: bytes(256, 0),
    });
  const cut = (state: 'ERR' | 'RESET'): RcTrace =>
    response(new RcTrace().to('RDMA_READ_REQUEST', 0, reth(1024)), 0).enter(state);

  it.each(['ERR', 'RESET'] as const)('may have left before %s, and none leaves behind it', (state) => {
    expect(broken(cut(state).settle())).toEqual([]);
    expect(broken(response(cut(state).wait(-100), 1).settle())).toEqual([]);
    expect(broken(response(cut(state), 1).settle())).toEqual(['rc-response-unasked']);
  });

  it('is blamed for what is wrong by the header alone, whichever way leads to it', () => {
    const beyond = new RcTrace()
      .recv()
      .to('RDMA_WRITE_FIRST', 0, { payload: bytes(256) }, reth(767, 8192 - 511));
    const refused = beyond.enter('RESET').wait(-100).ack(0, 0, 0x62, { solicited: true }).settle();
    expect(broken(refused)).toEqual(['rc-response-idle-bits']);
    expect(broken(response(cut('ERR').wait(-100), 1).settle())).toEqual([]);
    const data = cut('ERR')
      .wait(-100)
      .from('RDMA_READ_RESPONSE_MIDDLE', 1, { payload: bytes(256, 0), solicited: true });
    expect(broken(data.settle())).toEqual(['rc-response-idle-bits']);
  });

  it('are no answer in the life that follows', () => {
    const trace = cut('RESET');
    expect(broken(response(trace.restart(trace.psn), 1).settle())).toEqual(['rc-response-unasked']);
  });
});

describe('a READ that leaves its region midway', () => {
  const denied = (responses: number, nak: number): RcTrace =>
    new RcTrace()
      .to('RDMA_READ_REQUEST', 0, reth(768, 8192 - 256))
      .from('RDMA_READ_RESPONSE_FIRST', 0, { ...answer(responses), payload: bytes(256, 0) })
      .ack(1, nak, 0x62)
      .event('IBV_EVENT_QP_ACCESS_ERR')
      .settle();

  it('may be counted already in what refuses it, and is counted once', () => {
    expect(broken(denied(0, 0))).toEqual([]);
    expect(broken(denied(1, 1))).toEqual([]);
    expect(broken(denied(1, 2))).toEqual(['rc-msn-in-nak']);
  });
});

describe('a request that ibv_dereg_mr overtakes', () => {
  const some = { payload: bytes(8), ...reth(8) };
  const denied = 0x62;
  const freed = (trace: RcTrace): RcTrace => trace.call({ call: 'dereg_mr', mr: 1 });
  const write = (): RcTrace => new RcTrace().to('RDMA_WRITE_ONLY', 0, some);
  const refused = (trace: RcTrace, at: number, msn: number): RcTrace =>
    trace.ack(at, msn, denied).event('IBV_EVENT_QP_ACCESS_ERR').settle();

  it('is carried out or refused', () => {
    expect(broken(freed(write()).ack(0, 1).settle())).toEqual([]);
    expect(broken(refused(freed(write()), 0, 0))).toEqual([]);
    expect(broken(freed(write()).settle())).not.toEqual([]);
    expect(broken(refused(freed(new RcTrace()), 0, 0))).not.toEqual([]);
  });

  it('may be the last that is carried out, and was refused if the one in front of it was', () => {
    const two = (): RcTrace => freed(write().to('RDMA_WRITE_ONLY', 1, some));
    expect(broken(two().ack(1, 2).settle())).toEqual([]);
    expect(broken(refused(two().ack(0, 1), 1, 1))).toEqual([]);
    expect(broken(refused(two(), 0, 0))).toEqual([]);
    expect(broken(refused(two(), 0, 0).ack(1, 2))).not.toEqual([]);
  });

  it('is refused where it comes behind the call', () => {
    const behind = (): RcTrace => freed(write()).to('RDMA_WRITE_ONLY', 1, some);
    expect(broken(refused(behind().ack(0, 1), 1, 1))).toEqual([]);
    expect(broken(behind().ack(0, 1).ack(1, 2).settle())).toEqual(['rc-remote-access-denied']);
  });
});

describe('a request that ibv_rereg_mr overtakes', () => {
  const some = { payload: bytes(8), ...reth(8) };
  const denied = 0x62;
  const place = { mr: 1, addr: region.addr, lkey: region.lkey, rkey: region.rkey };
  const without = everyRight.filter((flag) => flag !== 'IBV_ACCESS_REMOTE_WRITE');
  const taken = (trace: RcTrace): RcTrace => trace.call({ call: 'rereg_mr', ...place, access: without });
  const given = (trace: RcTrace): RcTrace => trace.call({ call: 'rereg_mr', ...place, access: everyRight });
  const moved = (trace: RcTrace): RcTrace =>
    trace.call({ call: 'rereg_mr', ...place, addr: 0x70000n, length: 64, lkey: 77, rkey: 77 });
  const write = (trace = new RcTrace()): RcTrace => trace.to('RDMA_WRITE_ONLY', 0, some);
  const refused = (trace: RcTrace, at: number, msn: number): RcTrace =>
    trace.ack(at, msn, denied).event('IBV_EVENT_QP_ACCESS_ERR').settle();

  it.each([
    ['loses the right', () => taken(write())],
    ['gains the right', () => given(write(taken(new RcTrace()).settle()))],
    ['moves', () => moved(write())],
  ])('is carried out or refused where the region %s', (_, trace) => {
    expect(broken(trace().ack(0, 1).settle())).toEqual([]);
    expect(broken(refused(trace(), 0, 0))).toEqual([]);
    expect(broken(trace().settle())).not.toEqual([]);
  });

  it('is carried out where the region keeps what it needs', () => {
    expect(broken(given(write()).ack(0, 1).settle())).toEqual([]);
    expect(broken(refused(given(write()), 0, 0))).not.toEqual([]);
  });

  it('finds one of the two states that two calls lead through', () => {
    const twice = (): RcTrace => given(taken(write()));
    expect(broken(twice().ack(0, 1).settle())).toEqual([]);
    expect(broken(refused(twice(), 0, 0))).toEqual([]);
  });

  it('has what the region is now where it comes behind the call', () => {
    const behind = (): RcTrace => taken(write()).to('RDMA_WRITE_ONLY', 1, some);
    expect(broken(refused(behind().ack(0, 1), 1, 1))).toEqual([]);
    expect(broken(behind().ack(0, 1).ack(1, 2).settle())).toEqual(['rc-remote-access-denied']);
    const rested = (): RcTrace => write(taken(new RcTrace()));
    expect(broken(refused(rested(), 0, 0))).toEqual([]);
    expect(broken(rested().ack(0, 1).settle())).toEqual(['rc-remote-access-denied']);
  });

  it('was refused if the one in front of it was', () => {
    const two = (): RcTrace => taken(write().to('RDMA_WRITE_ONLY', 1, some));
    expect(broken(two().ack(1, 2).settle())).toEqual([]);
    expect(broken(refused(two().ack(0, 1), 1, 1))).toEqual([]);
    expect(broken(refused(two(), 0, 0).ack(1, 2))).not.toEqual([]);
  });
});

describe('a READ that ibv_rereg_mr overtakes between its responses', () => {
  const place = { mr: 1, addr: region.addr, lkey: region.lkey, rkey: region.rkey };
  const change = (trace: RcTrace, access: readonly AccessFlag[], pd?: number): RcTrace =>
    trace.call({ call: 'rereg_mr', ...place, access: [...access], ...(pd !== undefined && { pd }) });
  const data = { payload: bytes(mtu, 0) };
  const begun = (): RcTrace =>
    new RcTrace()
      .to('RDMA_READ_REQUEST', 0, reth(2 * mtu))
      .from('RDMA_READ_RESPONSE_FIRST', 0, answer(1), data);
  const ended = (trace: RcTrace, fields = data): RcTrace =>
    trace.from('RDMA_READ_RESPONSE_LAST', 1, answer(1), fields).settle();
  const refused = (trace: RcTrace): RcTrace =>
    trace.ack(1, 0, 0x62).event('IBV_EVENT_QP_ACCESS_ERR').settle();
  const others = everyRight.filter((flag) => flag !== 'IBV_ACCESS_REMOTE_WRITE');

  it.each([
    ['all its rights', everyRight],
    ['the right to read', others],
  ])('goes on where the region keeps %s', (_, access) => {
    expect(broken(ended(change(begun(), access)))).toEqual([]);
    expect(broken(ended(change(begun(), access), { payload: bytes(mtu, 9) }))).toEqual(['rc-read-data']);
    expect(broken(change(begun(), access).settle())).not.toEqual([]);
    expect(broken(refused(change(begun(), access)))).not.toEqual([]);
  });

  it('is judged no further where the region loses the right to read, or goes to another PD', () => {
    const less = everyRight.filter((flag) => flag !== 'IBV_ACCESS_REMOTE_READ');
    for (const cut of [change(begun(), less), change(begun(), everyRight, 77)]) {
      expect(refused(cut).broken()).toEqual([]);
      expect(cut.judge().inconclusive).not.toEqual([]);
    }
  });
});

describe('a requester whose memory ibv_rereg_mr changes', () => {
  const place = { mr: 1, addr: region.addr, lkey: region.lkey, rkey: region.rkey };
  const change = (trace: RcTrace, access: readonly AccessFlag[]): RcTrace =>
    trace.call({ call: 'rereg_mr', ...place, access: [...access] });
  const reads = (): RcTrace => new RcTrace().posts('IBV_WR_RDMA_READ').reads(0);
  const ends = (trace: RcTrace): RcTrace => trace.data(0).sent(1, { opcode: 'IBV_WC_RDMA_READ' }).settle();

  it('goes on where software may write there before and behind the call', () => {
    const others = everyRight.filter((flag) => flag !== 'IBV_ACCESS_REMOTE_WRITE');
    for (const access of [everyRight, others]) {
      const read = (): RcTrace => change(reads(), access);
      expect(broken(ends(read()).memory(1, bytes(16, 0)))).toEqual([]);
      expect(broken(ends(read()).memory(1, bytes(16, 7)))).toEqual(['rc-memory-fetched']);
      expect(broken(read().data(0).settle())).toEqual(['rc-send-completes']);
    }
  });

  it('is judged no further where software may write there no longer', () => {
    const cut = change(reads(), ['IBV_ACCESS_REMOTE_READ']).data(0).settle();
    expect(cut.broken()).toEqual([]);
    expect(cut.judge().inconclusive).not.toEqual([]);
  });
});
