import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Profile } from '../../../../adapters/adapter.ts';
import { defaultOutOfOrder } from '../../../../adapters/reference/ooo/settings.ts';
import { unreliableScenario } from '../../../../suites/arbitraries/unreliable.ts';
import { properties, type Scenario } from '../../../../suites/index.ts';
import type { Step } from '../../../../suites/scenario.ts';
import { generateChunk, type Generated } from '../../../../suites/runner/generate.ts';
import { reductions } from '../../../../suites/runner/shrinking/reduce.ts';
import { inOrder } from '../../../../suites/runner/schedule.ts';
import { shrink } from '../../../../suites/runner/shrinking/shrink.ts';
import { sizeOf } from '../../../../suites/runner/tally.ts';
import { variations } from '../../../../suites/runner/vary/variations.ts';
import { profile } from '../../profile.ts';

const walk = properties.find((p) => p.id === 'rc-responder/psn-walk');
if (walk === undefined) throw new Error('the property is gone');
const generated = generateChunk(walk, profile, 3, 0, 40);

/** A claim about scenarios in place of a device that fails on them. */
const readsAhead = (s: Scenario): boolean =>
  s.steps.some(
    (step) =>
      step.do === 'inject' && step.packet.operation === 'RDMA_READ_REQUEST' && step.packet.psn.offset > 0,
  );

const never = (): boolean => false;

describe('shrinking', () => {
  it('comes down to the one packet that matters', async () => {
    const failing = generated.filter((g) => readsAhead(g.scenario));
    expect(failing.length).toBeGreaterThan(3);
    for (const start of failing) {
      const { scenario: small, whole } = await shrink(start, profile, (s) => Promise.resolve(readsAhead(s)), {
        tries: 3000,
        parallel: 1,
        stop: never,
      });
      expect(whole).toBe(true);
      expect(small.steps).toHaveLength(1);
      expect(small).toMatchObject({ ip: 4, mtu: 256, srq: false, regions: [{ fill: 1 }] });
      expect(small.requester.startPsn).toBe(0);
      expect(small.steps[0]).toMatchObject({ packet: { psn: { offset: 1 } } });
    }
  });

  it('comes down to few bytes, which end where those that matter end', async () => {
    const beyond = (s: Scenario): boolean =>
      s.steps.some(
        (step) =>
          step.do === 'inject' &&
          step.packet.operation === 'RDMA_WRITE_ONLY' &&
          step.packet.target !== undefined &&
          step.packet.target.length === step.packet.payload.mtus * s.mtu + step.packet.payload.bytes &&
          step.packet.target.offset + step.packet.target.length > 768,
      );
    const packet = {
      operation: 'RDMA_WRITE_ONLY',
      psn: { from: 'next', offset: 0 },
      ackReq: true,
      payload: { mtus: 1, bytes: 0 },
      target: { region: 1, offset: 513, length: 256 },
    } as const;
    const region = {
      length: 768,
      access: ['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_REMOTE_WRITE'],
      fill: 1,
    } as const;
    const ground = generated[0]?.scenario;
    if (ground === undefined) throw new Error('no scenario');
    const scenario: Scenario = {
      ...ground,
      mtu: 256,
      regions: [region, { ...region, fill: 2 }].map((one) => ({ ...one, access: [...one.access] })),
      steps: [{ do: 'inject', packet }],
    };
    const start: Generated = { scenario, simpler: () => [][Symbol.iterator]() };
    const bounds = { tries: 1000, parallel: 1, stop: never };
    const { scenario: small } = await shrink(start, profile, (s) => Promise.resolve(beyond(s)), bounds);
    expect(small.regions).toHaveLength(1);
    expect(small.steps).toMatchObject([
      { packet: { payload: { mtus: 0, bytes: 8 }, target: { region: 0, offset: 761, length: 8 } } },
    ]);
  });

  it('leaves out a packet that only made a gap: those behind it move on by one PSN', async () => {
    const [first] = generated;
    if (first === undefined) throw new Error('nothing was generated');
    const request = (operation: string): Step => ({
      do: 'inject',
      packet: { operation, psn: { from: 'next', offset: 0 }, ackReq: false, payload: { mtus: 0, bytes: 1 } },
    });
    const steps = ['ATOMIC_ACKNOWLEDGE', 'SEND_FIRST', 'SEND_LAST'].map(request);
    const start: Generated = { scenario: { ...first.scenario, steps }, simpler: () => [].values() };
    // a stray response takes a PSN that the device never sees; then two requests are ahead
    const twoAhead = (s: Scenario): boolean => {
      const sent = s.steps.flatMap((step) => (step.do === 'inject' ? [step.packet] : []));
      const strays = sent.findIndex(({ operation }) => operation !== 'ATOMIC_ACKNOWLEDGE');
      return sent.slice(strays).filter(({ psn }) => strays + psn.offset > 0).length >= 2;
    };
    expect(twoAhead(start.scenario)).toBe(true);
    const { scenario: small } = await shrink(start, profile, (s) => Promise.resolve(twoAhead(s)), {
      tries: 3000,
      parallel: 1,
      stop: never,
    });
    expect(small.steps).toMatchObject([
      { packet: { operation: 'SEND_ONLY', psn: { offset: 1 } } },
      { packet: { operation: 'SEND_ONLY', psn: { offset: 1 } } },
    ]);
    expect(small.steps).toHaveLength(2);
  });

  it('leaves out what queues, elements and addresses of an unreliable scenario say beyond the usual', async () => {
    const plan: Scenario = {
      ...unreliableScenario(
        'UD',
        'requester',
        { ip: 6, mtu: 1024, startPsn: 5, srq: true },
        {
          cqe: 4,
          requester: { maxSendWr: 3, maxSge: 2 },
          responder: { qkey: 3 },
          steps: [
            { do: 'post_recv', length: 90, sges: 2, localFault: 'rights' },
            { do: 'modify_srq', limit: 1, maxWr: 4 },
            {
              do: 'post_send',
              wr: {
                opcode: 'IBV_WR_SEND',
                length: 50,
                region: 0,
                offset: 0,
                signaled: true,
                sges: 2,
                repeat: 2,
                localFault: 'bounds',
                qkey: 1,
                nobody: true,
                path: 'other-ip',
                rawOpcode: 99,
              },
            },
          ],
        },
      ),
    };
    const { scenario: small } = await shrink(
      { scenario: plan, simpler: () => [][Symbol.iterator]() },
      profile,
      (s) => Promise.resolve(s.steps.length === 3),
      { tries: 3000, parallel: 1, stop: never },
    );
    expect(small).toEqual(
      unreliableScenario(
        'UD',
        'requester',
        { ip: 4, mtu: 256, startPsn: 0, srq: false },
        {
          steps: [
            { do: 'post_recv', length: 8 },
            { do: 'modify_srq', limit: 1 },
            {
              do: 'post_send',
              wr: { opcode: 'IBV_WR_SEND', length: 8, region: 0, offset: 0, signaled: true },
            },
          ],
        },
      ),
    );
  });

  it('keeps to its number of tries and stops when told', async () => {
    const start = generated.find((g) => readsAhead(g.scenario));
    if (start === undefined) throw new Error('no sample fails');
    let calls = 0;
    const count = (s: Scenario): Promise<boolean> => {
      calls++;
      return Promise.resolve(readsAhead(s));
    };
    await shrink(start, profile, count, { tries: 10, parallel: 4, stop: never });
    expect(calls).toBeLessThanOrEqual(15);
    calls = 0;
    expect(await shrink(start, profile, count, { tries: 1000, parallel: 4, stop: () => true })).toEqual({
      scenario: start.scenario,
      whole: false,
    });
    expect(calls).toBe(0);
  });

  it('reduces to scenarios that say less', () => {
    for (const { scenario } of generated) {
      for (const less of reductions(scenario, profile)) {
        const plainer =
          less.mtu < scenario.mtu || less.ip < scenario.ip || less.steps.length === scenario.steps.length;
        expect(plainer || sizeOf(less) < sizeOf(scenario)).toBe(true);
        expect(less).not.toEqual(scenario);
      }
    }
  });
});

describe('a device that can do less', () => {
  const small: Profile = { ...profile, capabilities: ['rc'], pathMtus: [4096], ipVersions: [6] };

  const asksForMore = ({ mtu, ip, srq, responder, steps }: Scenario): boolean =>
    mtu !== 4096 ||
    ip !== 6 ||
    srq ||
    responder.maxDestRdAtomic > 16 ||
    /FETCH_ADD|ATOMIC/.test(JSON.stringify(steps));

  it('is asked for nothing else while a failure is shrunk and varied', () => {
    const own = properties
      .filter(({ suite, requires = [] }) => suite === 'rc-responder' && requires.length === 0)
      .flatMap((property) => generateChunk(property, small, 3, 0, 4))
      // of long ones there are very many variations
      .filter(({ scenario }) => scenario.steps.length < 40);
    expect(own.length).toBeGreaterThan(100);
    for (const { scenario } of own) {
      const varied = [...variations(scenario, small)].flatMap(({ options }) => options);
      const asked = [...reductions(scenario, small), ...varied.map((option) => option.scenario)];
      expect(asked.filter(asksForMore)).toEqual([]);
    }
  });

  it('is asked for nothing else by any property', () => {
    const device: Profile = {
      ...profile,
      capabilities: [...profile.capabilities, 'ooo'],
      pathMtus: [4096],
      outOfOrder: defaultOutOfOrder,
    };
    for (const property of properties) {
      if (property.requires?.some((need) => !device.capabilities.includes(need)) === true) continue;
      for (const { scenario } of generateChunk(property, device, 5, 0, 3))
        expect({ id: property.id, mtu: scenario.mtu }).toEqual({ id: property.id, mtu: 4096 });
    }
  });

  it('is not made to send a message that is too long by itself, in place of one that it refuses', () => {
    const wr = { opcode: 'IBV_WR_SEND', length: 2 ** 26 + 1, region: 0, offset: 0, signaled: true } as const;
    const parts = { steps: [{ do: 'post_send', wr: { ...wr, repeat: 32 } } as const] };
    const chosen = { ip: 4, mtu: 256, startPsn: 0, srq: false } as const;
    const refused = unreliableScenario('UC', 'requester', chosen, parts);
    const varied = [...variations(refused, profile)].flatMap(({ options }) => options);
    for (const less of [...reductions(refused, profile), ...varied.map((option) => option.scenario)]) {
      for (const step of less.steps) {
        const bytes = step.do === 'post_send' ? step.wr.length * (step.wr.repeat ?? 1) : 0;
        expect(bytes < 2 ** 21 || bytes > profile.limits.maxMessageBytes).toBe(true);
      }
    }
  });

  it('gets no smaller path MTU where a message would be of too many packets to look at', () => {
    const wr = { opcode: 'IBV_WR_SEND', length: 2 ** 26, region: 0, offset: 0, signaled: true } as const;
    const parts: { steps: [Step] } = { steps: [{ do: 'post_send', wr }] };
    const chosen = { ip: 6, mtu: 4096, startPsn: 0, srq: false } as const;
    const long = unreliableScenario('UC', 'requester', chosen, parts);
    const asLong = [...reductions(long, profile)].filter(({ steps }) => steps.includes(parts.steps[0]));
    expect(asLong.length).toBeGreaterThan(0);
    expect(asLong.map(({ mtu }) => mtu)).toEqual(asLong.map(() => 4096));
  });
});

describe('tasks in order', () => {
  it('hands over every result in the order of the tasks, at most so many under way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(5), { maxLength: 30 }),
        fc.integer({ min: 1, max: 8 }),
        async (waits, parallel) => {
          const seen: number[] = [];
          let flying = 0;
          let most = 0;
          await inOrder(
            waits.entries(),
            parallel,
            async ([i, ticks]) => {
              most = Math.max(most, ++flying);
              for (let t = 0; t < ticks; t++) await Promise.resolve();
              flying--;
              return i;
            },
            (_, i) => {
              seen.push(i);
              return true;
            },
          );
          expect(seen).toEqual([...waits.keys()]);
          expect(most).toBeLessThanOrEqual(parallel);
        },
      ),
    );
  });

  it('takes no more results once told to stop', async () => {
    const seen: number[] = [];
    await inOrder(
      [0, 1, 2, 3, 4][Symbol.iterator](),
      2,
      (n) => Promise.resolve(n),
      (n) => {
        seen.push(n);
        return n < 2;
      },
    );
    expect(seen).toEqual([0, 1, 2]);
  });
});
