import { describe, expect, it } from 'vitest';
import { loadRules } from '../../oracle/index.ts';
import { CapturedHunt } from '../../scripts/captured-mutants/hunt.ts';
import { classOf, page } from '../../scripts/captured-mutants/page.ts';
import { loadMutants } from '../../suites/index.ts';
import { readProjectFile } from '../project/files.ts';

const rules = loadRules();
const judged = loadMutants(rules).filter(({ notJudged }) => notJudged === undefined);
const hunt = await CapturedHunt.open(rules, 1);

describe('mutants in captures', () => {
  it('are all named once by the page (made anew by `npm run captured-mutants`)', () => {
    const [, lists = ''] = readProjectFile('docs/reference/captured-mutants.md').split('\n## Found\n');
    const rows = lists.split('\n').map((line) => (line.startsWith('|') ? line.split('|')[1] : line) ?? '');
    const named = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, id]) => id));
    const ids = new Set<string>(judged.map(({ id }) => id));
    const known = named.filter((id) => id !== undefined && ids.has(id));
    expect(known).toHaveLength(ids.size);
    expect(new Set(known)).toEqual(ids);
  });

  it('have a class each, by which the page counts them', () => {
    expect(judged.map((mutant) => classOf(mutant, rules).says)).not.toContain('');
    const found = [{ mutant: judged[0]?.id ?? '', killing: 1, alone: ['rc-x'], falseAlarms: [] }];
    const text = page(judged, found, rules);
    expect(text).toContain('- `check` alone finds 1 (0 %).');
    expect(text).toContain(`| \`${judged[0]?.id}\` | \`rc-x\` |  |`);
  });

  it.each([
    ['msn-per-packet', true, true],
    ['rnr-retry-skips-one', false, true],
    ['ud-acknowledges', false, false],
  ] as const)('%s: found alone %s, with --complete %s', async (id, alone, complete) => {
    const mutant = judged.find((one) => one.id === id);
    if (mutant === undefined) throw new Error(`there is no mutant ${id}`);
    const found = await hunt.hunt(mutant);
    expect([found.alone !== undefined, found.complete !== undefined]).toEqual([alone, complete]);
    expect(found.killing).toBeGreaterThan(0);
  });
});
