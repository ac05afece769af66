import { describe, expect, it } from 'vitest';
import { knownFor, readKnown } from '../../cli/files/known-file.ts';
import { loadRules } from '../../oracle/index.ts';
import { findingName } from '../../report/results.ts';
import { findingsPage } from '../../scripts/findings/page.ts';
import { madePages } from '../../scripts/findings/make.ts';
import { described, notes, recordedRuns } from '../../scripts/findings/runs.ts';
import { expectedBy } from '../../suites/known.ts';
import { readProjectFile, root } from '../project/files.ts';

const page = 'docs/findings/soft-roce.md';

describe('the pages of findings', () => {
  it.each(Object.entries(madePages()))('%s is what `npm run findings` makes', (place, text) => {
    expect(readProjectFile(place)).toBe(text);
  });

  it('have a section for each place that the list of known divergences names', () => {
    const anchors = new Set(
      [...readProjectFile(page).matchAll(/^## (.*)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w\- ]/g, '')
          .replaceAll(' ', '-'),
      ),
    );
    const links = described().flatMap(({ link }) => link?.split('#')[1] ?? []);
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter((anchor) => !anchors.has(anchor))).toEqual([]);
  });

  it('are made of findings that the list of known divergences names, each by itself or by its rule', () => {
    const ids = loadRules().rules.map(({ id }) => id);
    const all = readKnown('adapters/rxe/known.yaml', root, ids);
    for (const { name, result } of recordedRuns().filter((run) => /^\d/.test(run.name))) {
      const { known } = knownFor(all, { adapter: 'rxe', version: `Linux ${name}.1` }, new Date());
      const fresh = result.failures.filter(
        ({ rule, signature = '' }) => expectedBy(known, { rule, signature }) === undefined,
      );
      expect(fresh.map(findingName)).toEqual([]);
      const other = { rule: 'rc-send-too-long', signature: 'a second defect' };
      expect(expectedBy(known, other)).toBeUndefined();
    }
  });

  it('are made of runs whose commands name no path of a machine', () => {
    const commands = recordedRuns().map(({ result }) => result.command ?? '');
    expect(commands.join('\n')).toMatch(/^npx rdma-conform .*--known adapters\//);
    expect(commands.filter((command) => /[ =]\//.test(command))).toEqual([]);
  });

  it('tell of a section whether the runs break its rules', () => {
    const [first] = recordedRuns();
    if (first === undefined) throw new Error('no run is checked in');
    const none = { ...first.result, failures: [], rules: [] };
    const quiet = findingsPage([{ name: '6.1', result: none }], notes(), described());
    expect(quiet).not.toContain('Broken in these runs');
    expect(quiet).toContain('In these runs none of its rules was broken.');
    expect(readProjectFile(page)).toContain('`rc-duplicate-read` (6.1, 6.12, 7.3)');
  });

  it('name a rule in the section that describes its finding, and in no other one', () => {
    const text = readProjectFile(page);
    const section = (heading: string): string => text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
    const told = 'Broken in these runs: `rc-timeout-nothing-outstanding` (6.12, 7.3).';
    expect(section('A timer of the life before')).toContain(told);
    expect(section('rc-send-completes')).toContain(
      'Broken in these runs: `rc-send-completes` (6.1, 6.12, 7.3).',
    );
  });
});
