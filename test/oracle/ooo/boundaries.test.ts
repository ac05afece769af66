import { describe, expect, it } from 'vitest';
import { answer, bytes, counting, fetchAdd, mtu, region, reth } from '../trace/packets.ts';
import { far, qp, sends, sentOnce, zeros, type OooTrace } from './trace.ts';

const some = (value = 1): { payload: Uint8Array } => ({ payload: bytes(8, value) });
const full = (value = 1): { payload: Uint8Array } => ({ payload: bytes(mtu, value) });
const write = (at: number, offset: number, value = 1): [string, number, object] => [
  'RDMA_WRITE_ONLY',
  at,
  { ...some(value), ...reth(8, offset) },
];
const ends = (trace: OooTrace): string[] => trace.settle().broken();

describe('placement, at the borders', () => {
  it('of packets and of the message', () => {
    const written = (offset: number, value: number): string[] =>
      qp()
        .to('RDMA_WRITE_LAST', 2, { offset: 2 * mtu }, { ...some(3), ...reth(2 * mtu + 8) })
        .ack(-1, 0, 2, true)
        .to('RDMA_WRITE_MIDDLE', 1, { offset: mtu }, { ...full(2), ...reth(2 * mtu + 8) })
        .ack(-1, 0, 1, true)
        .to('RDMA_WRITE_FIRST', 0, { ...full(1), ...reth(2 * mtu + 8) })
        .ack(2, 1, 0)
        .settle()
        .memory(offset, bytes(1, value))
        .broken();
    expect(written(2 * mtu - 1, 2)).toEqual([]);
    expect(written(2 * mtu - 1, 3)).toEqual(['ooo-memory-whole']);
    expect(written(2 * mtu + 8, 0)).toEqual([]);
    expect(written(2 * mtu + 8, 3)).toEqual(['ooo-memory-unnamed']);
  });

  it('of the elements of a receive WQE', () => {
    const scattered = (offset: number, value: number): string[] => {
      const sge = (at: bigint, length: number) => ({ addr: region.addr + at, length, lkey: region.lkey });
      const wr = { wr_id: 1, sg_list: [sge(1024n, mtu + 4), sge(4096n, mtu)] };
      return qp()
        .call({ call: 'post_recv', qp: 1, wr })
        .to('SEND_LAST', 1, { recv: 0, offset: mtu }, { payload: counting(8, 10) })
        .ack(-1, 0, 1, true)
        .to('SEND_FIRST', 0, { recv: 0 }, full())
        .ack(1, 1, 0)
        .received(1, mtu + 8)
        .settle()
        .memory(offset, bytes(1, value))
        .broken();
    };
    expect(scattered(1024 + mtu + 3, 13)).toEqual([]);
    expect(scattered(1024 + mtu + 3, 14)).toEqual(['ooo-memory-whole']);
    expect(scattered(4096, 14)).toEqual([]);
    expect(scattered(4096, 13)).toEqual(['ooo-memory-whole']);
    expect(scattered(1024 + mtu + 4, 14)).toEqual(['ooo-memory-unnamed']);
  });

  it('of the region, packet by packet, also for one that comes early', () => {
    const last = (over: number, early: boolean): OooTrace => {
      const place = reth(mtu + 8, region.length - mtu - 8 + over);
      const trace = early ? qp() : qp().to('RDMA_WRITE_FIRST', 0, { ...full(), ...place });
      return trace.to('RDMA_WRITE_LAST', 1, { offset: mtu }, { ...some(), ...place, ackReq: true });
    };
    expect(ends(last(0, false).ack(1, 1, 1))).toEqual([]);
    expect(ends(last(1, false).ack(1, 1, 1))).toEqual(['ooo-access-refused']);
    expect(ends(last(1, false).ack(1, 0, 1, false, 0x62))).toEqual([]);
    expect(ends(last(0, false).ack(1, 0, 1, false, 0x62))).toEqual(['ooo-nak-called-for']);
    expect(ends(last(0, true).ack(-1, 0, 1, true))).toEqual([]);
    expect(ends(last(1, true).ack(-1, 0, 1, true))).toEqual(['ooo-early-faulty']);
    expect(ends(last(1, true))).toEqual([]);
  });

  it('of the receive buffer', () => {
    const into = (room: number): OooTrace =>
      qp()
        .recv(room)
        .to('SEND_FIRST', 0, { recv: 0 }, full())
        .to('SEND_LAST', 1, { recv: 0, offset: mtu }, { ...some(), ackReq: true });
    const refused = (room: number): OooTrace => into(room).ack(1, 0, 1, false, 0x61);
    expect(
      ends(
        into(mtu + 8)
          .ack(1, 1, 1)
          .received(1, mtu + 8),
      ),
    ).toEqual([]);
    expect(ends(refused(mtu + 8).done(1, 'IBV_WC_LOC_LEN_ERR'))).toEqual(['ooo-nak-called-for']);
    expect(ends(refused(mtu + 7).done(1, 'IBV_WC_LOC_LEN_ERR'))).toEqual([]);
  });

  it('never of a copy, whatever it holds', () => {
    const twice = (value: number): string[] =>
      qp()
        .to(...write(1, 0, 1))
        .ack(-1, 0, 1, true)
        .to(...write(1, 0, 2))
        .ack(-1, 0, 1, true)
        .to(...write(0, 8))
        .ack(1, 2, 0)
        .settle()
        .memory(0, bytes(8, value))
        .broken();
    expect(twice(1)).toEqual([]);
    expect(twice(2)).toEqual(['ooo-memory-repeated']);
  });
});

describe('the window of the responder', () => {
  it('holds as many packets as the device says, and moves with the expected PSN', () => {
    const early = (at: number): OooTrace => qp({ profile: { window: 8 } }).to(...write(at, 0));
    expect(ends(early(7).ack(-1, 0, 7, true))).toEqual([]);
    expect(ends(early(7))).toEqual(['ooo-ack-early']);
    expect(ends(early(8))).toEqual([]);
    expect(ends(early(8).ack(-1, 0, 8, true))).toEqual(['ooo-arrival-beyond']);
    const moved = (at: number): string[] =>
      ends(
        qp({ profile: { window: 8 } })
          .to('RDMA_WRITE_ONLY', 0, { ...some(), ...reth(8), ackReq: true })
          .ack(0, 1, 0)
          .to(...write(at, 8))
          .ack(0, 1, at, true),
      );
    expect(moved(8)).toEqual([]);
    expect(moved(9)).toEqual(['ooo-arrival-beyond']);
  });

  it('ends a run of packets at the first that is missing, with as many messages', () => {
    const filled = (at: number, msn: number): string[] =>
      ends(
        qp()
          .to(...write(1, 0))
          .ack(-1, 0, 1, true)
          .to(...write(3, 8))
          .ack(-1, 0, 3, true)
          .to(...write(0, 16))
          .ack(at, msn, 0),
      );
    expect(filled(1, 2)).toEqual([]);
    expect(filled(3, 4)).toContain('ooo-ack-cumulative');
    expect(filled(1, 1)).toEqual(['ooo-response-msn']);
  });
});

describe('READs, ATOMICs and receives in their turn', () => {
  it('an ATOMIC adds to what a WRITE in front of it has left', () => {
    const word = (value: number): Uint8Array => Uint8Array.of(value, 0, 0, 0, 0, 0, 0, 0);
    const added = (original: bigint): string[] =>
      qp()
        .to('FETCH_ADD', 1, { read: 0 }, fetchAdd(1n))
        .ack(-1, 0, 1, true)
        .to('RDMA_WRITE_ONLY', 0, { payload: word(5), ...reth(8) })
        .ack(1, 2, 0)
        .from('ATOMIC_ACKNOWLEDGE', 1, { read: 0 }, { ...answer(2), atomicOriginal: original })
        .settle()
        .memory(0, word(6))
        .broken();
    expect(added(5n)).toEqual([]);
    expect(added(0n)).toEqual(['ooo-answer-data']);
  });

  it('a SEND of no bytes completes in its turn', () => {
    const waiting = (): OooTrace =>
      qp().recv(64, 1024).recv(64, 2048).to('SEND_ONLY', 1, { recv: 1 }).ack(-1, 0, 1, true);
    expect(ends(waiting().received(2, 0))).toEqual(['ooo-completion-premature']);
    const both = (): OooTrace =>
      waiting().to('SEND_ONLY', 0, { recv: 0 }, some()).ack(1, 2, 0).received(1, 8);
    expect(ends(both().received(2, 0))).toEqual([]);
    expect(ends(both())).toEqual(['ooo-completion-owed']);
  });

  it('an early SEND is kept once its receive WQE is posted, not before', () => {
    const early = (acknowledged: boolean): OooTrace => {
      const trace = qp().recv(64, 1024).to('SEND_ONLY', 1, { recv: 1 }, some());
      if (acknowledged) trace.ack(-1, 0, 1, true);
      trace.recv(64, 2048).settle().to('SEND_ONLY', 1, { recv: 1 }, some()).ack(-1, 0, 1, true);
      return trace.to('SEND_ONLY', 0, { recv: 0 }, some()).ack(1, 2, 0).received(1, 8).received(2, 8);
    };
    expect(ends(early(false))).toEqual([]);
    expect(ends(early(true))).toEqual(['ooo-early-without-receive']);
  });
});

describe('the requester', () => {
  it('has its cap count from the oldest packet that is not acknowledged, not from those selected', () => {
    const fifth = (selective: boolean): string[] => {
      const trace = qp({ profile: { cap: 4 } });
      for (let n = 0; n < 5; n++) trace.send();
      for (let n = 0; n < 4; n++) sentOnce(trace, n);
      if (selective) sentOnce(trace.acked(-1, 0, 1, true), 0);
      else trace.acked(0, 1).sent(1);
      return sentOnce(trace, 4).broken();
    };
    expect(fifth(false)).toEqual([]);
    expect(fifth(true)).toEqual(['ooo-window-full']);
  });

  it('starts its timer anew with what is new, and not with an old Acknowledge', () => {
    const behind = (ns: number, again: boolean): string[] => {
      const trace = again ? sends(3).acked(0, 1).sent(1).wait(30_000).acked(0, 1) : sends(3).wait(30_000);
      if (!again) trace.acked(0, 1).sent(1);
      return sentOnce(trace.wait(ns), 1).broken();
    };
    expect(behind(40_000, false)).toEqual([]);
    expect(behind(39_000, false)).toEqual(['ooo-timer-high-early']);
    expect(behind(10_000, true)).toEqual([]);
    expect(behind(9_900, true)).toEqual(['ooo-timer-high-early']);
  });

  it('holds a fenced request until the last response to a READ', () => {
    const fenced = (whole: boolean): string[] => {
      const part = (operation: string, offset: number, length: number): [string, number, object, object] => [
        operation,
        0,
        { read: 0, offset },
        { ...answer(1), payload: bytes(length, 0) },
      ];
      const trace = qp()
        .send({ opcode: 'IBV_WR_RDMA_READ', length: mtu + 8 })
        .from('RDMA_READ_REQUEST', 0, { read: 0 }, far(mtu + 8))
        .send({ send_flags: ['IBV_SEND_SIGNALED', 'IBV_SEND_FENCE'] })
        .to(...part('RDMA_READ_RESPONSE_FIRST', 0, mtu));
      if (whole) trace.to(...part('RDMA_READ_RESPONSE_LAST', mtu, 8));
      return trace.from('SEND_ONLY', 1, { recv: 0 }, zeros(16)).broken();
    };
    expect(fenced(true)).toEqual([]);
    expect(fenced(false)).toEqual(['ooo-fence-reads']);
  });

  it('counts a copy of a READ response for nothing', () => {
    const fetched = (copies: number): OooTrace => {
      const trace = qp()
        .send({ opcode: 'IBV_WR_RDMA_READ', length: mtu + 8 })
        .from('RDMA_READ_REQUEST', 0, { read: 0 }, far(mtu + 8));
      for (let n = 0; n < copies; n++)
        trace.to('RDMA_READ_RESPONSE_LAST', 0, { read: 0, offset: mtu }, { ...answer(1), ...some(2) });
      return trace;
    };
    const done = { opcode: 'IBV_WC_RDMA_READ', byte_len: mtu + 8 } as const;
    expect(ends(fetched(2))).toEqual([]);
    expect(ends(fetched(2).sent(1, done))).toEqual(['ooo-not-retired']);
    const first = fetched(1).to('RDMA_READ_RESPONSE_FIRST', 0, { read: 0 }, { ...answer(1), ...full() });
    expect(ends(first.sent(1, done))).toEqual([]);
  });

  it('completes what the PSN of a NAK acknowledges before what it refuses', () => {
    const refused = (trace: OooTrace): string[] =>
      ends(trace.done(2, 'IBV_WC_REM_ACCESS_ERR').done(3, 'IBV_WC_WR_FLUSH_ERR'));
    const nak = (): OooTrace => sends(3).acked(1, 1, 1, false, 0x62);
    expect(refused(nak().sent(1))).toEqual([]);
    expect(refused(nak().done(1, 'IBV_WC_REM_ACCESS_ERR'))).toContain('ooo-failed-unprompted');
  });
});
