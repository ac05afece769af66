import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultConfig, referenceAdapter, type ReferenceConfig } from '../../../adapters/reference/index.ts';
import { dcqcnProfile, dcqcnProfileNames, type DcqcnProfileName } from '../../../spec/dcqcn.ts';
import { encodeToken, decodeToken, runConformance, type Scenario } from '../../../suites/index.ts';
import { congestion } from '../../../suites/congestion/index.ts';
import { throughSwitch } from '../../../suites/congestion/path.ts';
import { drive } from '../drive.ts';
import { profile } from '../profile.ts';

const settings = defaultConfig.congestion;

function named(name: DcqcnProfileName): Partial<ReferenceConfig> {
  const { lineRate, cnp, dcqcn } = dcqcnProfile(name);
  return { congestion: { ...settings, lineRate, cnp, dcqcn } };
}

function firstRate(cut: 'slot-end' | 'at-once'): Partial<ReferenceConfig> {
  const { dcqcn } = settings;
  if (dcqcn === undefined) throw new Error('no reaction point');
  return { congestion: { ...settings, cut, dcqcn: { ...dcqcn, firstRate: 0.85 * settings.lineRate } } };
}

/** What a conformant device may choose of its congestion control. */
const choices: readonly [string, Partial<ReferenceConfig>][] = [
  ['default', {}],
  ['cut at once', { congestion: { ...settings, cut: 'at-once' } }],
  ['two counts', { congestion: { ...settings, increase: 'two-counts' } }],
  ['CNPs with ECT(0)', { congestion: { ...settings, cnpEcn: 2, cnpDscp: 0 } }],
  ['a rate for the first CNP', firstRate('slot-end')],
  ['a rate for the first CNP, cut at once', firstRate('at-once')],
  ['paced by source', { congestion: { ...settings, cnp: { interval: 4000, scope: 'source' } } }],
  ['paced by port', { congestion: { ...settings, cnp: { interval: 20_000, scope: 'port' } } }],
  ['no rates told', { rateReports: false }],
  ['no rates told, paced by 10 Mb/s at least', { ...named('brisk'), rateReports: false }],
  ...dcqcnProfileNames.map((name): [string, Partial<ReferenceConfig>] => [name, named(name)]),
];

describe('congestion control of a conformant device', () => {
  it.each(choices)('breaks no rule: %s', async (_, responder) => {
    const result = await runConformance({
      adapter: referenceAdapter({ responder }),
      properties: congestion,
      seed: 3,
      runs: 2 * congestion.length,
    });
    expect(result.failures).toEqual([]);
  });

  it('is unsupported where the device has none, and then nothing is tried', async () => {
    const result = await runConformance({
      adapter: referenceAdapter({ responder: { rcm: false } }),
      properties: congestion,
      seed: 1,
      runs: 30,
    });
    expect(result.cases).toBe(0);
    const bound = result.rules.filter(({ id }) => id.startsWith('cc-'));
    expect(bound.length).toBeGreaterThan(50);
    expect(bound.every(({ verdict }) => verdict === 'unsupported')).toBe(true);
  });
});

describe('a reaction point that declares DC-QCN', () => {
  const heedless = referenceAdapter({ mutant: 'cnp-without-effect' });
  const options = {
    properties: congestion.filter(({ id }) => id.startsWith('congestion/rates')),
    seed: 1,
    runs: 30,
  };

  it('and that it tells of rates, but tells of none, breaks rules', async () => {
    const result = await runConformance({ adapter: heedless, ...options });
    expect(result.failures.map(({ rule }) => rule)).toContain('cc-cnp-noticed');
  });

  it('and does not say that it tells of rates is held to none', async () => {
    const silent = referenceAdapter({ responder: { rateReports: false } });
    const result = await runConformance({ adapter: silent, ...options });
    expect(result.cases).toBe(30);
    expect(result.failures).toEqual([]);
    const bound = result.rules.filter(({ id }) => /^cc-(rate|cut|alpha|pace|cnp-noticed)/.test(id));
    expect(bound.length).toBeGreaterThan(15);
    expect(bound.every(({ verdict }) => verdict === 'unsupported')).toBe(true);
  });
});

describe('a scenario with a switch on its path', () => {
  const [scenario] = sample();

  function sample(): Scenario[] {
    const told = { ...profile, congestion: { lineRate: settings.lineRate, cnp: settings.cnp } };
    return fc.sample(throughSwitch.arbitrary(told), { numRuns: 1, seed: 5 });
  }

  it('is told by its token', () => {
    if (scenario === undefined) throw new Error('no scenario');
    const found = { rule: 'cc-hop-marked', property: throughSwitch.id, adapter: 'reference', scenario };
    expect(decodeToken(encodeToken(found)).scenario).toEqual(scenario);
  });

  it('tells of each packet that meets the switch', async () => {
    if (scenario === undefined) throw new Error('no scenario');
    const { events, header } = await drive(scenario);
    expect(header.path).toEqual(scenario.path);
    const requests = events.filter((e) => e.kind === 'packet' && e.direction === 'from-dut').length;
    const hops = events.filter((e) => e.kind === 'hop').length;
    expect(hops).toBeGreaterThanOrEqual(requests);
  });
});
