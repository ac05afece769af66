import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { responderScenario } from '../../../suites/arbitraries/base.ts';
import { membersOf } from '../../../suites/device/compose.ts';
import { inject, packet, recv, settle } from '../../../suites/arbitraries/packets.ts';
import { parseScenario } from '../../../suites/case/index.ts';
import { labelsOf, properties, runConformance, type Scenario } from '../../../suites/index.ts';
import type { SuiteProperty } from '../../../suites/property.ts';
import { hindrance } from '../../../suites/runner/hindrance.ts';
import { reductions } from '../../../suites/runner/shrinking/reduce.ts';
import type { BesidePlan } from '../../../suites/scenario.ts';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { drive, packets, statuses } from '../drive.ts';
import { profile } from '../profile.ts';

const chosen = { ip: 4, mtu: 256, startPsn: 7, srq: false, minRnrTimer: 12, maxDestRdAtomic: 4 } as const;
const send = inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 4 } }));
const one = responderScenario(profile, chosen, { steps: [recv(4), send, settle, recv(4), send] });
const { peer: _, ...other } = responderScenario(
  profile,
  { ...chosen, ip: 6, mtu: 1024, startPsn: 90 },
  { steps: [recv(8), send] },
);

function beside(more: Partial<BesidePlan> = {}): Scenario {
  return { ...one, beside: { members: [other], order: [], ...more } };
}

const suite = properties.filter((property) => property.suite === 'device');

describe('several scenarios on one device', () => {
  it('come to an end on a virtual clock: a live requester is not told to come again for ever', () => {
    const live = (clock: 'virtual' | 'real'): number[] => {
      const plans = [7, 5].map((rnrRetry) => ({ ...one, dut: 'requester', rnrRetry }) as const);
      const made = plans.map(({ rnrRetry, ...plan }) => ({
        ...plan,
        requester: { ...plan.requester, rnrRetry },
        peer: 'same-device' as const,
      }));
      const property = { id: 'device/live', suite: 'device', says: 'It lives.' };
      return made.flatMap((scenario) =>
        fc
          .sample(
            membersOf([{ ...property, arbitrary: () => fc.constant(scenario) }], { ...profile, clock }),
            1,
          )
          .map(({ requester }) => requester.rnrRetry),
      );
    };
    expect(live('virtual')).toEqual([6, 5]);
    expect(live('real')).toEqual([7, 5]);
  });

  it('are drawn so that one more property takes its own share, and leaves the other draws as they were', () => {
    const of = (n: number): SuiteProperty => ({
      id: `device/kind-${n}`,
      suite: 'device',
      says: 'A kind.',
      arbitrary: () => fc.constant({ ...one, mtu: 256, cqe: n + 1 }),
    });
    const draws = (count: number): (number | undefined)[] => {
      const some = Array.from({ length: count }, (_, n) => of(n));
      return Array.from(
        { length: 2000 },
        (_, seed) => fc.sample(membersOf(some, profile), { numRuns: 1, seed })[0]?.cqe,
      );
    };
    const before = draws(19);
    const after = draws(20);
    const moved = after.filter((kind, i) => kind !== before[i]);
    expect(new Set(moved)).toEqual(new Set([20]));
    expect(moved.length).toBeGreaterThan(60);
    expect(moved.length).toBeLessThan(150);
    for (let kind = 1; kind <= 20; kind++) {
      const share = after.filter((drawn) => drawn === kind).length;
      expect(share).toBeGreaterThan(60);
      expect(share).toBeLessThan(150);
    }
  });

  it('take turns with their steps', async () => {
    const { events } = await drive(beside());
    expect(packets(events, 'to-dut').map((e) => e.packet.psn)).toEqual([7, 90, 8]);
    expect(new Set(packets(events, 'to-dut').map((e) => e.packet.destQp)).size).toBe(2);
    expect(packets(events, 'to-dut').map((e) => e.packet.ipVersion)).toEqual([4, 6, 4]);
    expect(statuses(events)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS']);
  });

  it('come in the order of the plan, as far as it goes', async () => {
    const { events } = await drive(beside({ order: [1, 1, 0, 0] }));
    expect(packets(events, 'to-dut').map((e) => e.packet.psn)).toEqual([90, 7, 8]);
    const late = await drive(beside({ order: [0, 0, 0, 0, 0, 1] }));
    expect(packets(late.events, 'to-dut').map((e) => e.packet.psn)).toEqual([7, 8, 90]);
  });

  it('have objects of their own, or those in common that the plan names', async () => {
    const made = async (plan: Scenario): Promise<number[]> => {
      const { events } = await drive(plan);
      const calls = events.flatMap((e) => (e.kind === 'call' && e.call === 'create_qp' ? [e] : []));
      const of = (pick: (call: (typeof calls)[number]) => number): number => new Set(calls.map(pick)).size;
      return [calls.length, of((c) => c.pd), of((c) => c.send_cq), of((c) => c.recv_cq)];
    };
    expect(await made(beside())).toEqual([2, 2, 2, 2]);
    expect(await made(beside({ share: ['pd'] }))).toEqual([2, 1, 2, 2]);
    expect(await made(beside({ share: ['cq', 'pd'] }))).toEqual([2, 1, 1, 1]);
    expect(await made({ ...one, cqs: 'apart' })).toEqual([1, 1, 1, 1]);
    const { events } = await drive({ ...one, cqs: 'apart' });
    const [qp] = events.flatMap((e) => (e.kind === 'call' && e.call === 'create_qp' ? [e] : []));
    expect(qp?.send_cq).not.toBe(qp?.recv_cq);
  });

  it('post work requests whose ids are no other scenario’s', async () => {
    const { events } = await drive(beside({ share: ['cq'] }));
    const ids = events.flatMap((e) => (e.kind === 'completion' ? [e.wc.wr_id] : []));
    expect(new Set(ids).size).toBe(3);
  });

  it('are judged each by its own', async () => {
    const result = await runConformance({
      adapter: referenceAdapter(),
      suite: 'device',
      runs: 45,
      seed: 5,
    });
    expect(result.failures).toEqual([]);
    expect(result.errors).toEqual([]);
    expect(result.cases).toBe(45);
  });

  it('are not tried on a device without room for their QPs', () => {
    const small = { ...profile, limits: { ...profile.limits, maxQps: 3 } };
    for (const property of suite.filter(({ requires }) => requires?.length === 0)) {
      expect(hindrance(property, profile)).toBeUndefined();
      expect(hindrance(property, small)).toBe('the device has room for 3 QPs');
    }
  });
});

describe('scenarios of several QPs', () => {
  const drawn = suite.flatMap((property) => fc.sample(property.arbitrary(profile), { numRuns: 10, seed: 3 }));

  it('are of two to four QPs of all kinds, with and without objects in common', () => {
    const labels = new Set(drawn.flatMap((scenario) => [...labelsOf(scenario)]));
    for (const label of ['2 QPs', '3 QPs', '4 QPs', 'pd in common', 'cq in common', 'UD responder'])
      expect(labels).toContain(label);
    expect(drawn.some(({ beside: plan }) => plan?.share === undefined)).toBe(true);
  });

  it('are plain data that is checked', () => {
    for (const scenario of drawn) expect(parseScenario(structuredClone(scenario))).toEqual(scenario);
    expect(() => parseScenario(beside({ order: [2] }))).toThrow(
      'scenario.beside.order: there is no scenario 2, only 0 to 1',
    );
    expect(() => parseScenario({ ...beside(), peer: 'same-device' })).toThrow('no others beside it');
    expect(() => parseScenario(beside({ members: [] }))).toThrow('at least 1');
    const nested = { ...other, beside: { members: [other], order: [] } };
    expect(() => parseScenario({ ...one, beside: { members: [nested], order: [] } })).toThrow('beside');
  });

  it('become simpler by whole scenarios first, then by their steps, then by the order', () => {
    const found = [...reductions(beside({ order: [1, 1, 0], share: ['cq'] }), profile)];
    expect(found[0]).toEqual(one);
    expect(found[1]).toEqual(other);
    const steps = ({ steps, beside: plan }: Scenario): number =>
      steps.length + (plan?.members.reduce((sum, member) => sum + member.steps.length, 0) ?? 0);
    const fewer = found.findIndex((less) => less.beside !== undefined && steps(less) < 7);
    const inOrder = found.findIndex((less) => less.beside?.order.length === 0);
    expect(fewer).toBeGreaterThan(1);
    expect(inOrder).toBeGreaterThan(fewer);
    expect(found.some((less) => less.beside !== undefined && less.beside.share === undefined)).toBe(true);
    expect(found.some((less) => less.beside?.members[0]?.steps.length === 1)).toBe(true);
  });
});
