import type { Diagnostic } from './diagnostic.ts';
import type { SourceDocument } from './document.ts';

/** The vocabulary's files as one document: what each section holds, and where each word stands. */
export type WordSource = Pick<SourceDocument, 'value' | 'placeOf' | 'placeOfKey' | 'keysAt'>;

type Section = Record<string, unknown>;

/** What all machines share; the other sections are a machine's own. */
const sections: ReadonlySet<string> = new Set(['facts', 'outcomes', 'tables', 'capabilities']);

function sectionOf(source: SourceDocument, name: string): Section {
  const sections = source.value as Record<string, Section | undefined>;
  return sections[name] ?? {};
}

/** Joins files that the schema has accepted. A word that two of them declare is reported, and the first holds. */
export function joinWords(
  sources: readonly SourceDocument[],
  report: (diagnostic: Diagnostic) => void,
): WordSource {
  const value: Record<string, Section> = { facts: {}, outcomes: {}, tables: {} };
  const owners = new Map<string, SourceDocument>();
  for (const source of sources) {
    for (const name of source.keysAt([]).filter((key) => sections.has(key))) {
      const section = (value[name] ??= {});
      for (const word of source.keysAt([name])) {
        const owner = owners.get(`${name}/${word}`);
        if (owner === undefined) {
          owners.set(`${name}/${word}`, source);
          section[word] = sectionOf(source, name)[word];
          continue;
        }
        report({
          ...source.placeOfKey([name], word),
          code: 'duplicate-word',
          message: `"${word}" of ${name} is declared already`,
          related: [{ ...owner.placeOfKey([name], word), message: 'declared here first' }],
        });
      }
    }
  }
  const [first] = sources;
  if (first === undefined) throw new RangeError('a vocabulary has at least one file');
  const ownerOf = (section: unknown, word: unknown): SourceDocument =>
    owners.get(`${String(section)}/${String(word)}`) ?? first;
  return {
    value,
    placeOf: (path) => ownerOf(path[0], path[1]).placeOf(path),
    placeOfKey: (path, key) => ownerOf(path[0], path[1] ?? key).placeOfKey(path, key),
    keysAt: (path) =>
      path.length === 1 ? Object.keys(value[String(path[0])] ?? {}) : ownerOf(path[0], path[1]).keysAt(path),
  };
}
