import { describe, expect, test } from 'vitest';
import { RuleError, formatDiagnostic, lintRules, loadRules } from '../../../oracle/compile/load.ts';
import { edited, lintEdited, places, small } from './fixture.ts';
import { execute, psn, refusals, vocabulary } from './refusals.ts';

describe('the compiler refuses', () => {
  test.each(refusals)('$title', ({ file, edits, at, message }) => {
    const diagnostics = lintEdited(file, ...edits);
    expect(places(diagnostics)).toEqual(at);
    expect(diagnostics.some((diagnostic) => diagnostic.message.includes(message))).toBe(true);
  });

  test('a table that is too large, by its number of cells', () => {
    const values = Array.from({ length: 31 }, (_, i) => `v${i}: x`).join(', ');
    const facts = ['fa', 'fb', 'fc', 'fd', 'fe'].map((f) => `  ${f}: { about: x, values: { ${values} } }`);
    const diagnostics = lintEdited(
      vocabulary,
      ['facts:\n', `facts:\n${facts.join('\n')}\n`],
      ['facts: [ackReq]', 'facts: [ackReq, fa, fb, fc, fd, fe]'],
    );
    expect(places(diagnostics)).toEqual(['small/machines/toy/machine.yaml:40:12 table-too-large']);
    expect(diagnostics[0]?.message).toContain('57258302 cells');
  });

  const naksNeedCodes = edited(vocabulary, ['nak: a NAK }', 'nak: a NAK }\n    needs: { nak: nakCode }']);

  test('an outcome without the one that it needs', () => {
    const { diagnostics } = lintRules({
      directory: small,
      files: {
        [vocabulary]: naksNeedCodes,
        [psn]: edited(psn, ['{ reply: nak, nakCode: sequence }', '{ reply: nak }']),
      },
    });
    expect(places(diagnostics)).toEqual(['small/machines/toy/psn-check.yaml:13:20 incomplete-outcome']);
    expect(diagnostics[0]?.message).toBe('"reply: nak" does not say which: give "nakCode" as well');
  });

  test('a need of a value or of an outcome that does not exist', () => {
    const broken = naksNeedCodes.replace('{ nak: nakCode }', '{ nack: nakCod }');
    const { diagnostics } = lintRules({ directory: small, files: { [vocabulary]: broken } });
    expect(places(diagnostics)).toEqual([
      'small/machines/toy/machine.yaml:17:20 unknown-outcome-value',
      'small/machines/toy/machine.yaml:17:20 unknown-outcome',
    ]);
  });

  test('a word that two files of the vocabulary declare', () => {
    const { diagnostics } = lintRules({
      directory: small,
      files: { 'machines/toy/more-words.yaml': 'facts:\n  psn: { about: again, values: { a: x } }\n' },
    });
    expect(places(diagnostics)).toEqual(['small/machines/toy/more-words.yaml:2:3 duplicate-word']);
    expect(diagnostics[0]?.related?.[0]?.file).toBe('small/machines/toy/machine.yaml');
  });

  test('a vocabulary that is missing', () => {
    const { diagnostics } = lintRules({ directory: `${small}/statements` });
    expect(places(diagnostics)).toEqual(['statements/machines:1:1 schema']);
  });

  test('undecided cells: ten groups by name, the rest by number', () => {
    const names = Array.from({ length: 12 }, (_, i) => `v${i}`);
    // Each value of the one fact leaves the like value of the other undecided: no two groups merge.
    const rules = names.map((v) => {
      const rest = names.filter((other) => other !== v).join(', ');
      const text = `says: x, level: may, covers: [in-order], then: { events: [nothing] }`;
      return `  - { id: rule-${v}, ${text}, when: { ackReq: ${v}, twin: [${rest}] } }`;
    });
    const values = `{ ${names.map((v) => `${v}: x`).join(', ')} }`;
    const { diagnostics } = lintRules({
      directory: small,
      files: {
        [vocabulary]: edited(
          vocabulary,
          ['{ true: set, false: clear }', `${values}\n  twin: { about: x, values: ${values} }`],
          ['facts: [ackReq]', 'facts: [ackReq, twin]'],
        ),
        [execute]: `table: execute\non: {}\nhit: unique\nimpact: protocol\nrules:\n${rules.join('\n')}\n`,
      },
    });
    expect(places(diagnostics)).toEqual(['small/machines/toy/execute.yaml:1:8 undecided-cells']);
    const message = diagnostics[0]?.message ?? '';
    expect(message).toContain('leaves 12 cells undecided');
    expect(message.match(/\{ ackReq: v\d+, twin: v\d+ \}/g)).toHaveLength(10);
    expect(message).toMatch(/and 2 more groups$/);
  });

  test('everything at once: all mistakes are listed, and loadRules throws them', () => {
    const files = {
      [psn]: edited(psn, ['psn: ahead', 'psn: haead'], ['reply: none', 'reply: nope']),
      [execute]: edited(execute, ['level: must', 'level: mist']),
    };
    let caught: unknown;
    try {
      loadRules({ directory: small, files });
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(RuleError);
    if (!(caught instanceof RuleError)) return;
    expect(places(caught.diagnostics)).toEqual([
      'small/machines/toy/execute.yaml:7:12 schema',
      'small/machines/toy/psn-check.yaml:12:18 unknown-fact-value',
      'small/machines/toy/psn-check.yaml:19:20 unknown-outcome-value',
    ]);
    expect(caught.message).toMatch(/^the rules do not compile: 3 mistakes\n/);
    expect(caught.message).toContain('small/machines/toy/psn-check.yaml:12:18: unknown value "haead"');
  });

  test('cells are printed on lines of their own, and nothing that a terminal obeys', () => {
    const [diagnostic] = lintEdited(psn, ['nakState: [sequence, rnr]', 'nakState: sequence']);
    if (diagnostic === undefined) throw new Error('nothing is wrong');
    const lines = formatDiagnostic({ ...diagnostic, message: `${diagnostic.message}\u001b[2J` }).split('\n');
    expect(lines[1]).toMatch(/^ {4}\{ psn: ahead, nakState: rnr \}\\x1b\[2J \[undecided-cells\]$/);
  });

  test('related places name the other rule', () => {
    const [diagnostic] = lintEdited(psn, ['nakState: [sequence, rnr]', 'nakState: [none, sequence, rnr]']);
    expect(diagnostic?.related).toEqual([
      {
        file: 'small/machines/toy/psn-check.yaml',
        line: 8,
        column: 9,
        message: '"request-ahead" is here',
      },
    ]);
  });
});
