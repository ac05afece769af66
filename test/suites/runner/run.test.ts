import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Adapter } from '../../../adapters/adapter.ts';
import { AdapterBroken } from '../../../adapters/adapter.ts';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import {
  decodeToken,
  readCases,
  replayCase,
  runConformance,
  type RunOptions,
  type Scenario,
} from '../../../suites/index.ts';
import { spoiled, swapNak } from '../spoiled.ts';

const gap = 'rc-responder/psn-gap';
const noTime = { durationMs: 0 };
const badNak = (): Adapter => swapNak('bad-nak', 0x60, 0x61);

describe('a run on the reference NIC', () => {
  it('finds no violation, and says the same each time', async () => {
    const options: RunOptions = { adapter: referenceAdapter(), seed: 11, runs: 300 };
    const first = await runConformance(options);
    expect(first.errors).toEqual([]);
    expect(first.failures.map((f) => [f.rule, f.expected, f.observed])).toEqual([]);
    expect(first.rules.filter((r) => r.violations > 0).map((r) => r.id)).toEqual([]);
    expect(first.cases).toBe(300);
    const again = await runConformance(options);
    expect(JSON.stringify({ ...again, ...noTime })).toBe(JSON.stringify({ ...first, ...noTime }));
  });
});

describe('a run that its time limit ends', () => {
  it('tells what was not run from what never arose', async () => {
    const result = await runConformance({ adapter: referenceAdapter(), runs: 3000, timeLimit: 0.001 });
    const { length } = result.properties;
    const left = result.properties.filter(({ verdict }) => verdict === 'vacuous').length;
    expect(left).toBeGreaterThan(0);
    expect(result.partial).toEqual(['the time limit was reached', `${left} of ${length} properties not run`]);
    const vacuous = result.rules.filter(({ verdict }) => verdict === 'vacuous');
    expect(new Set(vacuous.map(({ why }) => why))).toEqual(
      new Set(['the time limit was reached before its case arose']),
    );
  });
});

describe('a run that somebody ends while it looks for what matters', () => {
  it('reports what was confirmed, though the device hangs', async () => {
    const device = badNak();
    const asked = new AbortController();
    const adapter: Adapter = {
      ...device,
      open: (options) => (asked.signal.aborted ? new Promise(() => undefined) : device.open(options)),
    };
    const nothing = (): void => undefined;
    const record = { begin: nothing, case: nothing, doubt: nothing, failure: () => asked.abort() };
    const options = { adapter, seed: 1, runs: 40, property: gap, signal: asked.signal, record };
    const result = await runConformance(options);
    expect(result.interrupted).toBe(true);
    const [failure] = result.failures;
    expect(failure?.reproduced).toEqual({ times: 10, of: 10 });
    expect(failure?.influences).toBeUndefined();
    expect(result.rules.find((rule) => rule.id === failure?.rule)?.verdict).toBe('fail');
  }, 30_000);
});

describe('a run on a NIC with a fault', () => {
  it('names the rule, shrinks the scenario, confirms it, and gives a token that shows it again', async () => {
    const result = await runConformance({ adapter: badNak(), seed: 1, runs: 40, property: gap });
    const failure = result.failures.find((f) => f.rule === 'rc-request-ahead');
    if (failure === undefined) throw new Error('the fault was not found');
    expect(result.rules.find((r) => r.id === 'rc-request-ahead')?.verdict).toBe('fail');
    expect(result.properties[0]).toMatchObject({ id: gap, verdict: 'fail', cases: 40 });
    expect(failure.reproduced).toEqual({ times: 10, of: 10 });
    const { steps } = failure.scenario as Scenario;
    expect(steps.length).toBeLessThanOrEqual(2);
    expect(failure.ladder.filter((line) => line.guilty === true)).toHaveLength(1);
    const found = decodeToken(failure.token);
    expect(found).toEqual({
      signature: failure.signature,
      rule: 'rc-request-ahead',
      property: gap,
      adapter: 'bad-nak',
      scenario: failure.scenario,
    });
    expect((await replayCase(badNak(), found)).reproduced).toBe(true);
    expect((await replayCase(referenceAdapter(), found)).reproduced).toBe(false);
  });

  it('is inconclusive where the fault does not show again', async () => {
    let left = 1;
    const once = spoiled('once', ({ aeth }) =>
      aeth?.syndrome === 0x60 && left-- > 0 ? { aeth: { ...aeth, syndrome: 0x62 } } : {},
    );
    const result = await runConformance({
      adapter: once,
      runs: 40,
      property: gap,
      rule: 'rc-request-ahead',
      shrinkTime: 1,
    });
    expect(result.failures).toEqual([]);
    expect(result.rules).toMatchObject([
      { verdict: 'inconclusive', why: 'seen, but reproduced only 0 times of 10' },
    ]);
  });

  it('counts a known divergence, and misses one that does not show', async () => {
    const known = [
      { rule: 'rc-request-ahead', reason: 'as built' },
      { rule: 'rc-drop-bad-icrc', reason: 'not exercised here' },
      { rule: 'rc-request-expected', reason: 'mended since' },
      { rule: 'rc-response-addressee', reason: 'shows under load', seldom: 'needs load' },
    ];
    const result = await runConformance({ adapter: badNak(), runs: 40, property: gap, known });
    expect(result.failures.find((f) => f.rule === 'rc-request-ahead')?.known).toBe(true);
    expect(result.rules.find((r) => r.id === 'rc-request-ahead')?.known).toEqual({ reason: 'as built' });
    expect(result.rules.find((r) => r.id === 'rc-response-addressee')?.verdict).toBe('pass');
    expect(result.unexpectedPasses).toEqual(['rc-request-expected']);
  });

  it('stops at the first divergence with bail, but not at a known one', async () => {
    const options = { adapter: badNak(), runs: 200, property: gap, bail: true };
    const { cases } = await runConformance(options);
    expect(cases).toBeLessThan(200);
    const all = await runConformance({
      ...options,
      rule: 'rc-request-ahead',
      known: [{ rule: 'rc-request-ahead', reason: 'known' }],
    });
    expect(all.cases).toBe(200);
  });
});

/** The reference NIC, which cannot be opened where `breaks` says so of the nth time, from 1. */
function breaking(breaks: (nth: number) => boolean): Adapter {
  let opened = 0;
  const inner = referenceAdapter();
  return {
    name: 'breaking',
    describe: () => inner.describe(),
    open: async (options) => {
      if (breaks(++opened)) throw new AdapterBroken('the device is gone');
      return inner.open(options);
    },
  };
}

describe('the end of a run', () => {
  it('keeps what was found when interrupted', async () => {
    const abort = new AbortController();
    let packets = 0;
    const result = await runConformance({
      adapter: spoiled('interrupting', () => {
        // the case that is under way does not count
        if (++packets === 2000) abort.abort();
        return {};
      }),
      runs: 500,
      signal: abort.signal,
    });
    expect(result.interrupted).toBe(true);
    expect(result.cases).toBeGreaterThan(0);
    expect(result.cases).toBeLessThan(500);
  });

  it('comes when the time is over', async () => {
    const result = await runConformance({ adapter: referenceAdapter(), runs: 1e6, timeLimit: 0.2 });
    expect(result.cases).toBeLessThan(1e6);
    expect(result.interrupted).toBe(false);
  });

  it('is an error, never a pass, where the adapter breaks for the third time; what came before is kept', async () => {
    const result = await runConformance({ adapter: breaking((nth) => nth > 30), runs: 100, property: gap });
    expect(result.errors).toEqual([`${gap}: the device is gone`]);
    expect(result.properties).toMatchObject([{ verdict: 'error', error: 'the device is gone' }]);
    expect(result.cases).toBe(33);
    expect(result.packets).toBeGreaterThan(0);
  });

  it('goes on behind a case that breaks the device, with another device', async () => {
    const result = await runConformance({ adapter: breaking((nth) => nth === 31), runs: 100, property: gap });
    expect(result.errors).toEqual([`${gap}: the device is gone`]);
    expect(result.cases).toBe(100);
  });

  it('tells how far it is', async () => {
    const phases = new Set<string>();
    await runConformance({
      adapter: badNak(),
      runs: 60,
      property: gap,
      onProgress: (p) => phases.add(p.phase),
    });
    expect(phases.has('shrinking')).toBe(true);
  });
});

describe('case files', () => {
  const made: string[] = [];
  afterEach(() => {
    for (const path of made.splice(0)) rmSync(path, { recursive: true });
  });

  it('are written for new failures and replayed first', async () => {
    const caseDirectory = mkdtempSync(join(tmpdir(), 'run-'));
    made.push(caseDirectory);
    const options = { adapter: badNak(), property: gap, rule: 'rc-request-ahead', caseDirectory };
    const first = await runConformance({ ...options, runs: 40 });
    expect(readdirSync(caseDirectory).map((name) => name.replace(/^.*\./, ''))).toEqual(['json', 'pcapng']);
    expect(readCases(caseDirectory)[0]?.found.scenario).toEqual(first.failures[0]?.scenario);
    const none = await runConformance({ ...options, runs: 1, seed: 3 });
    expect(none.failures.map((f) => f.rule)).toEqual(['rc-request-ahead']);
  });
});

describe('a folder of cases that takes none', () => {
  it('costs the files, and never the report', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'run-'));
    try {
      writeFileSync(join(folder, 'cases'), 'no folder');
      const lines: string[] = [];
      const result = await runConformance({
        adapter: badNak(),
        property: gap,
        rule: 'rc-request-ahead',
        runs: 40,
        caseDirectory: join(folder, 'cases', 'deeper'),
        log: (line) => lines.push(line),
      });
      expect(result.failures.map(({ rule }) => rule)).toEqual(['rc-request-ahead']);
      expect(result.failures[0]).not.toHaveProperty('caseFile');
      expect(lines).toEqual([
        expect.stringMatching(/deeper cannot be written, so that only the report has them/),
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('what is asked for', () => {
  it('must exist', async () => {
    const adapter = referenceAdapter();
    await expect(runConformance({ adapter, rule: 'rc-nothing' })).rejects.toThrow('unknown rule rc-nothing');
    await expect(runConformance({ adapter, suite: 'nothing' })).rejects.toThrow(RangeError);
  });

  it('narrows the rules and properties of the result', async () => {
    const result = await runConformance({
      adapter: referenceAdapter(),
      runs: 30,
      rule: 'rc-receiver-not-ready',
    });
    expect(result.rules.map((r) => r.id)).toEqual(['rc-receiver-not-ready']);
    expect(result.properties.map((p) => p.id)).toEqual([
      'rc-responder/receiver-not-ready',
      'rc-responder/gap-and-not-ready',
      'parameters/rnr-timer-in-nak',
      'device/responders',
      'device/shared-receives',
      'rc-responder/not-ready-at-the-end',
      'device/destroyed-on-srq',
      'verbs/receives-kept',
      'rc-responder/repeats-between',
      'verbs/unexecuted-invalidations',
      'rc-responder/rnr-timer-in-use',
    ]);
    const should = await runConformance({ adapter: referenceAdapter(), runs: 30, level: 'should' });
    expect(new Set(should.rules.map((r) => r.level))).toEqual(new Set(['should']));
  });
});
