import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referenceAdapter, type ReferenceConfig } from '../../../adapters/reference/index.ts';
import { opcodes } from '../../../spec/constants.ts';
import { loadRules, type TraceEvent } from '../../../oracle/index.ts';
import { fillBytes } from '../../../suites/driver/setup/fill.ts';
import { Executor, ooo, statistics, type Scenario, type Step, type WrPlan } from '../../../suites/index.ts';
import { packetsOf, receivesOf, type Message } from '../../../suites/ooo/messages.ts';
import { arrival, order, permuted } from '../../../suites/ooo/order.ts';
import { scenarioOf } from '../../../suites/ooo/parts.ts';
import { schedule } from '../../../suites/runner/schedule.ts';
import { drive, packets, statuses } from '../drive.ts';

const rules = loadRules();
const profile = await referenceAdapter().describe();
const chosen = { ip: 4, mtu: 256, startPsn: 0xfffffa, srq: false, depth: 8 } as const;
const settle: Step = { do: 'settle' };

/** What software at the device finds in the end. */
function outcome(events: readonly TraceEvent[]): unknown[] {
  return events.flatMap((e): unknown[] => {
    if (e.kind === 'completion') return [e.wc];
    return e.kind === 'memory' ? [{ mr: e.mr, offset: e.offset, bytes: e.bytes }] : [];
  });
}

function property(id: string): (typeof ooo)[number] {
  const found = ooo.find((p) => p.id === id);
  if (found === undefined) throw new Error(`no property ${id}`);
  return found;
}

const message = (kind: Message['kind'], bytes: number, place: number): Message => ({
  kind,
  size: { mtus: 0, bytes },
  place,
  ackReq: 'last',
  operand: '1',
});

// Nothing of one overlaps another, so that there is one right outcome.
const apart = fc
  .record({ front: fc.integer({ min: 0, max: 600 }), rear: fc.integer({ min: 1, max: 600 }) })
  .chain(({ front, rear }) =>
    fc.shuffledSubarray(
      [
        message('write', front, 0),
        message('write-imm', rear, 1),
        message('send', 700, 0),
        message('send-imm', 300, 0),
        message('fetch-add', 8, 0.5),
        message('fetch-add', 8, 0.5),
        message('send', 0, 0),
      ],
      { minLength: 3 },
    ),
  );

describe('packets at an out-of-order responder', () => {
  it('end in the same memory and the same completions, whatever their order and however often they come', async () => {
    await fc.assert(
      fc.asyncProperty(apart, order(20), async (all, drawn) => {
        const made = packetsOf(all, chosen.mtu);
        const play = async (steps: Step[]): Promise<unknown[]> => {
          const plan = scenarioOf(profile, 'responder', chosen, {
            steps: [...receivesOf(all, chosen.mtu), ...steps, settle],
          });
          return outcome((await drive(plan)).events);
        };
        const inOrder = await play(made.map((packet): Step => ({ do: 'inject', packet })));
        expect(await play(arrival(made, drawn))).toEqual(inOrder);
      }),
      { numRuns: 60 },
    );
  });

  it('are placed at once, while nothing completes', async () => {
    const all = [message('send', 600, 0), message('write', 600, 0)];
    const made = packetsOf(all, chosen.mtu).slice(1);
    const { events } = await drive(
      scenarioOf(profile, 'responder', chosen, {
        steps: [...receivesOf(all, 256), ...made.map((packet): Step => ({ do: 'inject', packet })), settle],
      }),
    );
    expect(statuses(events)).toEqual([]);
    const acks = packets(events, 'from-dut').map(({ packet }) => packet);
    expect(acks.map((p) => [p.psn, p.aeth?.msn, p.saeth])).toEqual(
      [0xfffffb, 0xfffffc, 0xfffffd, 0xfffffe, 0xffffff].map((trigger) => [
        0xfffff9,
        0,
        { flags: 1, trigger },
      ]),
    );
    const [buffer] = events.flatMap((e) => (e.kind === 'memory' && e.bytes.length === 600 ? [e.bytes] : []));
    expect(buffer?.subarray(0, 256).every((b) => b === 0)).toBe(true);
    expect([256, 512].map((at) => buffer?.[at])).toEqual([0x41, 0x42].map((seed) => fillBytes(seed, 1)[0]));
  });
});

// Receiving ends, whose memory and completions the trace shows.
describe.each([
  ['ooo/responder-reordered', 'out-of-order QPs'],
  ['ooo/in-order-responder', 'RC QPs'],
])('%s', (id, who) => {
  it(`leaves ${who} with what they would have on a sound wire`, async () => {
    await fc.assert(
      fc.asyncProperty(property(id).arbitrary(profile), async (drawn: Scenario) => {
        // short enough for a scenario to wait for all that timers bring
        const plan = {
          ...drawn,
          requester: { ...drawn.requester, timeout: Math.min(drawn.requester.timeout, 8) },
        };
        const reordered = await drive(plan);
        const sound = await drive({ ...plan, faults: [] });
        expect(statuses(reordered.events).every((s) => s === 'SUCCESS')).toBe(true);
        expect(outcome(reordered.events)).toEqual(outcome(sound.events));
      }),
      { numRuns: 60 },
    );
  });
});

describe('an out-of-order requester', () => {
  const write = (length: number): WrPlan => ({
    opcode: 'IBV_WR_RDMA_WRITE',
    length,
    region: 0,
    offset: 0,
    signaled: true,
  });
  const silent = (wrs: WrPlan[], steps: Step[], timeout = 14): Scenario =>
    scenarioOf(profile, 'requester', chosen, {
      scripted: true,
      timeout,
      regions: [{ length: 40 * 256, access: [], fill: 1 }],
      steps: [...wrs.map((wr): Step => ({ do: 'post_send', wr })), ...steps, settle],
    });
  const sent = async (plan: Scenario): Promise<[number, number][]> =>
    packets((await drive(plan)).events, 'from-dut').map(({ t, packet }) => [packet.psn, t]);

  it('has no more packets under way than the cap', async () => {
    const all = await sent(silent([write(40 * 256)], [], 0));
    expect(all).toHaveLength(profile.outOfOrder?.cap ?? 0);
  });

  it('sends the oldest packet again after the low timeout, or after the high one with more under way', async () => {
    const sleep: Step = { do: 'sleep', us: 510 };
    const few = await sent(silent([write(256)], [sleep]));
    expect(few.slice(0, 3).map(([psn, t]) => [psn, t - few[0]![1]])).toEqual([
      [0xfffffa, 0],
      [0xfffffa, 100_000],
      [0xfffffa, 200_000],
    ]);
    const many = await sent(silent([write(3 * 256)], [sleep]));
    expect(many.slice(3).map(([psn, t]) => [psn, t - many[0]![1]])).toEqual([[0xfffffa, 500_000]]);
  });

  it('sends only what lies in front of a packet acknowledged selectively, once', async () => {
    const told = (offset: number): Step => ({
      do: 'respond',
      packet: {
        reply: { kind: 'ack' },
        psn: { from: 'start', offset: 0 },
        selective: { from: 'start', offset },
      },
    });
    const all = await sent(silent([write(6 * 256)], [settle, told(2), told(4), settle, told(4)]));
    expect(all.slice(6).map(([psn]) => psn)).toEqual([0xfffffb, 0xfffffd]);
  });
});

describe('devices that choose otherwise', () => {
  const choices = { window: 32, cap: 16, rto: { low: 100_000, high: 500_000, few: 3 } };
  const devices: [string, Partial<ReferenceConfig>][] = [
    ['no fence indicator', { outOfOrder: { ...choices, fence: 'application', fencesAll: false } }],
    ['fences for everything', { outOfOrder: { ...choices, fence: 'indicator', fencesAll: true } }],
    [
      'a cap of 4 and other timeouts',
      {
        outOfOrder: {
          window: 4,
          cap: 4,
          rto: { low: 50_000, high: 900_000, few: 2 },
          fence: 'indicator',
          fencesAll: false,
        },
        processingDelay: 2000,
      },
    ],
    [
      'a window of one packet',
      {
        outOfOrder: {
          window: 1,
          cap: 1,
          rto: { low: 100_000, high: 500_000, few: 1 },
          fence: 'indicator',
          fencesAll: false,
        },
      },
    ],
    [
      'a window of two and a cap of one',
      {
        outOfOrder: {
          window: 2,
          cap: 1,
          rto: { low: 80_000, high: 80_000, few: 3 },
          fence: 'application',
          fencesAll: true,
        },
      },
    ],
  ];
  it.each(devices)('%s: nothing is held against them', async (_name, responder) => {
    const executor = await Executor.open(referenceAdapter({ responder }), rules, {});
    const broken: string[] = [];
    for (const { property: tried, generated } of schedule(ooo, executor.profile, 3, 105, { i: 1, n: 1 })) {
      const outcome = await executor.run(generated.scenario);
      if (outcome.kind !== 'judged') broken.push(`${tried.id}: ${outcome.kind}`);
      else broken.push(...outcome.judgement.violations.map((v) => `${tried.id}: ${v.rule}`));
    }
    await executor.close();
    expect(broken).toEqual([]);
  });
});

describe('scenarios of out-of-order QPs', () => {
  it('reach the corners', () => {
    const reached = statistics(ooo, profile, { seed: 0, runs: 2500 });
    const operations = opcodes.flatMap((o) => (o?.service === 'ORC' && o.kind === 'request' ? [o] : []));
    const corners = [
      ...operations.map((o) => `early ${o.operation}`),
      'last packet early',
      'duplicate',
      'duplicate of an early packet',
      'gap filled',
      'gap left',
      'far ahead',
      'PSNs wrap',
      'fence',
      'buffers overlap',
      'acknowledged selectively',
      ...['drop', 'hold', 'delay', 'duplicate'].flatMap((kind) => [
        `${kind} to-responder`,
        `${kind} to-requester`,
      ]),
    ].map((corner) => `out of order: ${corner}`);
    expect(corners.filter((corner) => (reached.get(corner) ?? 0) < 5)).toEqual([]);
  });
});

describe('orders of packets', () => {
  it('are permutations, and reach the reverse, the last packet first, and the order that was sent', () => {
    const seen = new Set<string>();
    const packets = [0, 1, 2, 3];
    for (const drawn of fc.sample(order(), { numRuns: 2000, seed: 1 })) {
      const found = permuted(packets, drawn);
      expect(found.toSorted((a, b) => a - b)).toEqual(packets);
      seen.add(found.join(''));
    }
    for (const wanted of ['0123', '3210', '1230', '3012', '1032'])
      expect([wanted, seen.has(wanted)]).toEqual([wanted, true]);
  });
});

it('an ATOMIC whose answer finds no memory fails behind the SEND whose Acknowledge was lost', async () => {
  const wr = { region: 0, offset: 0, signaled: true };
  const plan = scenarioOf(profile, 'requester', chosen, {
    steps: [
      { do: 'post_recv', length: 0 },
      { do: 'post_send', wr: { ...wr, opcode: 'IBV_WR_SEND', length: 0 } },
      {
        do: 'post_send',
        wr: {
          ...wr,
          opcode: 'IBV_WR_ATOMIC_FETCH_AND_ADD',
          length: 8,
          compare: '0',
          swapOrAdd: '0',
          localFault: 'lkey',
        },
      },
      settle,
    ],
    faults: [{ direction: 'to-requester', match: { class: 'ack', ordinal: 0 }, action: { kind: 'drop' } }],
  });
  expect(statuses((await drive(plan)).events)).toEqual(['SUCCESS', 'LOC_PROT_ERR']);
});
