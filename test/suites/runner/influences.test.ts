import { describe, expect, it } from 'vitest';
import { resolveAdapter } from '../../../cli/adapter/registry.ts';
import { influencesOf, type Effect } from '../../../suites/runner/influences.ts';
import { variations } from '../../../suites/runner/vary/variations.ts';
import { parseScenario } from '../../../suites/case/index.ts';
import { runConformance, type Scenario } from '../../../suites/index.ts';
import { ahead as aheadOf, onResponder } from '../ahead.ts';
import { profile } from '../profile.ts';

const end: Scenario['responder'] = {
  startPsn: 0,
  access: [],
  maxDestRdAtomic: 4,
  maxRdAtomic: 4,
  minRnrTimer: 12,
  timeout: 14,
  retryCnt: 7,
  rnrRetry: 6,
};

const ahead = onResponder(end, [aheadOf(8)]);

const bounds = { tries: 1000, parallel: 1, stop: () => false };

describe('what matters in a failure', () => {
  it('varies every part by scenarios that are sound, and that differ in that part alone', () => {
    const found = [...variations(ahead, profile)];
    expect(found.map(({ what }) => what)).toContain('step 1 (inject SEND_ONLY): psn offset');
    for (const { options, what } of found) {
      expect(options.length, what).toBeGreaterThan(0);
      for (const { scenario } of options) {
        expect(() => parseScenario(scenario)).not.toThrow();
        const a = JSON.stringify(scenario);
        expect(a).not.toBe(JSON.stringify(ahead));
      }
    }
  });

  it('takes the defect of a crafted packet away', () => {
    const [step] = ahead.steps;
    if (step?.do !== 'inject') throw new Error('no packet');
    const defect = { kind: 'pkey', value: 0x1234 } as const;
    const spoiled: Scenario = { ...ahead, steps: [{ ...step, packet: { ...step.packet, defect } }] };
    const found = [...variations(spoiled, profile)].find(({ what }) => what.endsWith(': defect'));
    expect(found).toEqual({
      what: 'step 1 (inject SEND_ONLY): defect',
      is: 'another P_Key',
      options: [{ value: 'none', scenario: ahead }],
    });
    expect([...variations(ahead, profile)].some(({ what }) => what.endsWith(': defect'))).toBe(false);
  });

  it('takes lengths along to another path MTU, as many MTUs and bytes as they were', () => {
    const target = { region: 0, offset: 300, length: 515 };
    const packet = {
      operation: 'RDMA_WRITE_FIRST' as const,
      psn: { from: 'next' as const, offset: 700 },
      ackReq: true,
      payload: { mtus: 1, bytes: 0 },
      target,
    };
    const long: Scenario = {
      ...ahead,
      regions: [{ length: 768, access: [], fill: 1 }],
      steps: [
        { do: 'post_recv', length: 1088 },
        { do: 'post_recv', length: 64 },
        { do: 'inject', packet },
      ],
    };
    const mtus = [...variations(long, profile)].find(({ what }) => what === 'path MTU');
    const wide = mtus?.options.find(({ value }) => value === '1024')?.scenario;
    expect(wide).toEqual({
      ...long,
      mtu: 1024,
      regions: [{ length: 3072, access: [], fill: 1 }],
      steps: [
        { do: 'post_recv', length: 4 * 1024 + 64 },
        { do: 'post_recv', length: 64 },
        {
          do: 'inject',
          packet: { ...packet, target: { ...target, offset: 1024 + 44, length: 2 * 1024 + 3 } },
        },
      ],
    });
  });

  it('takes no part for one that matters where luck decides', async () => {
    let runs = 0;
    // every second run shows nothing, whatever the scenario
    const breaks = async (): Promise<boolean> => Promise.resolve(++runs % 2 === 0);
    const sure = await influencesOf(ahead, profile, breaks, { ...bounds, sure: 3 });
    expect(sure.flatMap(({ kept }) => kept)).toEqual([]);
    expect(sure.flatMap(({ broken }) => broken).length).toBeGreaterThan(5);
    const once = await influencesOf(ahead, profile, breaks, bounds);
    expect(once.flatMap(({ kept }) => kept).length).toBeGreaterThan(5);
  });

  it('tries often enough what it has begun, also where the time ends meanwhile', async () => {
    let runs = 0;
    const breaks = async (): Promise<Effect> => {
      runs++;
      return Promise.resolve(false);
    };
    const late = { ...bounds, parallel: 1, sure: 3, stop: () => runs > 0 };
    const influences = await influencesOf(ahead, profile, breaks, late);
    expect(runs).toBe(3);
    expect(influences.flatMap(({ kept }) => kept)).toHaveLength(1);
  });

  it('tries nothing again that the device died of, in this finding and in the next one', async () => {
    const lethal = new Set<string>();
    let deaths = 0;
    const breaks = async (scenario: Scenario): Promise<Effect> => {
      const [step] = scenario.steps;
      const dies = step?.do === 'inject' && step.packet.psn.offset === 0;
      if (dies) deaths++;
      return Promise.resolve(dies ? 'died' : false);
    };
    const other: Scenario = { ...ahead, mtu: 512 };
    for (const scenario of [ahead, other]) {
      const influences = await influencesOf(scenario, profile, breaks, { ...bounds, sure: 3, lethal });
      const offsets = influences.find(({ what }) => what.endsWith('psn offset'));
      // neither broken nor kept: nobody knows
      expect(offsets).toMatchObject({ broken: [], kept: ['2', '3', '-1'] });
      expect(deaths).toBe(1);
    }
    expect([...lethal]).toEqual(['step (inject SEND_ONLY): psn offset=0']);
  });

  it('tells the parts on which it depends from those on which it does not', async () => {
    const breaks = async (scenario: Scenario): Promise<boolean> => {
      const [step] = scenario.steps;
      return Promise.resolve(step?.do === 'inject' && step.packet.psn.offset > 0);
    };
    const influences = await influencesOf(ahead, profile, breaks, bounds);
    const matter = influences.filter(({ kept }) => kept.length > 0);
    expect(matter).toEqual([
      { what: 'step 1 (inject SEND_ONLY): psn offset', is: '1', broken: ['2', '3'], kept: ['0', '-1'] },
    ]);
    expect(influences.length).toBeGreaterThan(5);
  });

  it('takes a length as one part, in units of the path MTU', async () => {
    const long: Scenario = {
      ...ahead,
      mtu: 512,
      steps: ahead.steps.map((step) =>
        step.do === 'inject'
          ? { ...step, packet: { ...step.packet, payload: { mtus: 2, bytes: -1 } } }
          : step,
      ),
    };
    const breaks = async (scenario: Scenario): Promise<boolean> => {
      const [step] = scenario.steps;
      const { mtus = 0, bytes = 0 } = step?.do === 'inject' ? step.packet.payload : {};
      return Promise.resolve(mtus * scenario.mtu + bytes > scenario.mtu);
    };
    const influences = await influencesOf(long, profile, breaks, bounds);
    expect(influences.filter(({ kept }) => kept.length > 0)).toEqual([
      {
        what: 'step 1 (inject SEND_ONLY): payload',
        is: '1 MTU + 511 bytes',
        broken: ['1 MTU + 1 byte', '2 MTU'],
        kept: ['0 bytes', '1 byte', '4 bytes', '1 MTU'],
      },
    ]);
  });

  it('leaves out what could not be told, and stops when told to', async () => {
    expect(await influencesOf(ahead, profile, async () => Promise.resolve(undefined), bounds)).toEqual([]);
    let runs = 0;
    const once = { ...bounds, stop: () => runs > 0 };
    const some = await influencesOf(ahead, profile, async () => Promise.resolve(++runs > 0), once);
    expect(some.flatMap(({ broken }) => broken)).toHaveLength(1);
  });

  it('is part of a failure that a run finds', async () => {
    const adapter = await resolveAdapter('reference:mutant=nak-psn-of-request', '.');
    const property = 'rc-responder/psn-walk';
    const { failures } = await runConformance({ adapter, property, rule: 'rc-request-ahead', runs: 40 });
    const matter = failures[0]?.influences?.filter(({ kept }) => kept.length > 0) ?? [];
    expect(matter.map(({ what }) => what).join()).toMatch(/psn offset/);
  });
});
