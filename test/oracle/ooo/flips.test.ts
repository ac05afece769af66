import { describe, expect, it } from 'vitest';
import { flips } from '../../../oracle/compile/table/flips.ts';
import { withOutcomes } from '../../../oracle/compile/variant.ts';
import { answer, bytes, fetchAdd, mtu, readable, region, reth } from '../trace/packets.ts';
import { rules } from '../trace/trace.ts';
import { far, zeros, qp, type OooTrace, type Options } from './trace.ts';

const full = { payload: bytes(mtu, 1) };
const tail = { payload: bytes(8, 2) };
const write = { ...tail, ...reth(8), ackReq: true };
const read = { reth: { va: region.addr, rkey: region.rkey, dmaLen: 8 } };

/** What a sound device does; every rule that demands something of it decides here. */
function soundTraces(): OooTrace[] {
  const lastFirst = qp()
    .recv(1024)
    .to('SEND_LAST', 1, { recv: 0, offset: mtu }, tail)
    .ack(-1, 0, 1, true)
    .settle();
  lastFirst.to('SEND_LAST', 1, { recv: 0, offset: mtu }, tail).ack(-1, 0, 1).settle();
  lastFirst.memory(4096, bytes(mtu, 0)).memory(4096 + mtu, bytes(8, 2));
  const filled = qp().recv(1024).to('SEND_LAST', 1, { recv: 0, offset: mtu }, tail).ack(-1, 0, 1, true);
  filled.to('SEND_FIRST', 0, { recv: 0 }, full).ack(1, 1, 0).received(1, 264).settle();
  filled.memory(4096, bytes(mtu, 1)).memory(4096 + mtu, bytes(8, 2));
  const writes = qp().to('RDMA_WRITE_ONLY', 0, write).ack(0, 1, 0);
  writes
    .to('RDMA_WRITE_ONLY', 1, { ...write, payload: bytes(8, 7) })
    .ack(1, 2, 1)
    .settle();
  writes.to('RDMA_WRITE_ONLY', 0, write).ack(1, 2, 0).settle().memory(0, bytes(8, 7));
  const immediate = qp()
    .recv(64)
    .to('RDMA_WRITE_ONLY_WITH_IMMEDIATE', 0, { recv: 0 }, { ...write, immediate: 3 });
  immediate
    .ack(0, 1, 0)
    .done(1, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_RECV_RDMA_WITH_IMM', byte_len: 8, imm_data: 3 })
    .settle();
  const readEarly = qp().to('RDMA_READ_REQUEST', 1, { read: 0 }, read).ack(-1, 0, 1, true);
  readEarly.to('RDMA_WRITE_ONLY', 0, write).ack(1, 2, 0);
  const response = { ...answer(2), payload: bytes(8, 2) };
  readEarly.from('RDMA_READ_RESPONSE_ONLY', 1, { read: 0 }, response).settle();
  readEarly
    .to('RDMA_READ_REQUEST', 1, { read: 0 }, read)
    .from('RDMA_READ_RESPONSE_ONLY', 1, { read: 0 }, response)
    .settle();
  const atomic = qp().to('FETCH_ADD', 0, { read: 0 }, fetchAdd(3n));
  const original = { ...answer(1), atomicOriginal: 0n };
  atomic.from('ATOMIC_ACKNOWLEDGE', 0, { read: 0 }, original).settle();
  atomic
    .to('FETCH_ADD', 0, { read: 0 }, fetchAdd(3n))
    .from('ATOMIC_ACKNOWLEDGE', 0, { read: 0 }, original)
    .settle();
  atomic.memory(0, Uint8Array.of(3, 0, 0, 0, 0, 0, 0, 0));
  const dropped = qp()
    .recv(64)
    .recv(64)
    .to('SEND_ONLY', 1, { recv: 1 }, tail)
    .to('RDMA_WRITE_ONLY', 8, write);
  dropped.to('SEND_ONLY', 2, { recv: 2 }, tail).to('RDMA_READ_REQUEST', 5, { read: 2 }, read);
  const forbidden = { ...tail, reth: { va: readable.addr, rkey: readable.rkey, dmaLen: 8 } };
  dropped
    .to('RDMA_WRITE_ONLY', 4, forbidden)
    .to('RDMA_WRITE_ONLY', 0, { ...write, icrcXor: 1 })
    .settle();
  const refused = qp().to('SEND_ONLY', 0, { recv: 0 }, tail).ack(0, 0, 0, false, 0x21).settle();
  const denied = qp().to('RDMA_WRITE_ONLY', 0, forbidden).ack(0, 0, 0, false, 0x62).settle();
  denied.memory(0, bytes(8, 0), 2);

  const sends = qp().send({ length: 264 }).send({ opcode: 'IBV_WR_RDMA_WRITE', length: 8, send_flags: [] });
  sends
    .from('SEND_FIRST', 0, { recv: 0 }, zeros(mtu))
    .from('SEND_LAST', 1, { recv: 0, offset: mtu }, zeros(8));
  sends.from('RDMA_WRITE_ONLY', 2, { ...zeros(8), ...far(8) }).acked(-1, 0, 1, true);
  sends.from('SEND_FIRST', 0, { recv: 0 }, zeros(mtu)).acked(2, 2).sent(1).settle();
  const timed = qp().send().from('SEND_ONLY', 0, { recv: 0 }, zeros(16)).wait(20_000);
  timed.from('SEND_ONLY', 0, { recv: 0 }, zeros(16)).acked(0, 1).sent(1).settle();
  const waits = qp()
    .send()
    .from('SEND_ONLY', 0, { recv: 0 }, zeros(16))
    .acked(0, 0, 0, false, 0x21)
    .wait(10_000);
  waits.from('SEND_ONLY', 0, { recv: 0 }, zeros(16)).acked(0, 1).sent(1).settle();
  const flags = { send_flags: ['IBV_SEND_SIGNALED' as const, 'IBV_SEND_FENCE' as const] };
  const fenced = qp().send({ opcode: 'IBV_WR_RDMA_READ', length: 8 }).send(flags);
  fenced.from('RDMA_READ_REQUEST', 0, { read: 0 }, far(8)).settle();
  fenced.to('RDMA_READ_RESPONSE_ONLY', 0, { read: 0 }, { ...answer(1), payload: bytes(8, 0) });
  fenced
    .sent(1, { opcode: 'IBV_WC_RDMA_READ', byte_len: 8 })
    .from('SEND_ONLY', 1, { recv: 0 }, zeros(16))
    .settle();
  const overlapping = qp()
    .send({ opcode: 'IBV_WR_RDMA_WRITE', length: 8 })
    .send({ opcode: 'IBV_WR_RDMA_WRITE', length: 8 });
  overlapping.from('RDMA_WRITE_ONLY', 0, { ...zeros(8), ...far(8) }).settle();
  const first = (options?: Options): OooTrace =>
    qp(options).send().from('SEND_ONLY', 0, { recv: 0 }, zeros(16));
  const failed = [
    first().acked(0, 0, 0, false, 0x62).done(1, 'IBV_WC_REM_ACCESS_ERR').settle(),
    first({ attr: { retry_cnt: 0 } })
      .wait(10_000)
      .done(1, 'IBV_WC_RETRY_EXC_ERR')
      .settle(),
    first({ attr: { rnr_retry: 0 } })
      .acked(0, 0, 0, false, 0x21)
      .done(1, 'IBV_WC_RNR_RETRY_EXC_ERR')
      .settle(),
  ];
  const traces = [lastFirst, filled, writes, immediate, readEarly, atomic, dropped, refused, denied];
  return [...traces, ...failed, sends.settle(), timed, waits, fenced, overlapping];
}

const traces = soundTraces();

describe('one word changed in the YAML', () => {
  it('none: what a sound device does breaks no rule', () => {
    expect(traces.map((trace) => trace.broken()).flat()).toEqual([]);
  });

  // Of demands, only those are wrong for a sound device that forbid what it does, or ask for what it does not.
  const drops = (key: string, to: string): boolean => key.startsWith('must') && to === '';
  const every = flips(rules).filter(({ rule, key, to }) => rule.startsWith('ooo-') && !drops(key, to));

  it.each([
    ['ooo-discard', 'reply'],
    ['ooo-arrival-beyond', 'reply'],
    ['ooo-duplicate-read', 'reply'],
    ['ooo-duplicate-atomic', 'reply'],
    ['ooo-next-without-receive', 'reply'],
    ['ooo-early-without-receive', 'reply'],
    ['ooo-early-without-slot', 'reply'],
    ['ooo-early-fenced', 'reply'],
    ['ooo-early-faulty', 'reply'],
    ['ooo-access-refused', 'reply'],
    ['ooo-access-refused', 'nakCode'],
    ['ooo-place-send', 'placement'],
    ['ooo-place-write', 'placement'],
    ['ooo-hold-read', 'placement'],
    ['ooo-hold-atomic', 'placement'],
    ['ooo-turn-part', 'msn'],
    ['ooo-turn-send', 'msn'],
    ['ooo-turn-send', 'completion'],
    ['ooo-turn-write', 'msn'],
    ['ooo-turn-write-immediate', 'completion'],
    ['ooo-turn-read', 'reply'],
    ['ooo-turn-atomic', 'memory'],
    ['ooo-ack-early', 'reply'],
    ['ooo-answer-executed', 'sends'],
    ['ooo-completion-owed', 'mustCome'],
    ['ooo-completion-premature', 'mustCome'],
    ['ooo-sent-next', 'sends'],
    ['ooo-resent-lost', 'sends'],
    ['ooo-resent-timeout', 'sends'],
    ['ooo-resent-not-ready', 'sends'],
    ['ooo-window-open', 'sends'],
    ['ooo-fence-reads', 'mustWait'],
    ['ooo-fence-indicated', 'mustWait'],
    ['ooo-timer-due', 'expiry'],
    ['ooo-retired-completes', 'mustCome'],
    ['ooo-retired-quietly', 'mustCome'],
    ['ooo-failed-access', 'failure'],
    ['ooo-failed-access', 'mustCome'],
    ['ooo-failed-retries', 'failure'],
    ['ooo-failed-rnr-retries', 'failure'],
    ['ooo-send-done', 'expiry'],
    ['ooo-send-numbered', 'mustReceiveNumber'],
    ['ooo-others-unnumbered', 'mustReceiveNumber'],
    ['ooo-read-numbered', 'mustReadNumber'],
    ['ooo-not-read-unnumbered', 'mustReadNumber'],
  ])('%s with another %s is broken by a sound device', (rule, key) => {
    const tried = every.filter((flip) => flip.rule === rule && flip.key === key);
    expect(tried).not.toEqual([]);
    const noticed = tried.some((flip) => {
      const other = withOutcomes(rules, flip);
      return traces.some((trace) => trace.broken(other).length > 0);
    });
    expect(noticed).toBe(true);
  });
});
