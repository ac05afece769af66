import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PathMtu, SendWr, WrOpcode } from '../../../spec/verbs.ts';
import { VirtualClock } from '../../../adapters/virtual-clock.ts';
import { operations } from '../../traffic.ts';
import { requesterLatitude } from './latitude.ts';
import { connect, ends, makeSide, poll, type SideOptions } from './pair.ts';

const slot = 2048;

interface Plan {
  mtu: PathMtu;
  version: 4 | 6;
  psn: number;
  depth: number;
  messages: { opcode: WrOpcode; length: number }[];
  /** what happens to the n-th frame on the wire, round and round */
  fates: ('pass' | 'drop' | 'twice' | 'late')[];
  config: SideOptions['config'];
}

const plans: fc.Arbitrary<Plan> = fc.record({
  mtu: fc.constantFrom<PathMtu>(256, 512, 1024),
  version: fc.constantFrom<4 | 6>(4, 6),
  psn: fc.oneof(fc.integer({ min: 0xfffff0, max: 0xffffff }), fc.nat(0xffffff)),
  depth: fc.integer({ min: 1, max: 4 }),
  messages: fc.array(
    fc.record({
      opcode: fc.constantFrom(...operations),
      length: fc.oneof(fc.constantFrom(0, 1, 256, 257, 512, 1024), fc.nat(slot)),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  fates: fc.array(
    fc.constantFrom<Plan['fates'][number]>('pass', 'pass', 'pass', 'pass', 'pass', 'drop', 'twice', 'late'),
    {
      minLength: 17,
      maxLength: 60,
    },
  ),
  config: requesterLatitude,
});

function fill(n: number, seed: number): Uint8Array {
  return Uint8Array.from({ length: n }, (_, i) => (i * 31 + seed * 17 + 1) & 0xff);
}

async function run(plan: Plan) {
  const clock = new VirtualClock();
  const frames: string[] = [];
  let count = 0;
  let drops = 0;
  const deliver = (to: 0 | 1) => (frame: Uint8Array) => {
    frames.push(`${clock.now()} ${Buffer.from(frame).toString('hex')}`);
    const fate = plan.fates[count++ % plan.fates.length];
    // no more losses than retries: whichever packet they hit, no counter can run out
    if (fate === 'drop' && drops++ < 7) return;
    clock.setTimer(fate === 'late' ? 30_000 : 2000, () => sides[to].nic.receive(frame));
    if (fate === 'twice') clock.setTimer(5000, () => sides[to].nic.receive(frame));
  };
  const memory = slot * (plan.messages.length + 1);
  const options: SideOptions = {
    mtu: plan.mtu,
    version: plan.version,
    memory,
    config: plan.config ?? {},
    qp: { max_rd_atomic: plan.depth, max_dest_rd_atomic: plan.depth, timeout: 6, retry_cnt: 7 },
  };
  const sides = [
    await makeSide(clock, 0, deliver(1), options),
    await makeSide(clock, 1, deliver(0), options),
  ] as const;
  const ip = (i: 0 | 1): string => (plan.version === 4 ? ends[i].ipv4 : ends[i].ipv6)!;
  await connect(sides[0], { num: sides[1].num, ip: ip(1) }, 7, plan.psn, options);
  await connect(sides[1], { num: sides[0].num, ip: ip(0) }, plan.psn, 7, options);
  const [a, b] = sides;
  const expected: (() => Promise<void>)[] = [];
  let receives = 0;
  for (const [i, { opcode, length: wished }] of plan.messages.entries()) {
    const at = slot * i;
    const atomic = opcode.includes('ATOMIC');
    const length = atomic ? 8 : wished;
    const reads = opcode === 'IBV_WR_RDMA_READ';
    const data = fill(length, i);
    await (reads || atomic ? b : a).verbs.write_memory((reads || atomic ? b : a).mr.mr, at, data);
    if (opcode.startsWith('IBV_WR_SEND') || opcode.endsWith('_WITH_IMM')) {
      receives++;
      await b.verbs.post_recv(b.qp, {
        wr_id: i,
        sg_list: [
          { addr: b.mr.addr + BigInt(at), length: slot / 2, lkey: b.mr.lkey },
          { addr: b.mr.addr + BigInt(at + slot / 2), length: slot / 2, lkey: b.mr.lkey },
        ],
      });
    }
    const before = new DataView(fill(8, i).buffer).getBigUint64(0, true);
    const after = new Uint8Array(8);
    const swaps = opcode === 'IBV_WR_ATOMIC_CMP_AND_SWP';
    new DataView(after.buffer).setBigUint64(0, swaps ? 77n : BigInt.asUintN(64, before + 5n), true);
    const wr: SendWr = {
      wr_id: i,
      opcode,
      sg_list: [{ addr: a.mr.addr + BigInt(at), length, lkey: a.mr.lkey }],
      send_flags: ['IBV_SEND_SIGNALED'],
      remote_addr: b.mr.addr + BigInt(at),
      rkey: b.mr.rkey,
      imm_data: i,
      compare_add: opcode === 'IBV_WR_ATOMIC_CMP_AND_SWP' ? before : 5n,
      swap: 77n,
    };
    await a.verbs.post_send(a.qp, wr);
    expected.push(async () => {
      expect(await a.verbs.read_memory(a.mr.mr, at, length)).toEqual(data);
      const remote = await b.verbs.read_memory(b.mr.mr, at, length);
      expect(remote).toEqual(atomic ? after : data);
    });
  }
  const idle = clock.runUntilIdle(60e9);
  return { idle, frames, expected, receives, sent: await poll(a), received: await poll(b) };
}

describe('two reference NICs', () => {
  it('move every message exactly once over a wire that loses, doubles and delays', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const result = await run(plan);
        expect(result.idle).toBe(true);
        expect(result.sent.map((wc) => [wc.wr_id, wc.status])).toEqual(
          plan.messages.map((_, i) => [i, 'IBV_WC_SUCCESS']),
        );
        expect(result.received.every((wc) => wc.status === 'IBV_WC_SUCCESS')).toBe(true);
        expect(result.received).toHaveLength(result.receives);
        for (const check of result.expected) await check();
      }),
      // a gate says the same every time; RUNS=1000 goes hunting
      process.env['RUNS'] === undefined
        ? { numRuns: 120, seed: 1 }
        : { numRuns: Number(process.env['RUNS']) },
    );
  });

  it('do the same frames at the same times when run again', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        expect((await run(plan)).frames).toEqual((await run(plan)).frames);
      }),
      { numRuns: 30 },
    );
  });
});
