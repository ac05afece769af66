import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VerbsError } from '../../../../adapters/adapter.ts';
import { VirtualClock } from '../../../../adapters/virtual-clock.ts';
import type { SendWr, WrOpcode } from '../../../../spec/verbs.ts';
import { seeded } from '../../../../adapters/seeded.ts';
import { operations } from '../../../traffic.ts';
import { connect, ends, makeSide, packetOf, poll, type Side, type SideOptions } from '../pair.ts';

const slot = 1536;
const most = 12;

interface Plan {
  psns: [number, number];
  /** what each end posts */
  messages: [Message[], Message[]];
  seed: number;
}

interface Message {
  opcode: WrOpcode;
  length: number;
}

const messages = fc.array(
  fc.record({
    opcode: fc.constantFrom(...operations),
    length: fc.oneof(fc.constantFrom(0, 1, 256, 257), fc.nat(slot)),
  }),
  { maxLength: most },
);
const psn = fc.oneof(fc.integer({ min: 0xfffff0, max: 0xffffff }), fc.nat(0xffffff));
const plans: fc.Arbitrary<Plan> = fc.record({
  psns: fc.tuple(psn, psn),
  messages: fc.tuple(messages, messages),
  seed: fc.nat(0xffffffff),
});

const fill = (n: number, seed: number): Uint8Array =>
  Uint8Array.from({ length: n }, (_, i) => (i * 31 + seed * 17 + 1) & 0xff);

/** Two devices with QPs that place out of order, on a wire that delays each packet as it likes, and loses some. */
async function pair({ psns, seed }: Plan): Promise<{ clock: VirtualClock; sides: [Side, Side] }> {
  const clock = new VirtualClock();
  const random = seeded(seed);
  const sides: Side[] = [];
  let losses = 0;
  const send =
    (to: 0 | 1) =>
    (frame: Uint8Array): void => {
      expect(packetOf(frame).info?.service).toBe('ORC');
      const arrive = (): void => sides[to]?.nic.receive(frame);
      const fate = random();
      // no more losses than retries
      if (fate < 0.15 && losses++ < 6) return;
      clock.setTimer(1000 + Math.floor(random() * 20_000), arrive);
      if (fate > 0.9) clock.setTimer(1000 + Math.floor(random() * 60_000), arrive);
    };
  const options: SideOptions = { ooo: true, memory: slot * 4 * most };
  for (const i of [0, 1] as const) sides.push(await makeSide(clock, i, send(i === 0 ? 1 : 0), options));
  const [a, b] = sides as [Side, Side];
  await connect(a, { num: b.num, ip: ends[1].ipv4! }, psns[1], psns[0], options);
  await connect(b, { num: a.num, ip: ends[0].ipv4! }, psns[0], psns[1], options);
  return { clock, sides: [a, b] };
}

const receives = ({ opcode }: Message): boolean =>
  opcode.startsWith('IBV_WR_SEND') || opcode.endsWith('_IMM');

/** What eight bytes are after an ATOMIC that adds 1, or puts 7 in the place of 1. */
function after(opcode: WrOpcode, before: Uint8Array): Uint8Array {
  const bytes = before.slice();
  const view = new DataView(bytes.buffer);
  const value = view.getBigUint64(0, true);
  const swapped = value === 1n ? 7n : value;
  view.setBigUint64(0, opcode === 'IBV_WR_ATOMIC_FETCH_AND_ADD' ? value + 1n : swapped, true);
  return bytes;
}

/** Posts what one end sends, and what the other one needs; gives what has to hold in the end. */
async function post(all: Message[], from: Side, to: Side): Promise<(() => Promise<void>)[]> {
  // each end has half of its memory for what it posts, and half for what the other does
  const [own, far] = [0, slot * 2 * most];
  const checks: (() => Promise<void>)[] = [];
  for (const [i, { opcode, length: wished }] of all.entries()) {
    const atomic = opcode.includes('ATOMIC');
    const length = atomic ? 8 : wished;
    const fetches = atomic || opcode === 'IBV_WR_RDMA_READ';
    const data = fill(length, i);
    if (fetches) await to.verbs.write_memory(to.mr.mr, far + slot * i, data);
    else await from.verbs.write_memory(from.mr.mr, own + slot * i, data);
    const buffer = { addr: to.mr.addr + BigInt(far + slot * i), length: slot, lkey: to.mr.lkey };
    if (receives({ opcode, length })) await to.verbs.post_recv(to.qp, { wr_id: 1000 + i, sg_list: [buffer] });
    const wr: SendWr = {
      wr_id: i,
      opcode,
      sg_list: [{ addr: from.mr.addr + BigInt(own + slot * i), length, lkey: from.mr.lkey }],
      send_flags: ['IBV_SEND_SIGNALED'],
      remote_addr: buffer.addr,
      rkey: to.mr.rkey,
      imm_data: i,
      compare_add: 1n,
      swap: 7n,
    };
    await from.verbs.post_send(from.qp, wr);
    checks.push(async () => {
      expect(await from.verbs.read_memory(from.mr.mr, own + slot * i, length)).toEqual(data);
      const there = await to.verbs.read_memory(to.mr.mr, far + slot * i, length);
      expect(there).toEqual(atomic ? after(opcode, data) : data);
    });
  }
  return checks;
}

describe('two reference NICs with out-of-order QPs', () => {
  it('move every message once, in both directions, on a wire without any order', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const { clock, sides } = await pair(plan);
        const [a, b] = sides;
        const checks = [...(await post(plan.messages[0], a, b)), ...(await post(plan.messages[1], b, a))];
        expect(clock.runUntilIdle(1e9)).toBe(true);
        for (const [i, side] of sides.entries()) {
          const wcs = await poll(side);
          expect(wcs.map((wc) => wc.status).filter((status) => status !== 'IBV_WC_SUCCESS')).toEqual([]);
          const sent = wcs.filter((wc) => wc.wr_id < 1000).map((wc) => wc.wr_id);
          expect(sent).toEqual(plan.messages[i]?.map((_, n) => n));
          const received = wcs.filter((wc) => wc.wr_id >= 1000).map((wc) => wc.wr_id - 1000);
          const other = plan.messages[1 - i] ?? [];
          expect(received).toEqual(other.flatMap((message, n) => (receives(message) ? [n] : [])));
        }
        for (const check of checks) await check();
      }),
      { numRuns: 60 },
    );
  });

  it('begin to count anew after RESET', async () => {
    const { clock, sides } = await pair({ psns: [5, 9], messages: [[], []], seed: 1 });
    const [a, b] = sides;
    const all: Message[] = [
      { opcode: 'IBV_WR_SEND', length: 300 },
      { opcode: 'IBV_WR_RDMA_READ', length: 300 },
    ];
    await post(all, a, b);
    clock.runUntilIdle(1e9);
    for (const side of sides) {
      await side.verbs.modify_qp(side.qp, { qp_state: 'IBV_QPS_RESET' });
      await side.verbs.modify_qp(side.qp, {
        qp_state: 'IBV_QPS_INIT',
        pkey_index: 0,
        port_num: 1,
        qp_access_flags: ['IBV_ACCESS_REMOTE_READ', 'IBV_ACCESS_REMOTE_WRITE', 'IBV_ACCESS_LOCAL_WRITE'],
      });
    }
    await connect(a, { num: b.num, ip: ends[1].ipv4! }, 9, 5);
    await connect(b, { num: a.num, ip: ends[0].ipv4! }, 5, 9);
    const checks = await post(all, a, b);
    clock.runUntilIdle(1e9);
    for (const check of checks) await check();
    expect((await poll(a)).map((wc) => [wc.wr_id, wc.status])).toEqual(
      [0, 1, 0, 1].map((id) => [id, 'IBV_WC_SUCCESS']),
    );
  });

  it('are refused where the device or the service has none', async () => {
    const without = await makeSide(new VirtualClock(), 0, () => undefined, { config: { ooo: false } });
    const common = {
      send_cq: without.cq,
      recv_cq: without.cq,
      pd: without.pd,
      cap: { max_send_wr: 1, max_recv_wr: 1, max_send_sge: 1, max_recv_sge: 1 },
      ooo: true,
    };
    await expect(without.verbs.create_qp({ ...common, qp_type: 'IBV_QPT_RC' })).rejects.toThrow(VerbsError);
    const { verbs, cq, pd } = await makeSide(new VirtualClock(), 0, () => undefined);
    const here = { ...common, send_cq: cq, recv_cq: cq, pd };
    await expect(verbs.create_qp({ ...here, qp_type: 'IBV_QPT_UC' })).rejects.toThrow(VerbsError);
    await expect(verbs.create_qp({ ...here, qp_type: 'IBV_QPT_RC' })).resolves.toBeDefined();
  });
});
