import { machineSummary } from '../machine-summary.ts';
import type { PropertyResult, RunResult, Verdict } from '../results.ts';
import type { ReportContext } from '../reporter.ts';
import { briefLines, causeLines, causeTable, type Ranked } from '../causes/text.ts';
import { causesOf } from '../causes/causes.ts';
import { newsLines } from '../news.ts';
import { rulesTable, verdictStyle, verdictWord } from '../rules-table.ts';
import { countsLines, endedText, notJudgedLines } from '../summary.ts';
import type { Style } from '../style.ts';
import { styleFor } from '../style.ts';
import { count, grouped, hanging, runTime } from '../text.ts';

function text(value: unknown, key: string): string | undefined {
  if (typeof value !== 'object' || value === null || !(key in value)) return undefined;
  const found: unknown = Reflect.get(value, key);
  return typeof found === 'string' ? found : undefined;
}

function header(result: RunResult, context: ReportContext, style: Style): string[] {
  const { profile } = result.adapter;
  const version = text(profile, 'version');
  const clock = text(profile, 'clock');
  const device = [result.adapter.name, version, clock === undefined ? undefined : `${clock} clock`];
  const line = [
    `rdma-conform ${context.version}`,
    device.filter((part) => part !== undefined).join(', '),
    context.replayed === true ? 'one case again' : `seed ${result.seed}`,
    `rules ${result.spec.slice(0, 12)}`,
  ].join(' | ');
  const choices: unknown =
    typeof profile === 'object' && profile !== null ? Reflect.get(profile, 'choices') : undefined;
  const documented =
    typeof choices === 'object' && choices !== null
      ? Object.entries(choices).map(([name, value]) => `${name} ${String(value)}`)
      : [];
  return [
    ...hanging('', line, context.width).map((part) => style.bold(part)),
    ...(documented.length === 0 ? [] : hanging('documented choices: ', documented.join(', '), context.width)),
    '',
  ];
}

function paintOf(property: PropertyResult, style: Style): (text: string) => string {
  return verdictWord(property) === 'known' ? style.warn : verdictStyle(property.verdict, style);
}

/** A property is vacuous only where none of its cases had their turn. */
function propertyWord(property: PropertyResult): string {
  return property.verdict === 'vacuous' ? 'not run' : verdictWord(property);
}

function properties(results: readonly PropertyResult[], width: number, style: Style): string[] {
  if (results.length === 0) return [];
  const idWidth = Math.max(...results.map((p) => p.id.length));
  return [
    style.bold('Properties'),
    ...results.flatMap((property) => [
      `  ${paintOf(property, style)(propertyWord(property).padEnd(12))} ` +
        `${property.id.padEnd(idWidth)} ${style.dim(count(property.cases, 'case').padStart(14))}`,
      ...(property.error === undefined
        ? []
        : hanging(' '.repeat(17), property.error, width).map((line) => style.bad(line))),
      ...(property.why === undefined
        ? []
        : hanging(' '.repeat(17), property.why, width).map((line) => style.dim(line))),
    ]),
    '',
  ];
}

function listed(title: string, items: readonly string[], width: number): string[] {
  return items.length === 0 ? [] : [title, ...items.flatMap((item) => hanging('  ', item, width)), ''];
}

/** An error of a property, with the file of its case. */
const ofProperty = /^(\S+\/\S+): ([^]*?)(?: \(case file (\S+)\))?$/;

/** What broke: a reason that several properties have met stands once, and below it each of them with its case file. */
function brokenLines(errors: readonly string[], width: number): string[] {
  const byReason = new Map<string, { error: string; place: string }[]>();
  for (const error of errors) {
    const [, property = '', why = error, file] = ofProperty.exec(error) ?? [];
    const place = file === undefined ? property : `${property}, case file ${file}`;
    byReason.set(why, [...(byReason.get(why) ?? []), { error, place }]);
  }
  return [...byReason].flatMap(([why, [first, ...more]]) => {
    if (first === undefined) return [];
    if (more.length === 0) return hanging('  ', first.error, width);
    return [
      ...hanging('  ', why, width),
      ...[first, ...more].flatMap(({ place }) => hanging('    in ', place, width)),
    ];
  });
}

/** Rules that are listed one by one although nobody asked for the list. */
const fewRules = 20;

const settled: ReadonlySet<Verdict> = new Set(['pass', 'observed', 'vacuous', 'unsupported']);

/**
 * Rules and properties one by one where they were asked for, or where they are few; otherwise those that need a look, and a
 * summary by machine.
 */
function lists(result: RunResult, { verbose, width }: ReportContext, style: Style): string[] {
  const everything = verbose === true;
  // where there are many, their causes are listed already
  const listed = new Set(result.failures.length > fewRules ? result.failures.map(({ rule }) => rule) : []);
  const rules =
    everything || result.rules.length <= fewRules
      ? result.rules
      : result.rules.filter((rule) => !settled.has(rule.verdict) && !listed.has(rule.id));
  const shown = everything
    ? result.properties
    : result.properties.filter(({ verdict }) => verdict === 'error');
  return [...rulesTable(rules, width, style), ...properties(shown, width, style)];
}

/** The errors that a run ends with, at its very end: how many, and the first of them. */
function troubleLines(errors: readonly string[], width: number, style: Style): string[] {
  const [first] = errors;
  if (first === undefined) return [];
  return hanging(`${count(errors.length, 'error')}: `, first, width).map((line) => style.bad(line));
}

/** Known causes up to which they are shown in full as well. */
const fewKnown = 3;
/** New causes that are shown in full; of the others each has a few lines. */
const mostInFull = 12;
/** Causes that the summary names one by one. */
const namedInSummary = 12;

/** Causes with their exchanges; the less grave ones, where they are many, and known ones, in short, unless everything is asked for. */
function causesPart(causes: readonly Ranked[], context: ReportContext, style: Style): string[] {
  if (causes.length === 0) return [];
  const { width, verbose, adapter, dissect } = context;
  const fresh = causes.filter(({ cause }) => !cause.known);
  const known = causes.filter(({ cause }) => cause.known);
  const listed = verbose !== true && known.length > fewKnown ? known : [];
  const shown = listed.length === 0 ? causes : fresh;
  const inFull = verbose === true ? shown : shown.slice(0, mostInFull);
  const inShort = shown.slice(inFull.length);
  const text = { width, style, adapter, dissect };
  const counts = [
    fresh.length > 0 ? `${grouped(fresh.length)} new` : '',
    known.length > 0 ? `${grouped(known.length)} known` : '',
  ];
  return [
    style.bold(`Causes (${counts.filter((part) => part !== '').join(', ')}), the gravest first`),
    '',
    ...inFull.flatMap(({ cause, number }) => causeLines(cause, number, text)),
    ...(inShort.length === 0
      ? []
      : [style.bold('The others in short (--verbose: with their exchanges, as in the html report)'), '']),
    ...inShort.flatMap(({ cause, number }) => briefLines(cause, number, text)),
    ...(listed.length === 0
      ? []
      : [
          style.bold('Known, a line each (--verbose: with their exchanges)'),
          ...causeTable(listed, { width, style, most: listed.length, wraps: true }),
          '',
        ]),
  ];
}

/** The summary: the last screen of a run. */
function summary(result: RunResult, { verbose, width }: ReportContext, style: Style): string[] {
  if (result.rules.length <= fewRules) return [];
  const hint = verbose === true ? [] : [style.dim('Every rule and property: --verbose')];
  return [...machineSummary(result.rules, style, width), ...hint];
}

/**
 * The report for people: the causes of what was found, the gravest first, then a summary that fits a screen.
 */
export function prettyRun(result: RunResult, context: ReportContext): string {
  const style = styleFor(context.colour);
  const { width } = context;
  const causes = causesOf(result).map((cause, i) => ({ cause, number: i + 1 }));
  const fresh = causes.filter(({ cause }) => !cause.known);
  const ran = `${count(result.cases, 'case')}, ${count(result.packets, 'packet')}, ${runTime(result.durationMs)}`;
  const ended = endedText(result);
  const decided = result.rules.filter((rule) => rule.exercised > 0).length;
  const lines = [
    ...header(result, context, style),
    ...causesPart(causes, context, style),
    ...lists(result, context, style),
    ...(context.verbose === true ? notJudgedLines(result.notJudged, width, style) : []),
    ...(result.errors.length === 0
      ? []
      : [style.bad('Internal errors, or errors of the adapter'), ...brokenLines(result.errors, width), '']),
    ...(result.interrupted ? [style.warn('Interrupted: this is what was found until then.'), ''] : []),
    ...listed(style.warn('Partial: not all of what was to be run'), result.partial ?? [], width),
    ...(ended === undefined ? [] : [...hanging('', ended, width).map((line) => style.warn(line)), '']),
    ...newsLines(result, width, style),
    ...summary(result, context, style),
    ...(fresh.length < 2
      ? []
      : [
          '',
          style.bold(`New causes (${grouped(fresh.length)}), the gravest first`),
          ...causeTable(fresh, { width, style, most: namedInSummary, wraps: false }),
          '',
        ]),
    ...countsLines('Rules', result.rules, width, style),
    style.dim(`${ran}, ${grouped(decided)} of ${grouped(result.rules.length)} rules exercised`),
    ...troubleLines(result.errors, width, style),
  ];
  return `${lines.join('\n')}\n`;
}
