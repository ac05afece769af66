import type { Statement } from '../../oracle/compile/statements.ts';
import type { Vocabulary } from '../../oracle/compile/vocabulary.ts';
import type { RuleSet } from '../../oracle/rules.ts';
import { hanging } from '../../report/text.ts';
import type { ExplainOptions } from './text.ts';

/** Of one kind, entries that are printed; the rest is counted. */
const most = 12;

interface Entry {
  name: string;
  says: string;
}

/** Whether a text has the word, or the words, as a whole; upper and lower case are one. */
function mentioner(word: string): (...texts: readonly string[]) => boolean {
  const literal = word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const pattern = new RegExp(String.raw`(?<![\w-])${literal}(?![\w-])`, 'i');
  return (...texts) => texts.some((text) => pattern.test(text));
}

/** Where a word is used that has no meaning of its own here, such as an attribute of a call: in the order of the files. */
function mentionsOf(
  word: string,
  set: RuleSet,
  vocabulary: Vocabulary,
  statements: readonly Statement[],
): readonly { heading: string; entries: Entry[] }[] {
  const mentions = mentioner(word);
  const words = [...vocabulary.facts.values(), ...vocabulary.outcomes.values()].filter(({ about, values }) =>
    mentions(about, ...values.values()),
  );
  const variables = [...set.machines].flatMap(([machine, { draft }]) =>
    Object.entries(draft.state)
      .filter(([name, { about }]) => mentions(name, about))
      .map(([name, { about }]) => ({ name: `${name} (${machine})`, says: about })),
  );
  const ofMachine = (file = ''): boolean => file.includes(`machines/${word}/`);
  const tables = [...set.tables.values()].filter(
    ({ id, about, rules }) => ofMachine(rules[0]?.location.file) || mentions(id, about),
  );
  return [
    { heading: 'Tables', entries: tables.map(({ id, about }) => ({ name: id, says: about })) },
    { heading: 'Facts and outcomes', entries: words.map(({ name, about }) => ({ name, says: about })) },
    { heading: 'Variables', entries: variables },
    {
      heading: 'Rules',
      entries: set.rules
        .filter(({ says, latitude = '' }) => mentions(says, latitude))
        .map(({ id, says }) => ({ name: id, says })),
    },
    {
      heading: 'Statements',
      entries: statements
        .filter(({ statement, stimulus, expectation }) =>
          mentions(statement, stimulus ?? '', expectation ?? ''),
        )
        .map(({ id, statement }) => ({ name: id, says: statement })),
    },
  ].filter(({ entries }) => entries.length > 0);
}

/** What mentions a word, as text; undefined where nothing does. */
export function mentionsText(
  word: string,
  set: RuleSet,
  vocabulary: Vocabulary,
  statements: readonly Statement[],
  { width, style }: ExplainOptions,
): string | undefined {
  const blocks = mentionsOf(word, set, vocabulary, statements);
  if (blocks.length === 0) return undefined;
  const lines = blocks.flatMap(({ heading, entries }) => [
    '',
    style.bold(`${heading} (${entries.length})`),
    ...entries
      .slice(0, most)
      .flatMap(({ name, says }) => [`  ${style.accent(name)}`, ...hanging('      ', says, width)]),
    ...(entries.length > most ? [`  and ${entries.length - most} more`] : []),
  ]);
  const head = style.bold(word) + style.dim('  has no entry of its own; it is used in:');
  return `${[head, ...lines, '', style.dim('"rdma-conform explain NAME" shows each of these')].join('\n')}\n`;
}
