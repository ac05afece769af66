import type { ReportContext, StatementText } from '../reporter.ts';
import type { Failure, RuleResult } from '../results.ts';
import { wrap } from '../text.ts';

/** Statements that a mail quotes; of the others so many are named. */
const quoted = 3;
const named = 3;
/** What is quoted has at least this share of the weight of the one that is nearest. */
const nearEnough = 0.75;

/** Words that every observation has, or that say nothing. */
const labels = new Set([
  'psn',
  'msn',
  'qp',
  'wr',
  'id',
  'bytes',
  'with',
  'for',
  'of',
  'no',
  'the',
  'is',
  'and',
  'to',
  'it',
]);

/** What is short in the name of a status or a code, by its beginning in prose. */
const short: Readonly<Record<string, string>> = {
  exc: 'excee',
  inv: 'inval',
  len: 'lengt',
  loc: 'local',
  prot: 'prote',
  rem: 'remot',
  req: 'reque',
  wr: 'work',
};
const stemLength = 5;

/** Beginnings of the words of a text. */
function stemsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z]{2,}/g) ?? [];
  return new Set(
    words.filter((word) => !labels.has(word)).map((word) => short[word] ?? word.slice(0, stemLength)),
  );
}

const namesIn = (text: string): string[] => text.match(/\bIBV_(?:WC|EVENT)_\w+/g) ?? [];

const workIn = (text: string): string[] => text.match(/\bIBV_WR_\w+/g) ?? [];

/** A statement is about something else. */
const aside = 0.2;

/**
 * How far a statement is about what the case is about: it names the same status or event, others only, or none; and work requests, of
 * which the case has some or none.
 */
function aboutness(text: string, { expected, ladder }: Failure): number {
  const work = workIn(text);
  if (work.length > 0 && !ladder.some((line) => workIn(line.text).some((name) => work.includes(name))))
    return aside;
  const [wanted, named] = [namesIn(expected), namesIn(text)];
  if (wanted.length === 0 || named.length === 0) return 1;
  return named.some((name) => wanted.includes(name)) ? 2 : aside;
}

/**
 * How near each statement is to the case: words that it has in common with what was expected and seen, and half as much those of the rule. A word that few of
 * the statements have says more.
 */
function weightsOf(failure: Failure, texts: ReadonlyMap<string, string>): Map<string, number> {
  const { says, expected, observed } = failure;
  const seen = stemsOf(`${expected} ${observed}`);
  const rule = stemsOf(says);
  const stems = new Map([...texts].map(([id, text]) => [id, stemsOf(text)] as const));
  const rarity = (stem: string): number =>
    Math.log((stems.size + 1) / [...stems.values()].filter((own) => own.has(stem)).length);
  const weightOf = (own: ReadonlySet<string>): number =>
    [...own].reduce((sum, stem) => sum + rarity(stem) * (seen.has(stem) ? 2 : rule.has(stem) ? 1 : 0), 0) /
    Math.sqrt(own.size + 1);
  // what has no word in common with the case is about another one of the rule
  const isNear = (own: ReadonlySet<string>): boolean => [...own].some((stem) => seen.has(stem));
  return new Map(
    [...stems].map(([id, own]) => [
      id,
      isNear(own) ? weightOf(own) * aboutness(texts.get(id) ?? '', failure) : 0,
    ]),
  );
}

/** A rule has several statements, and each is about a case of its own: those that are nearest to the case, and the others. */
function sorted(lead: Failure, { statement }: ReportContext): { near: string[]; far: string[] } {
  const texts = new Map(lead.statements.map((id) => [id, statement?.(id)?.text ?? id]));
  const weights = weightsOf(lead, texts);
  const weight = (id: string): number => weights.get(id) ?? 0;
  const order = lead.statements.toSorted((a, b) => weight(b) - weight(a));
  const most = weight(order[0] ?? '');
  const near = order.filter((id, i) => i < quoted && weight(id) > 0 && weight(id) >= nearEnough * most);
  return { near, far: order.filter((id) => !near.includes(id)) };
}

const item = (text: string, width: number): string[] =>
  wrap(text, width - 4).map((line, i) => `${i === 0 ? '  - ' : '    '}${line}`);

function quotation(id: string, known: StatementText | undefined): string {
  return known === undefined ? id : `${known.text} (${[known.source, ...known.also].join('; ')}; ${id})`;
}

/** Few of those that are not quoted are named; who wants all has a command for it. */
function farText(rule: string, far: readonly string[], others: boolean): string {
  const asWell = others ? ' as well' : '';
  const rest = far.length - named;
  const names = far.slice(0, named).join(', ');
  return rest <= 0
    ? `The rule rests on ${names}${asWell}.`
    : `The rule rests on ${names} and ${rest} more${asWell} ("rdma-conform rules show ${rule}" lists them).`;
}

/** What the rule of a finding rests on, in lines: clause, statements, errata, and what it allows for. */
export function sourceLines(
  lead: Failure,
  rule: RuleResult | undefined,
  context: ReportContext,
  width: number,
): string[] {
  const { near, far } = sorted(lead, context);
  const { source, uncovered, erratum, latitude } = rule ?? {};
  const items = [
    ...(source === undefined ? [] : [`The rule follows ${source}.`]),
    ...near.map((id) => quotation(id, context.statement?.(id))),
    ...(uncovered === undefined ? [] : [`No statement is quoted, for this reason: ${uncovered}.`]),
    ...(erratum === undefined ? [] : [`Where the sources disagree: ${erratum}`]),
    ...(latitude === undefined ? [] : [`What the rule allows for: ${latitude}`]),
  ].flatMap((text) => item(text.replace(/\.\.$/, '.'), width));
  const more = far.length === 0 ? [] : wrap(farText(lead.rule, far, near.length > 0), width);
  return [...items, ...(items.length > 0 && more.length > 0 ? [''] : []), ...more];
}
