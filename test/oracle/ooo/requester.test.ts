import { describe, expect, it } from 'vitest';
import type { PacketFields } from '../../../wire/packet.ts';
import { answer, bytes, mtu, region, type Ooo } from '../trace/packets.ts';
import { far, zeros, sends, sentOnce, qp, type OooTrace } from './trace.ts';

describe('numbers', () => {
  it('count receive WQEs and READs for themselves, and offsets from the start of the message', () => {
    const trace = qp({ profile: { cap: 8 } })
      .send({ length: 264 })
      .send({ opcode: 'IBV_WR_RDMA_WRITE', length: 264 })
      .send({
        opcode: 'IBV_WR_RDMA_READ',
        length: 8,
        sg_list: [{ addr: region.addr + 512n, length: 8, lkey: region.lkey }],
        remote_addr: 0x6000n,
      })
      .send({ opcode: 'IBV_WR_RDMA_WRITE_WITH_IMM', length: 264, imm_data: 3, remote_addr: 0x5000n })
      .from('SEND_FIRST', 0, { recv: 0 }, zeros(mtu))
      .from('SEND_LAST', 1, { recv: 0, offset: mtu }, zeros(8))
      .from('RDMA_WRITE_FIRST', 2, { ...zeros(mtu), ...far(264) })
      .from('RDMA_WRITE_LAST', 3, { offset: mtu }, { ...zeros(8), ...far(264) })
      .from('RDMA_READ_REQUEST', 4, { read: 0 }, { reth: { va: 0x6000n, rkey: 9, dmaLen: 8 } })
      .from('RDMA_WRITE_FIRST', 5, { ...zeros(mtu), reth: { va: 0x5000n, rkey: 9, dmaLen: 264 } })
      .from(
        'RDMA_WRITE_LAST_WITH_IMMEDIATE',
        6,
        { recv: 1, offset: mtu },
        { ...zeros(8), reth: { va: 0x5000n, rkey: 9, dmaLen: 264 }, immediate: 3 },
      )
      .to('RDMA_READ_RESPONSE_ONLY', 4, { read: 0 }, { ...answer(3), payload: bytes(8, 6) })
      .acked(6, 4)
      .sent(1)
      .sent(2, { opcode: 'IBV_WC_RDMA_WRITE' })
      .sent(3, { opcode: 'IBV_WC_RDMA_READ', byte_len: 8 })
      .sent(4, { opcode: 'IBV_WC_RDMA_WRITE' })
      .settle()
      .memory(512, bytes(8, 6));
    expect(trace.broken()).toEqual([]);
  });

  const send = (ooo: Ooo, fields: Partial<PacketFields> = {}): string[] =>
    qp()
      .send()
      .from('SEND_ONLY', 0, ooo, { ...zeros(16), ...fields })
      .broken();
  it('are demanded of every SEND', () => {
    expect(send({ recv: 0 })).toEqual([]);
    expect(send({ recv: 1 })).toEqual(['ooo-send-numbered']);
    expect(send({})).toEqual(['ooo-send-numbered']);
    expect(send({ recv: 0, read: 0 })).toEqual(['ooo-not-read-unnumbered']);
    expect(send({ recv: 0, offset: 8 })).toEqual(['ooo-request-offset']);
  });

  it('leave header, addressee, opcode and payload as they must be', () => {
    expect(send({ recv: 0 }, { icrcXor: 1 })).toEqual(['ooo-request-header']);
    expect(send({ recv: 0 }, { destQp: 9 })).toEqual(['ooo-request-addressee']);
    expect(send({ recv: 0 }, { payload: bytes(15, 0) })).toEqual(['ooo-request-length']);
    expect(send({ recv: 0 }, { payload: bytes(16, 1) })).toEqual(['ooo-request-payload']);
    expect(qp().send({ length: 264 }).from('SEND_ONLY', 0, { recv: 0 }, zeros(16)).broken()).toEqual([
      'ooo-request-opcode',
    ]);
  });

  it('stand beside a whole address in every WRITE packet', () => {
    const write = (ooo: Ooo, fields: Partial<PacketFields>): string[] =>
      qp()
        .send({ opcode: 'IBV_WR_RDMA_WRITE_WITH_IMM', length: 264, imm_data: 3 })
        .from('RDMA_WRITE_FIRST', 0, { ...zeros(mtu), ...far(264) })
        .from(
          'RDMA_WRITE_LAST_WITH_IMMEDIATE',
          1,
          { recv: 0, offset: mtu, ...ooo },
          { ...zeros(8), ...far(264), immediate: 3, ...fields },
        )
        .broken();
    expect(write({}, {})).toEqual([]);
    expect(write({}, { reth: { va: 0x4100n, rkey: 9, dmaLen: 8 } })).toEqual(['ooo-write-addressed']);
    expect(write({}, { immediate: 4 })).toEqual(['ooo-request-immediate']);
    expect(write({ recv: 1 }, {})).toEqual(['ooo-write-immediate-numbered']);
    const plain = qp().send({ opcode: 'IBV_WR_RDMA_WRITE', length: 8 });
    expect(plain.from('RDMA_WRITE_ONLY', 0, { recv: 0 }, { ...zeros(8), ...far(8) }).broken()).toEqual([
      'ooo-others-unnumbered',
    ]);
  });

  it('of READs are their own', () => {
    const read = (number: number, dmaLen = 8): string[] =>
      qp()
        .send({ opcode: 'IBV_WR_RDMA_READ', length: 8 })
        .from('RDMA_READ_REQUEST', 0, { read: number }, far(dmaLen))
        .broken();
    expect(read(0)).toEqual([]);
    expect(read(1)).toEqual(['ooo-read-numbered']);
    expect(read(0, 4)).toEqual(['ooo-read-addressed']);
  });
});

describe('recovery', () => {
  it('sends again what a selective Acknowledge shows to be lost, once, and nothing else', () => {
    const lost = (): OooTrace => sends(3).acked(-1, 0, 1, true);
    expect(sentOnce(lost(), 0).broken()).toEqual([]);
    expect(sentOnce(lost(), 1).broken()).toEqual(['ooo-resent-settled']);
    expect(sentOnce(lost(), 2).broken()).toEqual(['ooo-resent-unprompted']);
    expect(sentOnce(sentOnce(lost(), 0), 0).broken()).toEqual(['ooo-resent-unprompted']);
    expect(lost().settle().broken()).toEqual(['ooo-resend-owed']);
    expect(sentOnce(sends(1), 0).broken()).toEqual(['ooo-timer-low-early']);
    expect(sentOnce(sends(2).acked(0, 1), 0).broken()).toEqual(['ooo-resent-settled']);
  });

  it('waits for the low timeout with few packets in flight, for the high one with more', () => {
    expect(sentOnce(sends(1).wait(9_000), 0).broken()).toEqual(['ooo-timer-low-early']);
    expect(sentOnce(sends(1).wait(10_000), 0).broken()).toEqual([]);
    expect(sentOnce(sends(2).wait(10_000), 0).broken()).toEqual(['ooo-timer-high-early']);
    expect(sentOnce(sends(2).wait(40_000), 0).broken()).toEqual([]);
    expect(sends(1).settle(41_000).broken()).toEqual(['ooo-timer-low-overdue']);
    expect(sends(2).settle(41_000).broken()).toEqual([]);
    expect(sends(2).settle(161_000).broken()).toEqual(['ooo-timer-high-overdue']);
    expect(sentOnce(sends(1, { attr: { timeout: 0 } }).wait(99_000), 0).broken()).toEqual([
      'ooo-timer-disabled',
    ]);
  });

  it('asks again, after the timeout, when all is acknowledged but the last Acknowledge is lost', () => {
    const all = (): OooTrace => sends(2).acked(-1, 0, 0, true).acked(-1, 0, 1, true);
    expect(sentOnce(all().wait(10_000), 1).broken()).toEqual([]);
    expect(sentOnce(all().wait(9_000), 1).broken()).toEqual(['ooo-resent-settled']);
  });

  it('is its own affair on a device without IRN, but for RNR NAKs and refusals', () => {
    const own = (): OooTrace => sends(3, { capabilities: ['ooo'] });
    const again = (trace: OooTrace, ...psns: number[]): string[] =>
      psns.reduce((sent, psn) => sentOnce(sent, psn), trace).broken();
    expect(again(own(), 2, 0, 1, 2)).toEqual([]);
    expect(again(own().acked(0, 1).acked(0, 1, 2, true), 0, 2, 1)).toEqual([]);
    expect(again(own().acked(0, 0, 0, false, 0x21), 0)).toEqual(['ooo-resent-too-soon']);
    expect(again(own().acked(0, 0, 0, false, 0x21).wait(10_000), 0)).toEqual([]);
    expect(own().settle().wait(1e9).settle().broken()).toEqual([]);
    expect(own().done(1, 'IBV_WC_RETRY_EXC_ERR').settle().broken()).toEqual([]);
    expect(own().done(1, 'IBV_WC_REM_ACCESS_ERR').broken()).toEqual(['ooo-failed-unprompted']);
    expect(own().done(2, 'IBV_WC_RETRY_EXC_ERR').broken()).toEqual(['ooo-failed-unprompted']);
    expect(own().acked(0, 1).settle().broken()).toEqual(['ooo-retired-completes']);
  });

  it('waits as long as an RNR NAK asks for', () => {
    const refused = (): OooTrace => sends(2).acked(0, 0, 0, false, 0x21);
    expect(sentOnce(sentOnce(refused().wait(10_000), 0), 1).broken()).toEqual([]);
    expect(sentOnce(refused(), 0).broken()).toEqual(['ooo-resent-too-soon']);
  });

  it('sends no more than the cap, leaves nothing out and sends nothing unasked', () => {
    expect(sends(4).broken()).toEqual([]);
    expect(sends(5).broken()).toEqual(['ooo-window-full']);
    expect(qp().send().send().from('SEND_ONLY', 1, { recv: 1 }, zeros(16)).broken()).toEqual([
      'ooo-sent-without-gap',
    ]);
    expect(qp().from('SEND_ONLY', 0, { recv: 0 }, zeros(16)).broken()).toEqual(['ooo-sent-unposted']);
    expect(qp().send().settle().broken()).toEqual(['ooo-send-owed']);
  });
});

/** Three READs of 8 bytes at these places, of which the first two are sent; those of `answered` have their data. */
function threeReads(max_rd_atomic: number, places: readonly bigint[], answered: readonly number[]): string[] {
  const trace = qp({ attr: { max_rd_atomic } });
  for (const remote_addr of places) trace.send({ opcode: 'IBV_WR_RDMA_READ', length: 8, remote_addr });
  for (const [at, va] of places.slice(0, 2).entries())
    trace.from('RDMA_READ_REQUEST', at, { read: at }, { reth: { va, rkey: 9, dmaLen: 8 } });
  for (const at of answered)
    trace.to('RDMA_READ_RESPONSE_ONLY', at, { read: at }, { ...answer(2), payload: bytes(8, 0) });
  if (answered.includes(0)) for (const at of answered) trace.done(at + 1);
  return trace.settle().broken();
}

describe('READs under way', () => {
  const three = (...answered: number[]): string[] => threeReads(2, [0x9000n, 0x9010n, 0x9020n], answered);

  it('count from the oldest one on that is not answered', () => {
    expect(three()).toEqual([]);
    expect(three(1)).toEqual([]);
    expect(three(0)).toEqual(['ooo-send-owed']);
  });
});

describe('fences', () => {
  it('may hold back a READ behind another one of the same memory, but not one of other memory', () => {
    const second = (remote_addr: bigint): string[] =>
      read(qp()).send({ opcode: 'IBV_WR_RDMA_READ', length: 8, remote_addr }).settle().broken();
    expect(second(0x9004n)).toEqual([]);
    expect(second(0x9008n)).toEqual(['ooo-send-owed']);
  });

  it('may hold back a READ behind one of the same memory that is done, while one in front of that is not', () => {
    const third = (...answered: number[]): string[] => threeReads(4, [0x9000n, 0x9010n, 0x9010n], answered);
    expect(third()).toEqual([]);
    expect(third(1)).toEqual([]);
    expect(third(0, 1)).toEqual(['ooo-send-owed']);
  });

  const read = (trace: OooTrace): OooTrace =>
    trace
      .send({ opcode: 'IBV_WR_RDMA_READ', length: 8, remote_addr: 0x9000n })
      .from('RDMA_READ_REQUEST', 0, { read: 0 }, { reth: { va: 0x9000n, rkey: 9, dmaLen: 8 } });
  const answered = (trace: OooTrace): OooTrace =>
    trace.to('RDMA_READ_RESPONSE_ONLY', 0, { read: 0 }, { ...answer(1), payload: bytes(8, 0) });
  const flags = { send_flags: ['IBV_SEND_SIGNALED' as const, 'IBV_SEND_FENCE' as const] };

  it('wait for READs', () => {
    const send = (trace: OooTrace): OooTrace =>
      trace.send(flags).from('SEND_ONLY', 1, { recv: 0 }, zeros(16));
    expect(send(read(qp())).broken()).toEqual(['ooo-fence-reads']);
    expect(send(answered(read(qp()))).broken()).toEqual([]);
    expect(read(qp()).send(flags).settle().broken()).toEqual([]);
  });

  it('wait for everything on a device that declares it', () => {
    const two = (fencesAll: boolean): string[] =>
      qp({ profile: { fencesAll } })
        .send()
        .from('SEND_ONLY', 0, { recv: 0 }, zeros(16))
        .send(flags)
        .from('SEND_ONLY', 1, { recv: 1 }, zeros(16))
        .broken();
    expect(two(false)).toEqual([]);
    expect(two(true)).toEqual(['ooo-fence-all']);
  });

  it('are set by a device with indicators where remote memory overlaps', () => {
    const two = (remote_addr: bigint, fence: 'indicator' | 'application' = 'indicator'): string[] =>
      qp({ profile: { fence } })
        .send({ opcode: 'IBV_WR_RDMA_WRITE' })
        .from('RDMA_WRITE_ONLY', 0, { ...zeros(16), ...far(16) })
        .send({ opcode: 'IBV_WR_RDMA_WRITE', remote_addr })
        .from('RDMA_WRITE_ONLY', 1, { ...zeros(16), reth: { va: remote_addr, rkey: 9, dmaLen: 16 } })
        .broken();
    expect(two(0x400fn)).toEqual(['ooo-fence-indicated']);
    expect(two(0x4010n)).toEqual([]);
    expect(two(0x400fn, 'application')).toEqual([]);
  });
});

describe('send completions', () => {
  it('come when the MSN retires their work request, in order, and of a READ with its data', () => {
    expect(sends(2).acked(1, 2).sent(1).sent(2).settle().broken()).toEqual([]);
    expect(sends(2).acked(-1, 0, 1, true).sent(2).broken()).toEqual(['ooo-not-retired']);
    expect(sends(2).acked(1, 2).sent(2).broken()).toEqual(['ooo-retired-in-order']);
    expect(sends(1).acked(0, 1).settle().broken()).toEqual(['ooo-retired-completes']);
    expect(sends(1).acked(0, 1).sent(1, { opcode: 'IBV_WC_RDMA_WRITE' }).broken()).toEqual([
      'ooo-retired-opcode',
    ]);
    const quiet = qp().send({ send_flags: [] }).from('SEND_ONLY', 0, { recv: 0 }, zeros(16)).acked(0, 1);
    expect(quiet.sent(1).broken()).toEqual(['ooo-retired-quietly']);
    const read = qp()
      .send({ opcode: 'IBV_WR_RDMA_READ', length: 8 })
      .from('RDMA_READ_REQUEST', 0, { read: 0 }, far(8));
    expect(read.acked(0, 1).sent(1, { opcode: 'IBV_WC_RDMA_READ' }).broken()).toEqual(['ooo-not-retired']);
  });

  it('take no notice of older MSNs', () => {
    expect(sends(2).acked(1, 2).acked(0, 1).sent(1).sent(2).settle().broken()).toEqual([]);
  });

  it('of a READ leave in memory what came first for each byte', () => {
    const response =
      (offset: number, operation: string, value: number) =>
      (trace: OooTrace): OooTrace =>
        trace.to(
          `RDMA_READ_RESPONSE_${operation}`,
          0,
          { read: 0, offset },
          { ...answer(1), payload: bytes(offset === 0 ? mtu : 8, value) },
        );
    const last = response(mtu, 'LAST', 2);
    const first = response(0, 'FIRST', 1);
    const read = qp()
      .send({ opcode: 'IBV_WR_RDMA_READ', length: 264 })
      .from('RDMA_READ_REQUEST', 0, { read: 0 }, far(264));
    const done = first(response(mtu, 'LAST', 7)(last(read))).sent(1, {
      opcode: 'IBV_WC_RDMA_READ',
      byte_len: 264,
    });
    done.settle().memory(0, bytes(mtu, 1)).memory(mtu, bytes(8, 2));
    expect(done.broken()).toEqual([]);
    expect(done.memory(mtu, bytes(8, 7)).broken()).toEqual(['ooo-memory-fetched']);
  });
});

describe('a send queue that is to drain', () => {
  const draining = (): OooTrace => sends(2).settle().enter('SQD', { en_sqd_async_notify: true });
  const all = (trace: OooTrace): string[] => trace.judge().violations.map(({ rule }) => rule);

  it('has not while requests are unanswered', () => {
    expect(all(draining().event('IBV_EVENT_SQ_DRAINED').settle())).toEqual(['drained-too-early']);
    const done = draining().acked(1, 2).sent(1).sent(2);
    expect(all(done.event('IBV_EVENT_SQ_DRAINED').settle())).toEqual([]);
    const answered = sends(2)
      .acked(1, 2)
      .sent(1)
      .sent(2)
      .settle()
      .enter('SQD', { en_sqd_async_notify: true });
    expect(all(answered.event('IBV_EVENT_SQ_DRAINED').settle())).toEqual([]);
  });
});
