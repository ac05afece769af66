import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { compileSources } from '../../oracle/compile/compile.ts';
import { flips } from '../../oracle/compile/table/flips.ts';
import { withOutcomes } from '../../oracle/compile/variant.ts';
import { generatedFiles } from '../../oracle/compile/generate.ts';
import { RuleError, formatDiagnostic, lintRules, loadRules } from '../../oracle/compile/load.ts';
import { readSources } from '../../oracle/compile/sources.ts';
import type { DecisionTable } from '../../oracle/rules.ts';
import { validator } from '../../oracle/compile/shape.ts';
import { specDirectory } from '../../spec/load.ts';

const { rules, diagnostics } = lintRules();
const names = [...readSources().rules.keys()];
/** file of a table, below `spec/` */
const fileOf = (table: DecisionTable): string => table.rules[0]?.location.file.replace('spec/', '') ?? '';

describe('the rules', () => {
  test('are complete and free of contradiction', () => {
    expect(diagnostics.map(formatDiagnostic)).toEqual([]);
    expect(rules?.rules.length).toBeGreaterThan(0);
  });

  test('decide every cell of every table, or declare it impossible', () => {
    for (const table of rules?.tables.values() ?? []) {
      const raw = parse(readFileSync(join(specDirectory, fileOf(table)), 'utf8')) as {
        impossible?: unknown[];
      };
      const sizes = table.facts.map((fact) => fact.values.length);
      const cells = sizes.reduce((n, size) => n * size, 1);
      let undecided = 0;
      let several = 0;
      for (let cell = 0; cell < cells; cell++) {
        let rest = cell;
        const values = sizes.map((size) => {
          const value = rest % size;
          rest = (rest - value) / size;
          return value;
        });
        const decided = table.decide(values);
        if (decided.length === 0) undecided++;
        if ((table.hit === 'first' || table.hit === 'unique') && decided.length > 1) several++;
      }
      expect(several, table.id).toBe(0);
      expect(undecided === 0, table.id).toBe(raw.impossible === undefined);
    }
  });

  test('say what is the case: no value is a bare yes or no', () => {
    const { vocabulary } = compileSources(readSources());
    const words = [...(vocabulary?.facts.values() ?? []), ...(vocabulary?.outcomes.values() ?? [])];
    expect(words.length).toBeGreaterThan(0);
    for (const { name, values } of words)
      for (const value of values.keys()) expect(value, name).not.toMatch(/^(yes|no|on|off|true|false)$/);
  });

  test('are in one file for each table, which is named after it, in the folder of a machine', () => {
    const tables = [...(rules?.tables.values() ?? [])];
    expect(tables.map(fileOf)).toEqual(names);
    for (const table of tables) {
      expect(new Set(table.rules.map((rule) => rule.location.file)).size, table.id).toBe(1);
      const name = basename(fileOf(table), '.yaml');
      expect(`${table.id}-arrival`, table.id).toContain(name);
    }
  });
});

/** keys of a rule in the order of reading: condition and outcome before where they come from */
const keyOrder =
  'id says level impact requires when then oneOf latitude erratum source covers uncovered'.split(' ');

test.each(names)('%s gives condition and outcome first, and what they cover last', (name) => {
  const { rules } = parse(readFileSync(join(specDirectory, name), 'utf8')) as { rules: object[] };
  for (const rule of rules) {
    expect(Object.keys(rule)).toEqual(keyOrder.filter((key) => key in rule));
  }
});

describe('what is generated from them', () => {
  test('is up to date (npm run generate)', async () => {
    for (const [name, text] of Object.entries(await generatedFiles())) {
      expect(readFileSync(join(dirname(specDirectory), name), 'utf8'), name).toBe(text);
    }
  });

  const schema = JSON.parse(
    readFileSync(join(specDirectory, 'schema', 'rules.schema.json'), 'utf8'),
  ) as Record<string, unknown>;
  interface RuleFile {
    table: string;
    rules: { when?: Record<string, unknown>; then?: Record<string, unknown> }[];
  }
  const read = (name: string): RuleFile => parse(readFileSync(join(specDirectory, name), 'utf8')) as RuleFile;

  test.each(names)('the schema takes %s', (name) => {
    const validate = validator(schema);
    validate(read(name));
    expect(validate.errors ?? []).toEqual([]);
  });

  const psn = 'machines/rc-responder/psn.yaml';
  test.each<[string, (file: RuleFile) => void]>([
    ['an unknown table', (file) => (file.table = 'rc-responder-pns')],
    ['an unknown fact', (file) => (file.rules[0] = { ...file.rules[0], when: { pns: 'ahead' } })],
    ['an unknown value of a fact', (file) => (file.rules[0] = { ...file.rules[0], when: { psn: 'haead' } })],
    ['a fact of another table', (file) => (file.rules[0] = { ...file.rules[0], when: { icrc: 'good' } })],
    ['an unknown outcome', (file) => (file.rules[0] = { ...file.rules[0], then: { repyl: 'nak' } })],
    [
      'an unknown value of an outcome',
      (file) => (file.rules[0] = { ...file.rules[0], then: { reply: 'nack' } }),
    ],
  ])('the schema refuses %s', (_title, change) => {
    const file = structuredClone(read(psn));
    change(file);
    expect(validator(schema)(file)).toBe(false);
  });
});

describe('mutants of the rules', () => {
  test('say what they were made to say', () => {
    const set = loadRules();
    const all = flips(set);
    const rulesFlipped = new Set(all.map(({ rule }) => rule));
    expect(rulesFlipped.size).toBeGreaterThan((rules?.rules.length ?? 0) / 2);
    // Every rule has one tried, not every value of it.
    const sample = all.filter(({ rule }) => rulesFlipped.delete(rule));
    for (const flip of sample) {
      const mutant = withOutcomes(set, flip);
      const said = mutant.rule(flip.rule)?.outcomes[flip.alternative]?.[flip.key];
      expect(String(said ?? ''), `${flip.rule} ${flip.key}`).toBe(flip.to);
    }
  });

  test('a mistake in a file of the package is refused with its place', () => {
    const name = 'machines/rc-responder/psn.yaml';
    const text = readFileSync(join(specDirectory, name), 'utf8');
    const files = { [name]: text.replace('psn: ahead', 'psn: haead') };
    expect(() => loadRules({ files })).toThrow(RuleError);
    expect(() => loadRules({ files })).toThrow(
      /spec\/machines\/rc-responder\/psn\.yaml:\d+:\d+: unknown value "haead" of fact "psn"; did you mean "ahead"\?/,
    );
  });
});
