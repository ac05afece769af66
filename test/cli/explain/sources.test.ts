import { describe, expect, it } from 'vitest';
import { Citations, loadCitations } from '../../../cli/explain/sources.ts';
import { loadStatements } from '../../../oracle/compile/statements.ts';
import { loadRules } from '../../../oracle/index.ts';
import { plain } from '../../../report/style.ts';
import { ruleText } from '../../../cli/rules-text.ts';
import { runHere } from '../command-line.ts';

const statements = loadStatements();
const citations = loadCitations();
const { file } = citations;
const named = (id: string) => {
  const found = statements.find((statement) => statement.id === id);
  if (found === undefined) throw new Error(`no statement ${id}`);
  return found;
};

describe('the sources of statements', () => {
  it('are documents that every statement names, with a heading for its section', () => {
    const bare = statements.filter((statement) => {
      const { text } = citations.of(statement);
      return !text.slice(text.indexOf('; section ')).includes(': ');
    });
    expect(bare.map(({ id, source }) => [id, source.section])).toEqual([]);
  });

  it('have no heading that no statement needs', () => {
    const used = new Set(statements.map((statement) => citations.of(statement).text));
    const idle = Object.values(file.documents).flatMap(({ sections }) =>
      Object.values(sections).filter((heading) => ![...used].some((text) => text.endsWith(`: ${heading}`))),
    );
    expect(idle).toEqual([]);
  });

  it('list works that say the same: each entry for a statement, each pattern for one at least', () => {
    for (const entry of file.also) {
      expect(Object.keys(file.works)).toContain(entry.work);
      for (const key of ['statements', 'sections'] as const)
        for (const pattern of entry[key] ?? []) {
          const alone = new Citations({
            ...file,
            also: [{ ...entry, statements: [], sections: [], [key]: [pattern] }],
          });
          const found = statements.filter((statement) => alone.of(statement).also.length > 0);
          expect(found.length, pattern).toBeGreaterThan(0);
        }
    }
    for (const work of Object.keys(file.works)) expect(file.also.map((entry) => entry.work)).toContain(work);
  });

  it('take a section for those below it, and no number for another that begins with it', () => {
    const below = (sections: string[]): string[] => {
      const also = [{ work: 'iba', where: 'here', sections }];
      const alone = new Citations({ ...file, also });
      return statements.filter((s) => alone.of(s).also.length > 0).map(({ id }) => id);
    };
    expect(below(['ee 2.1'])).toEqual(['ee-success-meaning']);
    expect(below(['rx 2.1.3'])).toContain('rx-loss-by-crc-error');
    expect(below(['rx 2.1'])).not.toContain('rx-psn-nak-condition');
  });

  it('are an error where a statement names another document', () => {
    const [statement] = statements;
    if (statement === undefined) throw new Error('no statements');
    const strange = { ...statement, source: { doc: 'strange.txt', section: '1' } };
    expect(() => citations.of(strange)).toThrow('spec/sources.yaml has no document strange.txt');
  });
});

describe('what a reader sees of them', () => {
  it('is the document with its address, and the other works, in explain', async () => {
    const { stdout } = await runHere(['explain', 'rx-read-nak-psn']);
    expect(stdout).toContain('RDMA retransmission, part 2');
    expect(stdout).toContain('general rules');
    expect(stdout).toMatch(/https:\/\/blog\.csdn\.net/);
    expect(stdout).toMatch(/also in +InfiniBand Architecture Specification, volume 1; 9\.7\.5\.2\.4/);
  });

  it('is said of each rule that has statements: another work, or that none is known', () => {
    const set = loadRules();
    for (const rule of set.rules) {
      const text = ruleText(rule, set, statements, citations, 100, plain);
      expect(text.includes('\nAlso in\n'), rule.id).toBe(rule.covers.length > 0);
    }
    const alone = set.rules.find(
      (rule) =>
        rule.covers.every((id) => citations.of(named(id)).also.length === 0) && rule.covers.length > 0,
    );
    if (alone === undefined) throw new Error('every rule has another work');
    expect(ruleText(alone, set, statements, citations, 100, plain)).toContain(
      'no other work that we know says it',
    );
  });
});
