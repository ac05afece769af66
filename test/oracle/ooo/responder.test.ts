import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answer, bytes, fetchAdd, mtu, readable, region, reth } from '../trace/packets.ts';
import { qp, type OooTrace } from './trace.ts';

const full = { payload: bytes(mtu, 1) };
const tail = { payload: bytes(8, 2) };

/** A SEND of two packets, the last of which comes first. */
const lastFirst = (): OooTrace =>
  qp().recv(1024).to('SEND_LAST', 1, { recv: 0, offset: mtu }, tail).ack(-1, 0, 1, true);

describe('placement', () => {
  it('takes packets in any order, completes when nothing is missing, and acknowledges as it goes', () => {
    const trace = lastFirst().to('SEND_FIRST', 0, { recv: 0 }, full).ack(1, 1, 0).received(1, 264).settle();
    trace.memory(4096, bytes(mtu, 1)).memory(4096 + mtu, bytes(8, 2));
    expect(trace.broken()).toEqual([]);
    expect(trace.judge().exercised.get('ooo-turn-send')).toBe(1);
  });

  it('shows a payload in memory while the packet in front of it is missing', () => {
    const trace = (content: number): OooTrace =>
      lastFirst()
        .settle()
        .memory(4096 + mtu, bytes(8, content))
        .memory(4096, bytes(mtu, 0));
    expect(trace(2).broken()).toEqual([]);
    expect(trace(0).broken()).toEqual(['ooo-memory-arriving']);
  });

  it('puts each message into the buffer of its own number', () => {
    const trace = (first: number, second: number): OooTrace =>
      qp()
        .recv(64, 1024)
        .recv(64, 2048)
        .to('SEND_ONLY', 1, { recv: 1 }, { payload: bytes(8, 2) })
        .ack(-1, 0, 1, true)
        .to('SEND_ONLY', 0, { recv: 0 }, { payload: bytes(8, 1) })
        .ack(1, 2, 0)
        .received(1, 8)
        .received(2, 8)
        .settle()
        .memory(1024, bytes(8, first))
        .memory(2048, bytes(8, second));
    expect(trace(1, 2).broken()).toEqual([]);
    expect(trace(2, 1).broken()).toEqual(['ooo-memory-whole', 'ooo-memory-whole']);
  });

  it('never writes a duplicate again', () => {
    const trace = (content: number): OooTrace =>
      qp()
        .to('RDMA_WRITE_ONLY', 0, { payload: bytes(8, 1), ...reth(8), ackReq: true })
        .ack(0, 1, 0)
        .to('RDMA_WRITE_ONLY', 1, { payload: bytes(8, 2), ...reth(8), ackReq: true })
        .ack(1, 2, 1)
        .to('RDMA_WRITE_ONLY', 0, { payload: bytes(8, 1), ...reth(8) })
        .ack(1, 2, 0)
        .settle()
        .memory(0, bytes(8, content));
    expect(trace(2).broken()).toEqual([]);
    expect(trace(1).broken()).toEqual(['ooo-memory-repeated']);
  });

  it('accepts either content where an older packet came late', () => {
    const trace = (content: number): OooTrace =>
      qp()
        .to('RDMA_WRITE_ONLY', 1, { payload: bytes(8, 2), ...reth(8) })
        .ack(-1, 0, 1, true)
        .to('RDMA_WRITE_ONLY', 0, { payload: bytes(8, 1), ...reth(8) })
        .ack(1, 2, 0)
        .settle()
        .memory(0, bytes(8, content))
        .memory(8, bytes(8, 0));
    expect(trace(1).broken()).toEqual([]);
    expect(trace(2).broken()).toEqual([]);
    expect(trace(3).broken()).toEqual(['ooo-memory-overtaken']);
  });

  it('refuses what it may not touch when its turn has come, and leaves the memory alone', () => {
    const bad = { payload: bytes(8, 1), reth: { va: readable.addr, rkey: readable.rkey, dmaLen: 8 } };
    const early = qp().to('RDMA_WRITE_ONLY', 1, bad);
    expect(early.settle().memory(0, bytes(8, 0), 2).broken()).toEqual([]);
    expect(qp().to('RDMA_WRITE_ONLY', 1, bad).settle().memory(0, bytes(8, 1), 2).broken()).toEqual([
      'ooo-memory-refused',
    ]);
    expect(qp().to('RDMA_WRITE_ONLY', 1, bad).ack(-1, 0, 1, true).broken()).toEqual(['ooo-early-faulty']);
    const next = qp().to('RDMA_WRITE_ONLY', 0, bad).ack(0, 0, 0, false, 0x62).settle();
    expect(next.broken()).toEqual([]);
    expect(qp().to('RDMA_WRITE_ONLY', 0, bad).settle().broken()).toEqual(['ooo-access-refused']);
    expect(qp().to('RDMA_WRITE_ONLY', 0, bad).ack(0, 0, 0, false, 0x61).broken()).toEqual([
      'ooo-access-refused',
    ]);
  });

  it('drops an early packet whose buffer overlaps that of an older message, if it has fence indicators', () => {
    const packet = { payload: bytes(8, 2) };
    const trace = (fence: 'indicator' | 'guard' | 'application'): OooTrace =>
      qp({ profile: { fence } }).recv(64).recv(64).to('SEND_ONLY', 1, { recv: 1 }, packet);
    expect(trace('indicator').settle().broken()).toEqual([]);
    expect(trace('indicator').ack(-1, 0, 1, true).broken()).toEqual(['ooo-early-fenced']);
    expect(trace('application').ack(-1, 0, 1, true).settle().broken()).toEqual([]);
    expect(trace('guard').ack(-1, 0, 1, true).settle().broken()).toEqual([]);
    expect(trace('application').settle().broken()).toEqual(['ooo-ack-early']);
  });
});

describe('receive completions', () => {
  it('do not come while a packet is missing, even if the last one came or another came twice', () => {
    expect(lastFirst().received(1, 264).broken()).toEqual(['ooo-completion-premature']);
    const twice = qp()
      .recv(1024)
      .to('SEND_FIRST', 0, { recv: 0 }, full)
      .to('SEND_FIRST', 0, { recv: 0 }, full);
    expect(twice.ack(0, 0, 0).received(1, 512).broken()).toEqual(['ooo-completion-premature']);
  });

  it('wait for earlier messages', () => {
    const trace = (): OooTrace =>
      qp().recv(64, 1024).recv(64, 2048).to('SEND_ONLY', 1, { recv: 1 }, tail).ack(-1, 0, 1, true);
    expect(trace().received(2, 8).broken()).toEqual(['ooo-completion-premature']);
    const both = (): OooTrace => trace().to('SEND_ONLY', 0, { recv: 0 }, tail).ack(1, 2, 0);
    expect(both().received(1, 8).received(2, 8).settle().broken()).toEqual([]);
    expect(both().received(2, 8).broken()).toEqual(['ooo-completion-order']);
    expect(both().received(1, 8).settle().broken()).toEqual(['ooo-completion-owed']);
  });

  it('tell length and immediate data of their own message', () => {
    const trace = (wc: object): string[] =>
      qp()
        .recv(64)
        .to(
          'RDMA_WRITE_LAST_WITH_IMMEDIATE',
          1,
          { recv: 0, offset: mtu },
          { ...tail, ...reth(264), immediate: 7 },
        )
        .ack(-1, 0, 1, true)
        .to('RDMA_WRITE_FIRST', 0, { ...full, ...reth(264) })
        .ack(1, 1, 0)
        .done(1, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_RECV_RDMA_WITH_IMM', byte_len: 264, imm_data: 7, ...wc })
        .settle()
        .broken();
    expect(trace({})).toEqual([]);
    expect(trace({ byte_len: 8 })).toEqual(['ooo-completion-length']);
    expect(trace({ imm_data: 8 })).toEqual(['ooo-completion-immediate']);
  });

  it('do not come for a WRITE, or for nothing', () => {
    const write = { ...tail, ...reth(8), ackReq: true };
    const trace = qp().recv(64).to('RDMA_WRITE_ONLY', 0, write).ack(0, 1, 0).received(1, 8);
    expect(trace.broken()).toEqual(['ooo-completion-undue']);
  });

  it('count from an SRQ', () => {
    const trace = qp({ srq: true })
      .recv(64, 1024)
      .to('SEND_ONLY', 0, { recv: 0 }, tail)
      .received(1, 8)
      .settle();
    expect(trace.broken()).toEqual([]);
  });
});

describe('READ and ATOMIC', () => {
  const read = { reth: { va: region.addr, rkey: region.rkey, dmaLen: 8 } };
  const write = { payload: bytes(8, 5), ...reth(8) };
  const early = (): OooTrace => qp().to('RDMA_READ_REQUEST', 1, { read: 0 }, read).ack(-1, 0, 1, true);
  const response = (msn: number, value: number) => ({ ...answer(msn), payload: bytes(8, value) });

  it('wait for everything before them', () => {
    const trace = (value: number, msn = 2): OooTrace =>
      early()
        .to('RDMA_WRITE_ONLY', 0, write)
        .ack(1, 2, 0)
        .from('RDMA_READ_RESPONSE_ONLY', 1, { read: 0 }, response(msn, value))
        .settle();
    expect(trace(5).broken()).toEqual([]);
    expect(trace(0).broken()).toEqual(['ooo-answer-data']);
    expect(trace(5, 1).broken()).toEqual(['ooo-answer-msn']);
    const hasty = early().from('RDMA_READ_RESPONSE_ONLY', 1, { read: 0 }, response(1, 0));
    expect(hasty.broken()).toEqual(['ooo-answer-waiting']);
    const silent = early().to('RDMA_WRITE_ONLY', 0, write).ack(1, 2, 0).settle();
    expect(silent.broken()).toEqual(['ooo-turn-read']);
  });

  it('are answered in order, with their number', () => {
    const two = (): OooTrace =>
      qp().to('RDMA_READ_REQUEST', 0, { read: 0 }, read).to('RDMA_READ_REQUEST', 1, { read: 1 }, read);
    const first = (trace: OooTrace, number = 0): OooTrace =>
      trace.from('RDMA_READ_RESPONSE_ONLY', 0, { read: number }, response(1, 0));
    const second = (trace: OooTrace): OooTrace =>
      trace.from('RDMA_READ_RESPONSE_ONLY', 1, { read: 1 }, response(2, 0));
    expect(second(first(two())).settle().broken()).toEqual([]);
    expect(second(two()).broken()).toEqual(['ooo-answer-in-order']);
    expect(first(two(), 1).broken()).toEqual(['ooo-answer-numbered']);
    expect(first(qp()).broken()).toEqual(['ooo-answer-unasked']);
  });

  it('are executed once, and an ATOMIC answered as at first', () => {
    const add = (trace: OooTrace): OooTrace => trace.to('FETCH_ADD', 0, { read: 0 }, fetchAdd(3n));
    const reply = (trace: OooTrace, value: bigint): OooTrace =>
      trace.from('ATOMIC_ACKNOWLEDGE', 0, { read: 0 }, { ...answer(1), atomicOriginal: value });
    const once = reply(add(qp()), 0n);
    const word = (value: number): Uint8Array => Uint8Array.of(value, 0, 0, 0, 0, 0, 0, 0);
    const again = (value: bigint, left: number): OooTrace =>
      reply(add(reply(add(qp()), 0n)), value)
        .settle()
        .memory(0, word(left));
    expect(once.settle().memory(0, word(3)).broken()).toEqual([]);
    expect(again(0n, 3).broken()).toEqual([]);
    expect(again(3n, 3).broken()).toEqual(['ooo-duplicate-atomic']);
    expect(again(0n, 6).broken()).toEqual(['ooo-memory-repeated']);
    expect(reply(add(qp()), 1n).broken()).toEqual(['ooo-answer-data']);
  });

  it('are acknowledged again while they wait, and answered again when executed', () => {
    const trace = early().to('RDMA_READ_REQUEST', 1, { read: 0 }, read);
    expect(trace.settle().broken()).toEqual(['ooo-ack-kept-again']);
    const answered = qp().to('RDMA_READ_REQUEST', 0, { read: 0 }, read);
    answered
      .from('RDMA_READ_RESPONSE_ONLY', 0, { read: 0 }, response(1, 0))
      .to('RDMA_READ_REQUEST', 0, { read: 0 }, read);
    expect(answered.settle().broken()).toEqual(['ooo-duplicate-read']);
  });

  it('may be answered again or not, when newer ones have taken the place of what is remembered', () => {
    const ask = (trace: OooTrace, at: number): OooTrace =>
      trace.to('RDMA_READ_REQUEST', at, { read: at }, read);
    const reply = (trace: OooTrace, at: number, msn: number): OooTrace =>
      trace.from('RDMA_READ_RESPONSE_ONLY', at, { read: at }, response(msn, 0));
    const one = reply(ask(qp({ attr: { max_dest_rd_atomic: 1 } }), 0), 0, 1);
    const trace = ask(reply(ask(one, 1), 1, 2), 0).settle();
    expect(trace.broken()).toEqual([]);
    expect(reply(ask(trace, 0), 0, 2).settle().broken()).toEqual([]);
    expect(reply(trace, 0, 2).broken()).toEqual(['ooo-answer-unasked']);
  });

  it('are dropped beyond the slots', () => {
    const far = (): OooTrace => qp().to('RDMA_READ_REQUEST', 3, { read: 2 }, read);
    expect(far().settle().broken()).toEqual([]);
    expect(far().ack(-1, 0, 3, true).broken()).toEqual(['ooo-early-without-slot']);
  });
});

describe('Acknowledges', () => {
  it('tell the first missing packet, whole messages, and what came early', () => {
    const trace = (): OooTrace => qp().recv(1024).to('SEND_LAST', 1, { recv: 0, offset: mtu }, tail);
    expect(trace().ack(1, 0, 1, true).broken()).toEqual(['ooo-ack-cumulative']);
    expect(trace().ack(-1, 1, 1, true).broken()).toEqual(['ooo-response-msn']);
    expect(trace().ack(-1, 0, 2, true).broken()).toEqual(['ooo-ack-names-early']);
    expect(trace().settle().broken()).toEqual(['ooo-ack-early']);
    expect(trace().ack(-1, 0, 5).broken()).toEqual(['ooo-ack-names-cause']);
    expect(lastFirst().to('SEND_FIRST', 0, { recv: 0 }, full).received(1, 264).settle().broken()).toEqual([
      'ooo-ack-filling',
    ]);
  });

  it('come when asked for, and again for what has come', () => {
    const asked = qp().to('RDMA_WRITE_ONLY', 0, { ...tail, ...reth(8), ackReq: true });
    expect(asked.settle().broken()).toEqual(['ooo-ack-asked']);
    const unasked = (): OooTrace => qp().to('RDMA_WRITE_ONLY', 0, { ...tail, ...reth(8) });
    expect(unasked().settle().broken()).toEqual([]);
    expect(
      unasked()
        .to('RDMA_WRITE_ONLY', 0, { ...tail, ...reth(8) })
        .settle()
        .broken(),
    ).toEqual(['ooo-ack-again']);
  });

  it('have a sound header and the right addressee', () => {
    const asked = (): OooTrace => qp().to('RDMA_WRITE_ONLY', 0, { ...tail, ...reth(8), ackReq: true });
    const ack = { ...answer(1), saeth: { flags: 0, trigger: 0xfffffe } };
    expect(
      asked()
        .from('ACKNOWLEDGE', 0, { ...ack, icrcXor: 1 })
        .broken(),
    ).toEqual(['ooo-response-header']);
    expect(
      asked()
        .from('ACKNOWLEDGE', 0, { ...ack, destQp: 9 })
        .broken(),
    ).toEqual(['ooo-response-addressee']);
  });

  it('never ask for a sequence to be repeated', () => {
    expect(lastFirst().ack(0, 0, 1, false, 0x60).broken()).toEqual(['ooo-no-sequence-nak']);
  });

  it('refuse a SEND without a receive WQE only when its turn has come', () => {
    const next = (): OooTrace => qp().to('SEND_ONLY', 0, { recv: 0 }, tail);
    expect(next().ack(0, 0, 0, false, 0x21).settle().broken()).toEqual([]);
    expect(next().ack(1, 0, 0, false, 0x21).broken()).toEqual(['ooo-nak-called-for']);
    expect(next().settle().broken()).toEqual(['ooo-next-without-receive']);
    const early = (): OooTrace => qp().to('SEND_ONLY', 1, { recv: 0 }, tail);
    expect(early().settle().broken()).toEqual([]);
    expect(early().ack(1, 0, 1, false, 0x21).broken()).toEqual(['ooo-early-without-receive']);
  });

  it('do not come for what is dropped', () => {
    const beyond = (): OooTrace => qp().to('RDMA_WRITE_ONLY', 8, { ...tail, ...reth(8) });
    expect(beyond().settle().broken()).toEqual([]);
    expect(beyond().ack(-1, 0, 8, true).broken()).toEqual(['ooo-arrival-beyond']);
    const damaged = qp().to('RDMA_WRITE_ONLY', 0, { ...tail, ...reth(8), ackReq: true, icrcXor: 1 });
    expect(damaged.ack(0, 1, 0).broken()).toEqual(['ooo-discard']);
  });
});

/** Packets of three messages: a WRITE of two, a SEND of three, a WRITE with immediate of two. */
const packets = [
  { operation: 'RDMA_WRITE_FIRST', ooo: {}, fields: { payload: bytes(mtu, 1), ...reth(512) } },
  { operation: 'RDMA_WRITE_LAST', ooo: { offset: mtu }, fields: { payload: bytes(mtu, 2), ...reth(512) } },
  { operation: 'SEND_FIRST', ooo: { recv: 0 }, fields: { payload: bytes(mtu, 3) } },
  { operation: 'SEND_MIDDLE', ooo: { recv: 0, offset: mtu }, fields: { payload: bytes(mtu, 4) } },
  { operation: 'SEND_LAST', ooo: { recv: 0, offset: 2 * mtu }, fields: { payload: bytes(8, 5) } },
  { operation: 'RDMA_WRITE_FIRST', ooo: {}, fields: { payload: bytes(mtu, 6), ...reth(264, 1024) } },
  {
    operation: 'RDMA_WRITE_LAST_WITH_IMMEDIATE',
    ooo: { recv: 1, offset: mtu },
    fields: { payload: bytes(8, 7), ...reth(264, 1024), immediate: 9 },
  },
];
const lasts = new Set([1, 4, 6]);

/** What a sound device does with the packets in this order; with duplicates and without some. */
function soundly(order: readonly number[]): OooTrace {
  const trace = qp().recv(1024, 4096).recv(64, 6000);
  const arrived = new Set<number>();
  let next = 0;
  let msn = 0;
  for (const index of order) {
    const { operation, ooo, fields } = packets[index] ?? packets[0]!;
    trace.to(operation, index, ooo, { ...fields, ackReq: true });
    const again = arrived.has(index);
    arrived.add(index);
    while (arrived.has(next)) {
      if (lasts.has(next)) msn++;
      if (next === 4) trace.received(1, 520);
      if (next === 6)
        trace.done(2, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_RECV_RDMA_WITH_IMM', byte_len: 264, imm_data: 9 });
      next++;
    }
    trace.ack(next - 1, msn, index, index >= next && !again);
  }
  trace.settle();
  for (const [index, { fields }] of packets.entries()) {
    const at = [0, mtu, 4096, 4096 + mtu, 4096 + 2 * mtu, 1024, 1024 + mtu][index] ?? 0;
    trace.memory(at, arrived.has(index) ? fields.payload : bytes(fields.payload.length, 0));
  }
  return trace;
}

describe('any order, with losses and duplicates', () => {
  const orders = fc.array(fc.nat(packets.length - 1), { minLength: 1, maxLength: 20 });

  it('is received as if in order', () => {
    fc.assert(
      fc.property(orders, (order) => {
        expect(soundly(order).broken()).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('is not, if one byte that came is another', () => {
    fc.assert(
      fc.property(orders, fc.nat(), (order, pick) => {
        const trace = soundly(order);
        const shown = trace.events.filter((event) => event.kind === 'memory');
        const event = shown[pick % shown.length];
        if (event) event.bytes = Uint8Array.from(event.bytes, (byte, i) => (i === 3 ? byte ^ 0x80 : byte));
        const [rule = ''] = trace.broken();
        expect(rule).toMatch(/^ooo-memory-/);
      }),
      { numRuns: 100 },
    );
  });

  it('is not, if one response is left out or said twice with another MSN', () => {
    fc.assert(
      fc.property(orders, fc.nat(), (order, pick) => {
        const trace = soundly(order);
        const sent = trace.events.filter(
          (event) => event.kind === 'packet' && event.direction === 'from-dut',
        );
        const last = sent[pick % sent.length];
        if (last?.kind !== 'packet') return;
        const fields = last.packet.fields();
        const wrong = qp().from('ACKNOWLEDGE', 0, { ...fields, aeth: { syndrome: 0x1f, msn: 6 } });
        const event = wrong.events.at(-1);
        if (event?.kind === 'packet') last.packet = event.packet;
        expect(trace.broken().length).toBeGreaterThan(0);
      }),
      { numRuns: 100 },
    );
  });
});
