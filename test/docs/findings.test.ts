import { describe, expect, it } from 'vitest';
import { findingsPage } from '../../scripts/findings/page.ts';
import { madePages } from '../../scripts/findings/make.ts';
import { described, notes, recordedRuns } from '../../scripts/findings/runs.ts';
import { readProjectFile } from '../project/files.ts';

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

  it('tell of a section whether the runs break its rules', () => {
    const [first] = recordedRuns();
    if (first === undefined) throw new Error('no run is checked in');
    const none = { ...first.result, failures: [], rules: [] };
    const quiet = findingsPage([{ name: '6.1', result: none }], notes(), described());
    expect(quiet).not.toContain('Broken in these runs');
    expect(quiet).toContain('In these runs none of its rules was broken.');
    expect(readProjectFile(page)).toContain('`rc-duplicate-read` (6.1, 6.12)');
  });
});
