import { describe, expect, it } from 'vitest';
import { parseKnown, knownFor } from '../../cli/files/known-file.ts';
import { loadRules } from '../../oracle/index.ts';
import { knownRun } from '../../report/formats/known.ts';
import type { ReportContext } from '../../report/reporter.ts';
import type { RunResult } from '../../report/results.ts';
import { recordedRuns } from '../../scripts/findings/runs.ts';
import { expectedBy } from '../../suites/known.ts';
import { sampleFailure, sampleRun } from './sample.ts';

const context: ReportContext = { version: '1.2.3', width: 80, colour: false, adapter: 'rxe:kernel=6.12' };
const ids = loadRules().rules.map(({ id }) => id);
const entriesOf = (result: RunResult): ReturnType<typeof parseKnown> =>
  parseKnown(knownRun(result, context), 'known.yaml', ids);

describe('the list of what is new in a run', () => {
  it.each(
    recordedRuns()
      .map(({ result }) => result)
      .filter(({ adapter }) => adapter.name === 'rxe'),
  )('names every finding of $adapter.profile.version, and the device', (result) => {
    const fresh = { ...result, failures: result.failures.map((found) => ({ ...found, known: false })) };
    const version: unknown = Reflect.get(Object(result.adapter.profile), 'version');
    const device = { adapter: 'rxe:kernel=6.1', version: String(version) };
    const { known } = knownFor(entriesOf(fresh), device, new Date());
    expect(fresh.failures.length).toBeGreaterThan(50);
    for (const { rule, signature = '' } of fresh.failures)
      expect(expectedBy(known, { rule, signature }), `${rule}: ${signature}`).toBeDefined();
    expect(knownFor(entriesOf(fresh), { ...device, version: 'another' }, new Date()).known).toEqual([]);
  });

  const [rule = ''] = ids;
  const found = { ...sampleFailure, rule, known: false, reproduced: { times: 5, of: 5 } };

  it('leaves out what is known, and is a list without anything', () => {
    const known = { ...found, known: true };
    expect(entriesOf(sampleRun({ failures: [known] }))).toEqual([]);
    expect(entriesOf(sampleRun({ failures: [known, { ...found, signature: 'x' }] }))).toMatchObject([
      { rule, signature: 'x' },
    ]);
  });

  it.each([
    ['verbs:mlx5_0,netdev=eth1', 'verbs'],
    ['stdio:./nic 2>log', 'stdio'],
    ['./mine.ts', './mine.ts'],
    ['reference:mutant=nak-psn-of-request', 'reference:mutant=nak-psn-of-request'],
  ])('is of the device: %s', (adapter, listed) => {
    const text = knownRun(sampleRun({ failures: [found] }), { ...context, adapter });
    expect(parseKnown(text, 'known.yaml', ids)).toMatchObject([{ adapter: listed }]);
  });

  it('names a finding of several states once, and says which may not show again', () => {
    const failures = [
      { ...found, signature: 'ACK' },
      { ...found, signature: 'ACK, after RESET', reproduced: { times: 3, of: 5 } },
    ];
    expect(entriesOf(sampleRun({ failures }))).toMatchObject([
      { rule, signature: 'ACK, *', adapter: 'rxe', seldom: expect.stringContaining('3 of 5') },
    ]);
  });
});
