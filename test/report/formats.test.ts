import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ReportContext } from '../../report/reporter.ts';
import { reporters } from '../../report/reporters.ts';
import type { RunResult } from '../../report/results.ts';
import { readProjectFile } from '../project/files.ts';
import { sampleCheck, sampleFailure, sampleRule, sampleRun } from './sample.ts';

const context: ReportContext = { version: '1.2.3', width: 100, colour: false, now: 1_700_000_000_000 };

function schema(path: string): Record<string, unknown> {
  return JSON.parse(readProjectFile(path)) as Record<string, unknown>;
}

function report(name: string, result: RunResult): string {
  const reporter = reporters.find((candidate) => candidate.name === name);
  if (reporter === undefined) throw new Error(`no reporter ${name}`);
  return reporter.run(result, context);
}

function checkReport(name: string): string {
  const reporter = reporters.find((candidate) => candidate.name === name);
  if (reporter === undefined) throw new Error(`no reporter ${name}`);
  return reporter.check(sampleCheck, context);
}

/** Results in which every text may be anything. */
const anyRun: fc.Arbitrary<RunResult> = fc
  .record({ text: fc.string({ unit: 'binary' }), more: fc.string({ unit: 'grapheme' }) })
  .map(({ text, more }) =>
    sampleRun({
      rules: [
        sampleRule({ verdict: 'fail', says: text, location: { file: 'spec/rules/a b.yaml', line: 3 } }),
        sampleRule({ id: 'second', verdict: 'inconclusive', why: more }),
        sampleRule({ id: 'third', verdict: 'deviation', level: 'should', known: { reason: more } }),
      ],
      failures: [
        { ...sampleFailure, says: text, expected: more, observed: text },
        { ...sampleFailure, rule: 'third', ladder: [{ t: 0, kind: 'note', text: more }] },
      ],
      notJudged: [{ what: more, count: 1 }],
      errors: [text],
      partial: [more],
      endedByDevice: 7,
    }),
  );

describe('when and how a run was made', () => {
  it('is in the HTML of its results, also where that is made later', () => {
    const text = report(
      'html',
      sampleRun({ begun: '2026-03-04T05:06:07.890Z', command: 'npx rdma-conform --seed 7' }),
    );
    expect(text).toMatch(/<dt>begun<dd>2026-03-04 05:06 UTC/);
    expect(text).toMatch(/<dt>command<dd><code>npx rdma-conform --seed 7<\/code>/);
    expect(report('html', sampleRun())).not.toContain('<dt>begun');
  });
});

describe('SARIF report', () => {
  const { id: _, $schema: __, ...draft } = schema('test/fixtures/schemas/sarif-2.1.0.schema.json');
  const valid = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(draft);

  it('fits the schema of SARIF 2.1.0, whatever the texts', () => {
    fc.assert(
      fc.property(anyRun, (result) => {
        expect(valid(JSON.parse(report('sarif', result))), JSON.stringify(valid.errors)).toBe(true);
      }),
    );
    expect(valid(JSON.parse(checkReport('sarif'))), JSON.stringify(valid.errors)).toBe(true);
  });

  it('locates a broken rule at its line, names its violation and suppresses what is known', () => {
    const log = JSON.parse(
      report(
        'sarif',
        sampleRun({
          rules: [
            sampleRule({ verdict: 'fail', location: { file: 'spec/rules/x.yaml', line: 7 } }),
            sampleRule({ id: 'second', verdict: 'fail', known: { reason: 'seen before' } }),
            sampleRule({ id: 'third' }),
          ],
        }),
      ),
    ) as { runs: { results: Record<string, unknown>[] }[] };
    const [first, second, third] = log.runs[0]?.results ?? [];
    expect(third).toBeUndefined();
    expect(first).toMatchObject({
      ruleId: 'rc-request-ahead',
      level: 'error',
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: 'spec/rules/x.yaml' }, region: { startLine: 7 } },
        },
      ],
    });
    expect(JSON.stringify(first)).toContain(sampleFailure.observed);
    expect(first).not.toHaveProperty('suppressions');
    expect(second).toMatchObject({ suppressions: [{ kind: 'external', justification: 'seen before' }] });
  });
});

describe('CTRF report', () => {
  const valid = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(
    schema('test/fixtures/schemas/ctrf.schema.json'),
  );

  it('fits the schema, whatever the texts, and its summary counts its tests', () => {
    fc.assert(
      fc.property(anyRun, (result) => {
        const ctrf = JSON.parse(report('ctrf', result)) as {
          results: { summary: Record<string, number>; tests: { status: string }[] };
        };
        expect(valid(ctrf), JSON.stringify(valid.errors)).toBe(true);
        const { summary, tests } = ctrf.results;
        expect(summary['tests']).toBe(tests.length);
        for (const status of ['passed', 'failed', 'skipped', 'pending', 'other']) {
          expect(summary[status], status).toBe(tests.filter((test) => test.status === status).length);
        }
      }),
    );
    expect(valid(JSON.parse(checkReport('ctrf'))), JSON.stringify(valid.errors)).toBe(true);
  });
});

describe('NDJSON report', () => {
  const ajv = new Ajv2020();
  for (const name of ['results', 'check']) ajv.addSchema(schema(`spec/schema/${name}.schema.json`));
  const valid = ajv.compile(schema('spec/schema/lines.schema.json'));
  const objects = (text: string): { type: string }[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });

  it('has lines that fit the schema, from the beginning to the end of the run', () => {
    fc.assert(
      fc.property(anyRun, (result) => {
        const found = objects(report('ndjson', result));
        for (const line of found) expect(valid(line), JSON.stringify(valid.errors)).toBe(true);
        expect(found[0]?.type).toBe('run');
        expect(found.at(-1)?.type).toBe('end');
        expect(found.filter(({ type }) => type === 'rule')).toHaveLength(result.rules.length);
        expect(found.filter(({ type }) => type === 'failure')).toHaveLength(result.failures.length);
        expect(found.some(({ type }) => type === 'cause')).toBe(result.failures.length > 0);
      }),
    );
    for (const line of objects(checkReport('ndjson'))) expect(valid(line), JSON.stringify(line)).toBe(true);
  });

  it('may have every member that the whole report has', () => {
    const members = (file: string, ...path: string[]): string[] => {
      const at = path.reduce<unknown>(
        (node, key) => (typeof node === 'object' && node !== null ? Reflect.get(node, key) : undefined),
        schema(file),
      );
      if (typeof at !== 'object' || at === null) throw new Error(`${file}: no ${path.join('/')}`);
      return Object.keys(at).filter((key) => key !== 'type');
    };
    const inLine = (type: string): string[] =>
      members('spec/schema/lines.schema.json', '$defs', type, 'properties').toSorted();
    const [results, check] = ['spec/schema/results.schema.json', 'spec/schema/check.schema.json'];
    for (const type of ['rule', 'failure'])
      expect(inLine(type)).toEqual(members(results ?? '', '$defs', type, 'properties').toSorted());
    const listed = (file: string | undefined, list: string): string[] =>
      members(file ?? '', 'properties', list, 'items', 'properties').toSorted();
    expect(inLine('cause')).toEqual(listed(results, 'causes'));
    expect(inLine('violation')).toEqual(listed(check, 'violations'));
    expect(inLine('skipped').filter((key) => key !== 'kind')).toEqual(
      listed(check, 'skipped').filter((key) => key !== 'kind'),
    );
  });

  it('would not take a line with a word that the schema does not know', () => {
    expect(valid({ type: 'not-judged', what: 'x', count: 1, more: 1 })).toBe(false);
    expect(valid({ type: 'nothing' })).toBe(false);
  });
});

describe('JSON report', () => {
  it('fits its schema, whatever the texts', () => {
    const valid = new Ajv2020().compile(schema('spec/schema/results.schema.json'));
    fc.assert(
      fc.property(anyRun, (result) => {
        expect(valid(JSON.parse(report('json', result))), JSON.stringify(valid.errors)).toBe(true);
      }),
    );
    const check = new Ajv2020().compile(schema('spec/schema/check.schema.json'));
    expect(check(JSON.parse(checkReport('json'))), JSON.stringify(check.errors)).toBe(true);
  });
});

interface Point {
  ok: boolean;
  number: number;
  directive: string | undefined;
  diagnostics: unknown;
}

/** Reads TAP version 14 as its description has it; throws where a line fits nothing. */
function readTap(text: string): { plan: number; points: Point[] } {
  const [version, plan = '', ...lines] = text.trimEnd().split('\n');
  expect(version).toBe('TAP version 14');
  const points: Point[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (line.startsWith('# ')) continue;
    if (line === '  ---') {
      const end = lines.indexOf('  ...', i);
      const last = points.at(-1);
      if (end < 0 || last === undefined) throw new Error(`diagnostics of nothing at line ${i + 3}`);
      last.diagnostics = parse(
        lines
          .slice(i + 1, end)
          .map((inner) => inner.slice(2))
          .join('\n'),
      );
      i = end;
      continue;
    }
    const found = /^(not )?ok (\d+) - ((?:[^#\\]|\\.)*)(?:# (SKIP|\u{54}ODO)\b.*)?$/u.exec(line);
    if (found === null) throw new Error(`no TAP: ${line}`);
    const [, not, number, , directive] = found;
    points.push({ ok: not === undefined, number: Number(number), directive, diagnostics: undefined });
  }
  return { plan: Number(/^1\.\.(\d+)$/.exec(plan)?.[1]), points };
}

describe('TAP report', () => {
  it('is TAP 14, whatever the texts: as many points as planned, in order, diagnostics in YAML', () => {
    fc.assert(
      fc.property(anyRun, (result) => {
        const { plan, points } = readTap(report('tap', result));
        expect(points.map(({ number }) => number)).toEqual(Array.from({ length: plan }, (_, i) => i + 1));
        const [first] = points;
        expect(first?.ok).toBe(false);
        expect(first?.diagnostics).toMatchObject({ at: { file: 'spec/rules/a b.yaml', line: 3 } });
      }),
    );
  });

  it('keeps evidence and message as they are', () => {
    const text = 'one\n  two: three\n\n# four';
    const rules = [sampleRule({ verdict: 'fail', says: text })];
    const { points } = readTap(report('tap', sampleRun({ rules })));
    expect(points[0]?.diagnostics).toMatchObject({ message: text });
    expect(JSON.stringify(points[0]?.diagnostics)).toContain(sampleFailure.observed);
  });

  it('marks known divergences as expected to fail, and what never arose as skipped', () => {
    const { points } = readTap(report('tap', sampleRun()));
    const kinds = points.map(({ ok, directive }) => `${ok ? 'ok' : 'not ok'} ${directive ?? ''}`.trim());
    expect(kinds).toEqual(['not ok', 'not ok \u0054ODO', 'ok', 'ok SKIP', 'ok SKIP', 'ok', 'ok', 'not ok']);
    expect(readTap(checkReport('tap')).points.length).toBeGreaterThan(0);
  });
});

describe('GitHub annotations', () => {
  const commands = (text: string): RegExpExecArray[] =>
    text
      .trimEnd()
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const found = /^::(error|warning|notice) ([^:]*)::(.*)$/u.exec(line);
        if (found === null) throw new Error(`no workflow command: ${line}`);
        return found;
      });

  it('are one workflow command a line, whatever the texts', () => {
    fc.assert(
      fc.property(anyRun, (result) => {
        for (const [, , fields = ''] of commands(report('github', result))) {
          for (const field of fields.split(',')) expect(field).toMatch(/^(file|line|title)=/);
        }
      }),
    );
    expect(commands(checkReport('github'))).not.toEqual([]);
  });

  it('are one for each new cause, at the line of the rule that shows it best, errors for MUST and warnings for SHOULD; known ones make no noise', () => {
    const rules = [
      sampleRule({ verdict: 'fail', location: { file: 'spec/rules/x.yaml', line: 7 } }),
      sampleRule({ id: 'two', verdict: 'deviation', level: 'should' }),
      sampleRule({ id: 'three', verdict: 'fail', known: { reason: 'x' } }),
    ];
    const shown = {
      ...sampleFailure,
      signature: 'PSN ahead',
      also: [{ rule: 'first', signature: 'lost', before: true }],
    };
    const first = { ...sampleFailure, rule: 'first', signature: 'lost', observed: 'silence' };
    const text = report(
      'github',
      sampleRun({
        rules: [...rules, sampleRule({ id: 'first', verdict: 'fail' })],
        failures: [shown, first],
      }),
    );
    expect(commands(text).map(([, kind, fields]) => `${kind} ${fields}`)).toEqual([
      'error title=silence instead of NAK psn-sequence-error',
      'warning title=two',
      'notice title=Known divergences',
    ]);
    expect(text).toContain('%0AObserved: silence%0A');
    expect(text).toContain('%0ABreaks as well: rc-request-ahead%0A');
  });
});

describe('Markdown report', () => {
  it('lets no text become markup: fences and folds close, tables keep their columns', () => {
    fc.assert(
      fc.property(anyRun, (result) => {
        const text = report('markdown', result);
        let fence: string | undefined;
        let folds = 0;
        const torn: string[] = [];
        for (const line of text.split('\n')) {
          const ticks = /^`{3,}/.exec(line)?.[0];
          if (fence !== undefined) {
            if (line === fence) fence = undefined;
            continue;
          }
          if (ticks !== undefined) fence = ticks;
          if (line === '<details>') folds++;
          if (line === '</details>') folds--;
          if (line.startsWith('| ') && line.replaceAll(/\\./g, '').split('|').length < 3) torn.push(line);
        }
        expect(fence).toBeUndefined();
        expect(folds).toBe(0);
        expect(torn).toEqual([]);
      }),
    );
  });

  it('tells a failure with its ladder and how to run it again', () => {
    const text = report('markdown', sampleRun());
    expect(text).toMatch(
      /^## Causes \(1\), the gravest first\n\n### 1\. .*\n\n`rc-request-ahead`: A request beyond/m,
    );
    expect(text).toContain('>>     2.500 ms | <= ACKNOWLEDGE psn=6');
    expect(text).toContain('npx rdma-conform replay rc1.AbCd_-09');
    expect(checkReport('markdown')).toContain('Frame 11');
  });
});

it.each(['junit', 'tap', 'ctrf', 'sarif', 'json', 'ndjson'])(
  'the report %s has all findings of a rule, and those of a SHOULD, with how to run them again',
  (name) => {
    const failures = [
      { ...sampleFailure, signature: 'one', token: 'rdc1.first' },
      { ...sampleFailure, signature: 'two', token: 'rdc1.second' },
      { ...sampleFailure, rule: 'rc-should', level: 'should' as const, token: 'rdc1.third' },
    ];
    const text = report(name, sampleRun({ failures }));
    for (const { token } of failures) expect(text).toContain(token);
  },
);
