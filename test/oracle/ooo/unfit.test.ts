import { describe, expect, it } from 'vitest';
import type { WcStatus } from '../../../spec/verbs.ts';
import { bytes, mtu, readable, region } from '../trace/packets.ts';
import { qp, type OooTrace } from './trace.ts';

const invalid = 0x61;
const access = 0x62;
const operational = 0x63;

describe('a SEND longer than its receive buffer', () => {
  const full = { payload: bytes(mtu, 1) };
  const tail = { payload: bytes(64, 2) };
  /** The buffer has room for 16 bytes of the second packet. */
  const begun = (): OooTrace =>
    qp()
      .recv(mtu + 16)
      .to('SEND_FIRST', 0, { recv: 0 }, full);
  const refused = (status: WcStatus, syndrome = invalid): string[] =>
    begun()
      .to('SEND_LAST', 1, { recv: 0, offset: mtu }, tail)
      .ack(1, 0, 1, false, syndrome)
      .done(1, status)
      .settle()
      .broken();

  it('is refused in its turn, and its WQE completes with a length error', () => {
    expect(refused('IBV_WC_LOC_LEN_ERR')).toEqual([]);
    expect(refused('IBV_WC_LOC_PROT_ERR')).toEqual(['ooo-send-too-long']);
    expect(refused('IBV_WC_LOC_LEN_ERR', operational)).toEqual(['ooo-send-too-long']);
    const silent = begun().to('SEND_LAST', 1, { recv: 0, offset: mtu }, tail).ack(1, 0, 1, false, invalid);
    expect(silent.settle().broken()).toEqual(['ooo-send-too-long']);
  });

  it('is not cut off', () => {
    const cut = begun()
      .to('SEND_LAST', 1, { recv: 0, offset: mtu }, { ...tail, ackReq: true })
      .ack(1, 1, 1);
    expect(cut.received(1, mtu + 16).broken()).toEqual(['ooo-send-too-long']);
  });

  it('is dropped as if lost when it comes early', () => {
    const early = (): OooTrace =>
      qp()
        .recv(mtu + 16)
        .to('SEND_LAST', 1, { recv: 0, offset: mtu }, tail);
    expect(early().settle().broken()).toEqual([]);
    expect(early().ack(-1, 0, 1, true).broken()).toEqual(['ooo-early-unfit']);
  });
});

describe('a SEND for a receive WQE with memory that may not be used', () => {
  const posted = (): OooTrace => {
    const sge = { addr: region.addr + 4096n, length: 64, lkey: 0x9999 };
    return qp().call({ call: 'post_recv', qp: 1, wr: { wr_id: 1, sg_list: [sge] } });
  };
  const payload = { payload: bytes(8, 2), ackReq: true };

  it('says nothing of the WQEs of an SRQ that are left after RESET', () => {
    const reset = qp({ srq: true })
      .recv(64, 1024, { lkey: 0xbad })
      .recv(64, 1024, { lkey: 0xbad })
      .to('SEND_ONLY', 0, { recv: 0 }, payload)
      .ack(0, 0, 0, false, operational)
      .done(1, 'IBV_WC_LOC_PROT_ERR')
      .settle()
      .restart(0)
      .to('SEND_ONLY', 0, { recv: 0 }, payload)
      .ack(0, 0, 0, false, operational)
      .done(2, 'IBV_WC_LOC_PROT_ERR')
      .settle();
    expect(reset.broken()).toContain('qp 0x000011: RESET of a QP on an SRQ');
    expect(reset.broken()).not.toContain('ooo-receive-buffer-faulty');
  });

  it('is refused in its turn, and the WQE completes in error', () => {
    const refused = (status: WcStatus): string[] =>
      posted()
        .to('SEND_ONLY', 0, { recv: 0 }, payload)
        .ack(0, 0, 0, false, operational)
        .done(1, status)
        .settle()
        .broken();
    expect(refused('IBV_WC_LOC_PROT_ERR')).toEqual([]);
    expect(refused('IBV_WC_LOC_LEN_ERR')).toEqual(['ooo-receive-buffer-faulty']);
    expect(posted().to('SEND_ONLY', 0, { recv: 0 }, payload).ack(0, 1, 0).broken()).toEqual([
      'ooo-receive-buffer-faulty',
    ]);
  });
});

describe('a request that the QP does not allow', () => {
  const atomic = { va: region.addr + 4n, rkey: region.rkey, swapOrAdd: 1n, compare: 0n };

  it('is refused in its turn by either of two NAKs', () => {
    const refused = (syndrome: number): string[] => {
      const trace = qp().modify({ qp_access_flags: ['IBV_ACCESS_LOCAL_WRITE'] });
      const target = { va: region.addr, rkey: region.rkey, dmaLen: 8 };
      trace.to('RDMA_WRITE_ONLY', 0, { payload: bytes(8, 1), reth: target });
      return trace.ack(0, 0, 0, false, syndrome).settle().memory(0, bytes(8, 0)).broken();
    };
    expect(refused(invalid)).toEqual([]);
    expect(refused(access)).toEqual([]);
    expect(refused(operational)).toEqual(['ooo-operation-disabled']);
  });

  it('such as a misaligned ATOMIC, is refused as invalid', () => {
    const refused = (syndrome: number): string[] =>
      qp()
        .to('FETCH_ADD', 0, { read: 0 }, { atomicEth: atomic })
        .ack(0, 0, 0, false, syndrome)
        .settle()
        .broken();
    expect(refused(invalid)).toEqual([]);
    expect(refused(access)).toEqual(['ooo-atomic-misaligned']);
  });

  it('and that is wrong in two ways at once, is not judged', () => {
    const both = { ...atomic, va: readable.addr + 4n, rkey: readable.rkey };
    const trace = qp().to('FETCH_ADD', 0, { read: 0 }, { atomicEth: both });
    expect(trace.settle().broken()).toEqual(['faults on out-of-order QPs other than those of access']);
  });
});

describe('a SEND with invalidate', () => {
  const target = { va: readable.addr, rkey: readable.rkey, dmaLen: 8 };
  const send = { payload: bytes(8, 2), ackReq: true, invalidateRkey: readable.rkey };
  const told = (invalidated_rkey: number | undefined): string[] =>
    qp()
      .recv(64)
      .to('SEND_ONLY_WITH_INVALIDATE', 0, { recv: 0 }, send)
      .ack(0, 1, 0)
      .received(1, 8, invalidated_rkey === undefined ? {} : { invalidated_rkey })
      .settle()
      .broken();

  it('tells the R_Key in its completion', () => {
    expect(told(readable.rkey)).toEqual([]);
    expect(told(undefined)).toEqual(['ooo-completion-invalidated']);
    expect(told(region.rkey)).toEqual(['ooo-completion-invalidated']);
  });

  it('leaves the R_Key valid until everything in front of it has arrived', () => {
    const early = (): OooTrace =>
      qp().recv(64).to('SEND_ONLY_WITH_INVALIDATE', 1, { recv: 0 }, send).ack(-1, 0, 1, true);
    const read = early().to('RDMA_READ_REQUEST', 0, { read: 0 }, { reth: target });
    const data = { payload: bytes(8, 0), aeth: { syndrome: 0x1f, msn: 1 } };
    read.from('RDMA_READ_RESPONSE_ONLY', 0, { read: 0 }, data).ack(1, 2, 0);
    expect(read.received(1, 8, { invalidated_rkey: readable.rkey }).settle().broken()).toEqual([]);
    const refused = early().to('RDMA_READ_REQUEST', 0, { read: 0 }, { reth: target });
    expect(refused.ack(0, 0, 0, false, access).broken()).toEqual(['ooo-nak-called-for']);
  });

  it('takes it away from then on', () => {
    const behind = (): OooTrace =>
      qp()
        .recv(64)
        .to('SEND_ONLY_WITH_INVALIDATE', 0, { recv: 0 }, send)
        .ack(0, 1, 0)
        .received(1, 8, { invalidated_rkey: readable.rkey })
        .to('RDMA_READ_REQUEST', 1, { read: 0 }, { reth: target });
    expect(behind().ack(1, 1, 1, false, access).settle().broken()).toEqual([]);
    expect(behind().settle().broken()).toEqual(['ooo-access-refused']);
  });
});

describe('RESET', () => {
  const far = { dest_qp_num: 0x22, max_dest_rd_atomic: 2, min_rnr_timer: 1 };
  const anew = (trace: OooTrace): OooTrace =>
    trace
      .modify({ qp_state: 'IBV_QPS_RESET' })
      .modify({ qp_state: 'IBV_QPS_INIT' })
      .recv(64)
      .modify({ qp_state: 'IBV_QPS_RTR', rq_psn: 0xfffffe, path_mtu: mtu, ...far })
      .modify({ qp_state: 'IBV_QPS_RTS', sq_psn: 0xfffffe, max_rd_atomic: 2 });
  /** Whether attributes fit the state is another matter. */
  const blamed = (trace: OooTrace): string[] =>
    trace
      .judge()
      .violations.map(({ rule }) => rule)
      .filter((rule) => rule.startsWith('ooo-'));
  const payload = { payload: bytes(8, 2), ackReq: true };
  const used = (): OooTrace =>
    anew(qp().recv(1024).to('SEND_LAST', 1, { recv: 0, offset: mtu }, payload).ack(-1, 0, 1, true).settle());

  it('forgets what had come, what was posted and all numbers', () => {
    const sound = used().to('SEND_ONLY', 0, { recv: 0 }, payload).ack(0, 1, 0).received(2, 8).settle();
    expect(blamed(sound)).toEqual([]);
    const remembered = used().to('SEND_ONLY', 0, { recv: 0 }, payload).ack(1, 1, 0);
    expect(blamed(remembered)).toEqual(['ooo-ack-cumulative']);
  });

  it('has what comes afterwards count as newer than all before', () => {
    const target = { va: region.addr, rkey: region.rkey, dmaLen: 8 };
    const trace = qp();
    for (const at of [0, 1])
      trace
        .to('RDMA_WRITE_ONLY', at, { payload: bytes(8, at + 1), reth: target, ackReq: true })
        .ack(at, at + 1, at);
    anew(trace.settle()).to('RDMA_WRITE_ONLY', 0, { payload: bytes(8, 5), reth: target, ackReq: true });
    trace.ack(0, 1, 0).settle();
    expect(blamed(trace.memory(0, bytes(8, 2)))).toEqual(['ooo-memory-whole']);
  });
});
