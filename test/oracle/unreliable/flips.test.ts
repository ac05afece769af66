import { describe, expect, it } from 'vitest';
import { flips } from '../../../oracle/compile/table/flips.ts';
import { withOutcomes } from '../../../oracle/compile/variant.ts';
import type { RuleSet } from '../../../oracle/index.ts';
import { bytes, mtu, reth } from '../trace/packets.ts';
import { rules, type Trace } from '../trace/trace.ts';
import { uc, ud } from './setup.ts';

const some = { payload: bytes(8) };
const full = { payload: bytes(mtu) };

/** What a sound device does; every rule of UC and UD that demands something of it decides here. */
function soundTraces(): Trace[] {
  const own = uc().recv(1024, 1024).recv(1024, 2048).recv(8, 3072).recv(1024, 4096);
  // dropped
  own.to('SEND_ONLY', 0, { ...some, icrcXor: 1 }).to('SEND_ONLY', 0, { ...some, destQp: 0x99 });
  own.to('SEND_ONLY', 0, { ...some, tver: 1 }).to('SEND_ONLY', 0, { ...some, opcode: 4 });
  own.to('SEND_ONLY', 0, { ...some, srcIp: '10.0.0.9' }).to('SEND_ONLY', 0, { ...some, pkey: 0x8001 });
  own.settle();
  // received, lost and received again
  own.to('SEND_FIRST', 0, full).to('SEND_MIDDLE', 1, full).to('SEND_LAST', 2, some).received(1, 520).settle();
  own.to('SEND_FIRST', 3, full).to('SEND_LAST', 5, some).to('SEND_LAST', 6, some);
  own.to('SEND_ONLY', 9, some).received(2, 8).settle();
  own.to('SEND_FIRST', 10, full).to('RDMA_WRITE_LAST', 11, some).settle();
  own.to('RDMA_WRITE_ONLY_WITH_IMMEDIATE', 12, { ...some, ...reth(8), immediate: 3 });
  own.received(3, 8, { opcode: 'IBV_WC_RECV_RDMA_WITH_IMM', imm_data: 3 }).settle();
  own
    .to('RDMA_WRITE_FIRST', 13, { ...full, ...reth(264) })
    .to('RDMA_WRITE_LAST', 14, some)
    .settle();
  own.to('SEND_FIRST', 15, full).to('SEND_ONLY', 16, some).received(4, 8).settle();
  own.to('SEND_ONLY', 17, some).settle();
  own
    .to('RDMA_WRITE_ONLY', 18, { ...some, ...reth(8, 0, 1) })
    .to('RDMA_WRITE_ONLY', 19, { ...some, ...reth(9) });
  own.settle().recv(64, 6000).to('SEND_ONLY', 20, some).received(5, 8);
  own.settle().memory(0, bytes(264)).memory(2048, bytes(8)).memory(264, bytes(64, 0)).state('IBV_QPS_RTS');

  const disabled = uc({ access: [] }).to('RDMA_WRITE_ONLY', 0, {
    ...some,
    ...reth(8),
  });
  disabled.settle().memory(0, bytes(8, 0)).enter('ERR').to('SEND_ONLY', 1, some).settle();

  const abort = uc({ srq: true, capabilities: ['srq-abort'] })
    .recv(1024)
    .recv(1024);
  abort
    .to('SEND_FIRST', 0, full)
    .to('SEND_ONLY', 2, some)
    .done(1, 'IBV_WC_REM_ABORT_ERR')
    .received(2, 8)
    .settle();
  const shared = uc({ srq: true }).recv(1024).recv(8);
  shared.to('SEND_FIRST', 0, full).to('SEND_ONLY', 2, some).received(1, 8);
  shared.to('SEND_ONLY', 3, some).received(2, 8).settle();

  const faulty = (service: 'UC' | 'UD', srq: boolean): Trace => {
    const trace = (service === 'UC' ? uc : ud)({ srq }).recv(64, 0, { lkey: 1 }).recv(64);
    trace.to('SEND_ONLY', 0, some).done(1, 'IBV_WC_LOC_PROT_ERR');
    if (!srq) trace.done(2, 'IBV_WC_WR_FLUSH_ERR');
    return trace.to('SEND_ONLY', 1, some).settle();
  };
  const sqe = (service: 'UC' | 'UD'): Trace =>
    (service === 'UC' ? uc : ud)()
      .recv(64)
      .send({ sg_list: [{ addr: 0n, length: 4, lkey: 1 }] })
      .done(2, 'IBV_WC_LOC_PROT_ERR')
      .settle()
      .to('SEND_ONLY', 0, some)
      .received(1, service === 'UC' ? 8 : 48)
      .settle();

  const datagrams = ud().recv(64, 1024).recv(47, 2048);
  datagrams.to('SEND_ONLY', 0, { ...some, icrcXor: 1 }).to('SEND_ONLY', 0, { ...some, destQp: 0x99 });
  datagrams.to('SEND_ONLY', 0, { ...some, tver: 1 }).to('SEND_ONLY', 0, { ...some, opcode: 4 });
  datagrams
    .to('SEND_ONLY', 0, { ...some, deth: { qkey: 5, srcQp: 9 } })
    .to('SEND_ONLY', 0, { ...some, pkey: 0x8001 });
  datagrams.settle().to('SEND_ONLY', 0, some).received(1, 48).to('SEND_ONLY', 0, some).settle();
  datagrams
    .memory(1064, bytes(8))
    .to('SEND_ONLY', 5, { payload: bytes(7) })
    .received(2, 47);
  datagrams.to('SEND_ONLY', 5, some).settle();
  datagrams.enter('ERR').to('SEND_ONLY', 1, some).settle().memory(4096, bytes(64, 0));

  const zero = (length: number): { payload: Uint8Array } => ({ payload: bytes(length, 0) });
  const sends = uc().send({ length: 264 }).send({ opcode: 'IBV_WR_RDMA_WRITE', send_flags: [] });
  sends.from('SEND_FIRST', 0, zero(mtu)).from('SEND_LAST', 1, zero(8)).sent(1);
  sends.from('RDMA_WRITE_ONLY', 2, { ...zero(16), reth: { va: 0x4000n, rkey: 9, dmaLen: 16 } }).settle();
  const sendsTo = ud().send().from('SEND_ONLY', 0, zero(16)).sent(1).settle();
  const faults = [faulty('UC', false), faulty('UC', true), faulty('UD', false), faulty('UD', true)];
  return [own, disabled, abort, shared, datagrams, sends, sendsTo, sqe('UC'), sqe('UD'), ...faults];
}

const traces = soundTraces();

/** Whether rules find something wrong with a trace, or do not say what they must. */
function shows(trace: Trace, other: RuleSet): boolean {
  try {
    return trace.broken(other).length > 0;
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
}

describe('one word changed in the YAML', () => {
  it('none: what a sound device does breaks no rule', () => {
    expect(traces.map((trace) => trace.broken()).flat()).toEqual([]);
  });

  const every = flips(rules).filter(
    ({ rule }) => /^(uc|ud|unreliable)-/.test(rule) && !rule.includes('-effects-'),
  );
  // Of demands, only those are wrong for a sound device that forbid what it does, or ask for what it does not.
  const dropsDemand = (key: string, to: string): boolean => key.startsWith('must') && to === '';

  it.each([
    ['uc-drop-bad-icrc', 'reply'],
    ['uc-drop-transport-version', 'reply'],
    ['uc-drop-service-mismatch', 'reply'],
    ['uc-drop-foreign-source', 'reply'],
    ['uc-drop-pkey', 'reply'],
    ['uc-drop-state', 'reply'],
    ['ud-drop-bad-icrc', 'reply'],
    ['ud-drop-transport-version', 'reply'],
    ['ud-drop-service-mismatch', 'reply'],
    ['ud-drop-pkey', 'reply'],
    ['ud-drop-qkey', 'reply'],
    ['ud-drop-state', 'reply'],
    ['uc-message-lost-packet', 'message'],
    ['uc-send-part', 'receiveQueue'],
    ['uc-send-end', 'completion'],
    ['uc-write-part', 'payload'],
    ['uc-write-immediate', 'completion'],
    ['uc-receive-reused', 'qp'],
    ['uc-shared-receive-reused', 'qp'],
    ['uc-fault-unbound', 'qp'],
    ['unreliable-send-completes', 'mustCome'],
    ['uc-shared-receive-aborted', 'receiveStatus'],
    ['uc-fault-local-memory', 'receiveStatus'],
    ['uc-fault-local-memory', 'qp'],
    ['uc-fault-local-memory-shared', 'receiveStatus'],
    ['ud-received', 'grh'],
    ['ud-received', 'completion'],
    ['ud-received', 'receiveQueue'],
    ['ud-fault-local-memory', 'receiveStatus'],
    ['ud-fault-local-memory-shared', 'receiveStatus'],
    ['unreliable-sent-in-order', 'sends'],
  ])('%s with another %s is broken by a sound device', (rule, key) => {
    const tried = every.filter(
      (flip) => flip.rule === rule && flip.key === key && !dropsDemand(key, flip.to),
    );
    expect(tried).not.toEqual([]);
    const noticed = tried.filter((flip) => {
      const other = withOutcomes(rules, flip);
      return traces.some((trace) => shows(trace, other));
    });
    expect(noticed).not.toEqual([]);
  });
});
