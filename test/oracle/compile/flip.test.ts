import { describe, expect, test } from 'vitest';
import { flips } from '../../../oracle/compile/table/flips.ts';
import { loadRules } from '../../../oracle/compile/load.ts';
import { withOutcomes } from '../../../oracle/compile/variant.ts';
import type { Rule, RuleSet } from '../../../oracle/rules.ts';
import { edited, small } from './fixture.ts';

const options = { directory: small };
const rules = loadRules(options);

/** What a rule demands and asks, without where it stands. */
function meaning(set: RuleSet): Map<string, Omit<Rule, 'location'>> {
  return new Map(
    set.rules.map(({ location: _location, ...rest }): [string, Omit<Rule, 'location'>] => [rest.id, rest]),
  );
}

describe('rule mutants', () => {
  const found = flips(rules, options);

  test('every other value of every outcome that a rule gives or takes by default', () => {
    expect(
      found.map(({ rule, alternative, key, from, to }) => `${rule}/${alternative} ${key}: ${from} -> ${to}`),
    ).toEqual([
      'execute-acknowledged/0 reply: acknowledge -> none',
      'execute-acknowledged/0 reply: acknowledge -> nak',
      'execute-acknowledged/0 events: established|nothing -> ',
      'execute-quietly/0 reply: none -> acknowledge',
      'execute-quietly/0 reply: none -> nak',
      'execute-quietly/0 events: nothing -> established',
      'execute-quietly/0 events: nothing -> ',
      'request-ahead/0 reply: nak -> none',
      'request-ahead/0 reply: nak -> acknowledge',
      'request-ahead/0 nakCode: sequence -> ',
      'request-ahead-again/0 reply: none -> acknowledge',
      'request-ahead-again/0 reply: none -> nak',
      'request-duplicate/0 reply: acknowledge -> nak',
      'request-duplicate/1 reply: none -> nak',
    ]);
  });

  test('each changes that outcome and nothing else', () => {
    for (const flip of found) {
      const mutant = withOutcomes(rules, flip);
      const wanted = meaning(rules);
      const rule = wanted.get(flip.rule);
      expect(rule).toBeDefined();
      if (rule === undefined) continue;
      const { [flip.key]: _before, ...rest } = rule.outcomes[flip.alternative] ?? {};
      const to = flip.key === 'events' ? [flip.to] : flip.to;
      const after = flip.to === '' ? rest : { ...rest, [flip.key]: to };
      wanted.set(flip.rule, { ...rule, outcomes: rule.outcomes.with(flip.alternative, after) });
      expect(meaning(mutant), `${flip.rule} ${flip.key} -> ${flip.to}`).toEqual(wanted);
    }
  });

  test('what decides is the changed rule, and the set that was stays as it was', () => {
    const flip = found.find(({ rule, to }) => rule === 'request-ahead' && to === 'acknowledge');
    if (flip === undefined) throw new Error('no such flip');
    const before = rules.rule(flip.rule);
    const table = rules.tables.get(before?.table ?? '');
    const other = withOutcomes(rules, flip).tables.get(before?.table ?? '');
    const masks = table?.facts.map(() => -1) ?? [];
    const said = (set: typeof table): unknown =>
      set?.decideAny(masks).find(({ id }) => id === flip.rule)?.outcomes[0]?.['reply'];
    expect([said(table), said(other)]).toEqual(['nak', 'acknowledge']);
  });

  test('files that have changed since are refused', () => {
    const files = {
      'machines/toy/execute.yaml': edited('machines/toy/execute.yaml', ['level: must', 'level: may']),
    };
    expect(() => flips(rules, { ...options, files })).toThrow(RangeError);
  });
});
