import { describe, expect, it } from 'vitest';
import { coverageOf, rulesByStatement, undoneOf, type CoverageInput } from '../../cli/coverage/coverage.ts';
import { formatMistake, loadExcuses } from '../../cli/coverage/excuses.ts';
import { gatherCoverage, statementsByDocument } from '../../cli/coverage/gather.ts';
import { loadRules } from '../../oracle/index.ts';
import type { Verdict } from '../../report/results.ts';
import { small } from '../oracle/compile/fixture.ts';

const rules = loadRules();
const documents = statementsByDocument();
const statements = new Map([...documents.values()].flat().map((statement) => [statement.id, statement]));
const coveredBy = rulesByStatement(rules.rules);
const because = 'a reason that is long enough';

/** Mistakes in one file of excuses. */
function mistakes(text: string): string[] {
  // The folder has no excuses of its own; statements and rules are the package's.
  const options = { directory: small, files: { 'coverage/x.yaml': text } };
  return loadExcuses({ statements, coveredBy }, options).mistakes.map(formatMistake);
}

describe('excuses', () => {
  it('of the package have no mistake, and are for statements that nothing covers', () => {
    const { excuses, mistakes: found } = loadExcuses({ statements, coveredBy });
    expect(found.map(formatMistake)).toEqual([]);
    expect(excuses.size).toBeGreaterThan(20);
  });

  it.each([
    [
      'rx-no-such-thing: { kind: informative, because: BECAUSE }',
      '1:1: unknown statement "rx-no-such-thing"',
    ],
    [
      ' rx-psn-nak-carries-epsn: { kind: not-observable, because: BECAUSE }',
      '1:2: rx-psn-nak-carries-epsn is covered by rc-request-ahead: its excuse is stale',
    ],
    [
      'rc-two-parties: { kind: dull, because: BECAUSE }',
      '1:25: "dull" is not allowed in rc-two-parties.kind',
    ],
    ['rc-two-parties: { kind: informative }', '1:17: "because" is missing in rc-two-parties'],
    ['rc-two-parties: { kind: informative, because: no }', '1:47: '],
    [
      'rc-two-parties: { kind: informative, becuase: BECAUSE }',
      '1:38: unknown key "becuase" in rc-two-parties',
    ],
    ['rc-two-parties: { kind: informative, where: there, because: BECAUSE }', '1:45: '],
    ['rc-two-parties: { kind: profile, because: BECAUSE }', '1:17: "where" is missing in rc-two-parties'],
    [
      'rx-loss-by-link-version: { kind: informative, because: BECAUSE }',
      '1:34: rx-loss-by-link-version is a rule, which no device may take as informative',
    ],
    ['rc-two-parties: { kind: table, where: here, because: BECAUSE }', '1:39: "here" is no place of a table'],
    [
      'rc-two-parties: { kind: table, where: "constants/none.yaml#/a", because: BECAUSE }',
      '1:39: there is no file constants/none.yaml',
    ],
    ['- rc-two-parties', '1:1: a list, where a map is needed'],
    ['rc-two-parties: {', '1:18: not valid YAML'],
  ])('%s', (text, message) => {
    expect(mistakes(text.replace('BECAUSE', because)).join('\n')).toContain(`coverage/x.yaml:${message}`);
  });

  it('name a place that must exist in a table', () => {
    const entry = (where: string) => ({
      files: { 'coverage/x.yaml': `rc-two-parties: { kind: table, where: "${where}", because: ${because} }` },
    });
    const found = (where: string) =>
      loadExcuses({ statements, coveredBy }, entry(where)).mistakes.filter(({ file }) =>
        file.endsWith('/x.yaml'),
      );
    const messages = (where: string) => found(where).map(({ message }) => message);
    // excused in the package as well
    const twice = expect.stringContaining(
      'rc-two-parties is excused already, in spec/coverage/retransmission.yaml:',
    );
    expect(messages('constants/timers.yaml#/rnrMicroseconds')).toEqual([twice]);
    expect(messages('constants/timers.yaml#/rnrMiliseconds')).toEqual([
      twice,
      'nothing stands at /rnrMiliseconds of constants/timers.yaml',
    ]);
  });
});

describe('the coverage', () => {
  const base: CoverageInput = {
    rules,
    documents,
    excuses: new Map(),
    mutants: [],
    kills: 'declared',
  };
  const status = (id: string, input: Partial<CoverageInput>) =>
    coverageOf({ ...base, ...input }).statements.find((statement) => statement.id === id)?.status;

  it('needs a mutant for what a must rule covers', () => {
    const id = 'rx-psn-nak-carries-epsn';
    const of = (statementsOfIt: string[], ...broken: string[]) =>
      status(id, { mutants: [{ id: 'x', statements: statementsOfIt, rules: broken }] });
    expect(status(id, {})).toBe('unproved');
    expect(of([], 'rc-drop-pkey')).toBe('unproved');
    expect(of([id], 'rc-request-ahead')).toBe('proved');
    // a neighbour, which breaks the rule and another statement
    expect(of(['rx-psn-nak-condition'], 'rc-request-ahead')).toBe('covered');
    // a mutant that names it, and dies by a rule that does not cover it
    expect(of([id], 'rc-drop-pkey')).toBe('unproved');
  });

  it('says of a statement whose rules cannot be broken by themselves that they lead on', () => {
    const rule = rules.rule('rc-request-expected');
    const id = 'rx-rnr-nak-then-waits-epsn';
    const alone = { ...rules, rules: rules.rules.filter((other) => other.id === rule?.id) };
    const mutants = [{ id: 'x', statements: [id], rules: ['rc-request-ahead-after-rnr-nak'] }];
    expect(status(id, { mutants })).toBe('proved');
    expect(status(id, { mutants, rules: alone })).toBe('leads-on');
  });

  it('says of a statement that binds the switch of the suites alone that it is about a model', () => {
    const id = 'cc-mark-above-high';
    const mutants = [{ id: 'x', statements: [id], rules: ['cc-hop-marked'] }];
    expect(status(id, { mutants })).toBe('model');
    const entry = coverageOf({ ...base, mutants }).rules.find((rule) => rule.id === 'cc-hop-marked');
    expect(entry).toMatchObject({ status: 'model', mutants: ['x'] });
  });

  it('does not take a mutant for a rule', () => {
    const [id = ''] = [...statements.keys()].filter((statement) => !coveredBy.has(statement));
    expect(status(id, { mutants: [{ id: 'x', statements: [id], rules: ['rc-drop-pkey'] }] })).toBe('open');
    expect(status(id, { excuses: new Map([[id, { kind: 'lost', because }]]) })).toBe('excused');
  });

  it('takes advice and choices as they are', () => {
    const should = rules.rules.find(
      ({ level, covers }) => level !== 'must' && covers.some((id) => coveredBy.get(id)?.length === 1),
    );
    const id = should?.covers.find((statement) => coveredBy.get(statement)?.length === 1) ?? '';
    expect(status(id, {})).toBe('covered');
  });

  it('of the package leaves no statement open or unproved, and no must rule without a mutant', () => {
    const { statements: undone, rules: all } = undoneOf(gatherCoverage());
    expect([...undone, ...all].map(({ id }) => id)).toEqual([]);
  });

  it('asks of a rule that leads on no mutant of its own, and of every other must rule one', () => {
    const { rules: all } = undoneOf(coverageOf(base));
    const ids = all.map(({ id }) => id);
    expect(ids).toContain('rc-request-ahead');
    expect(ids).not.toContain('rc-request-expected');
    expect(ids).not.toContain('rc-duplicate-ack-newest');
  });

  it('takes a rule that only moves the model as shown by a mutant of its statements', () => {
    const id = 'rc-timer-started';
    const statement = rules.rule(id)?.covers[0] ?? '';
    const of = (rule: string, named: string) =>
      coverageOf({
        ...base,
        mutants: [{ id: 'x', statements: [named], rules: ['rc-drop-pkey'] }],
      }).rules.find((entry) => entry.id === rule);
    expect(of(id, statement)).toMatchObject({ status: 'shown', mutants: ['x'] });
    expect(of(id, 'rx-drop-bad-icrc')).toMatchObject({ status: 'unproved', mutants: [] });
    // what a device must do is broken under its own name, or not at all
    const demand = 'rc-request-ahead';
    expect(of(demand, rules.rule(demand)?.covers[0] ?? '')).toMatchObject({ status: 'unproved' });
  });

  it('tells what a run did not exercise, or a device does not have', () => {
    const id = 'rx-psn-nak-carries-epsn';
    const mutants = [{ id: 'x', statements: [id], rules: ['rc-request-ahead'] }];
    const run = (exercised: number, verdict: 'pass' | 'vacuous' | 'unsupported') => ({
      mutants,
      run: { adapter: 'a', spec: 's', rules: new Map([['rc-request-ahead', { exercised, verdict }]]) },
    });
    expect(status(id, run(3, 'pass'))).toBe('proved');
    expect(status(id, run(0, 'vacuous'))).toBe('unexercised');
    expect(status(id, run(0, 'unsupported'))).toBe('unsupported');
  });

  it('takes no rule for a verdict that the run did not reach, or that the device does not have', () => {
    // covered by rules of RC, UC and UD; the mutant dies by one of them
    const id = 'rx-drop-bad-icrc';
    const by = (rule: string) => ({
      mutants: [
        { id: 'x', statements: [id], rules: [rule] },
        { id: 'y', statements: ['rx-loss-by-crc-error'], rules: ['rc-drop-bad-icrc'] },
      ],
      run: {
        adapter: 'a',
        spec: 's',
        rules: new Map([
          ['rc-drop-bad-icrc', { exercised: 4, verdict: 'pass' as const }],
          ['ooo-discard', { exercised: 0, verdict: 'unsupported' as const }],
        ]),
      },
    });
    expect(status(id, by('rc-drop-bad-icrc'))).toBe('proved');
    expect(status(id, by('ooo-discard'))).toBe('covered');
  });

  it('says what a device would need for a statement to be judged', () => {
    const { statements: all } = coverageOf({
      ...base,
      run: {
        adapter: 'a',
        spec: 's',
        rules: new Map(
          rules.rules.map(({ id, requires }): [string, { exercised: number; verdict: Verdict }] => [
            id,
            requires.length > 0
              ? { exercised: 0, verdict: 'unsupported' }
              : { exercised: 1, verdict: 'pass' },
          ]),
        ),
      },
    });
    const of = (id: string) => all.find((statement) => statement.id === id);
    expect(of('cc-cnp-coalesce')).toMatchObject({ status: 'unsupported', lacks: ['rcm'] });
    expect(of('cc-alpha-slot-flag')).toMatchObject({ lacks: ['dcqcn', 'rate-reports'] });
    expect(of('rx-psn-nak-carries-epsn')?.lacks).toBeUndefined();
  });
});
