import { causesOf, type Cause } from '../causes/causes.ts';
import { whatIsWrong } from '../causes/text.ts';
import { replayCommand } from '../failure.ts';
import { drawLadder } from '../ladder/ladder.ts';
import type { ReportContext, ReportFile } from '../reporter.ts';
import type { Failure, LadderLine, Reproducer, RunResult } from '../results.ts';
import { wrap } from '../text.ts';

/** Mail is read in columns of this width; what is drawn or copied may be wider. */
const width = 72;
const ladderWidth = 90;

function versionOf(profile: unknown): string {
  const found: unknown =
    typeof profile === 'object' && profile !== null ? Reflect.get(profile, 'version') : undefined;
  return typeof found === 'string' ? found : 'of unknown version';
}

function stepsOf(scenario: unknown): { do?: unknown }[] {
  const steps: unknown =
    typeof scenario === 'object' && scenario !== null ? Reflect.get(scenario, 'steps') : undefined;
  return Array.isArray(steps) ? (steps as { do?: unknown }[]) : [];
}

function faultsOf(scenario: unknown): number {
  const faults: unknown =
    typeof scenario === 'object' && scenario !== null ? Reflect.get(scenario, 'faults') : undefined;
  return Array.isArray(faults) ? faults.length : 0;
}

/** Who can bring it about, as far as the case tells. */
function triggerOf({ scenario }: Failure): string {
  const kinds = stepsOf(scenario).map((step) => step.do);
  if (kinds.includes('inject') || kinds.includes('respond'))
    return 'A peer can trigger it by the packets that it sends; the case crafts them.';
  if (faultsOf(scenario) > 0)
    return 'It takes a conformant peer and a network that loses, delays or changes packets.';
  return 'It takes no more than the calls of a local program and a conformant peer.';
}

function wordsOf(text: string): Set<string> {
  return new Set(
    (text.toLowerCase().match(/[a-z_]{4,}|ack|nak|psn|qp/g) ?? []).map((word) => word.replace(/s$/, '')),
  );
}

/** Statements that are nearest to the case by their words come first: a rule has several, and each is about a case of its own. */
function nearestFirst(
  { statements, says, expected, observed }: Failure,
  { statement }: ReportContext,
): readonly string[] {
  const wanted = wordsOf(`${says} ${expected} ${observed}`);
  const nearness = (id: string): number => {
    const own = wordsOf(statement?.(id)?.text ?? id);
    return [...own].filter((word) => wanted.has(word)).length / Math.sqrt(own.size + 1);
  };
  return statements.toSorted((a, b) => nearness(b) - nearness(a));
}

/** Statements that a mail quotes; the others are named. */
const quoted = 3;

function sourcesOf(lead: Failure, context: ReportContext): string[] {
  const { statement } = context;
  const all = nearestFirst(lead, context);
  const rest = all.slice(quoted);
  const more = rest.length === 0 ? [] : wrap(`The rule rests on ${rest.join(', ')} as well.`, width);
  const lines = all.slice(0, quoted).flatMap((id) => {
    const known = statement?.(id);
    const text =
      known === undefined ? id : `${known.text} (${[known.source, ...known.also].join('; ')}; ${id})`;
    return wrap(text, width - 4).map((line, i) => `${i === 0 ? '  - ' : '    '}${line}`);
  });
  return more.length === 0 ? lines : [...lines, '', ...more];
}

/** Each rule once, but for that of the failure that the text is about. */
function others(title: string, failures: readonly Failure[], lead: Failure): string[] {
  const byRule = new Map(
    failures.filter(({ rule }) => rule !== lead.rule).map((found) => [found.rule, found]),
  );
  if (byRule.size === 0) return [];
  const lines = [...byRule.values()].flatMap(({ rule, says }) =>
    wrap(`${rule}: ${says}`, width - 4).map((line, i) => `${i === 0 ? '  - ' : '    '}${line}`),
  );
  return [title, '', ...lines, ''];
}

/** How to build the program beside the text, or why there is none. */
function reproducerLines(found: Reproducer | undefined, name: string): string[] {
  if (found === undefined) return [];
  if ('why' in found) return wrap(`There is no reproducer in C: ${found.why}.`, width).concat('');
  return [
    'To see it without rdma-conform, as root (needs iproute2 and the headers',
    'of libibverbs; ends with 1 where the defect shows):',
    '',
    `  gcc -O1 -Wall -o reproducer ${name}.c -libverbs && ./reproducer`,
    '',
  ];
}

/** Name of the files of a cause, by its rank from 0, without what follows the dot. */
export function causeFile(rank: number, { rule }: Failure): string {
  return `${String(rank + 1).padStart(2, '0')}-${rule}`;
}

/** What is wrong, and the rule: a subject is read without what stands around it. */
function subjectOf(cause: Cause, { rule }: Failure): string {
  return `${whatIsWrong(cause)} (${rule})`;
}

/** Whether a line says something of the device, and not of the machine that the test ran on. */
function isOfDevice({ kind, text, guilty }: LadderLine): boolean {
  return (
    guilty === true || kind !== 'note' || !text.startsWith('the device or its host may have stood still')
  );
}

/** Impacts by which a peer, or a program without rights, may do harm. */
const harmful: ReadonlySet<string> = new Set(['device-loss', 'security']);

const notForThePublic =
  'NOT FOR A PUBLIC LIST: by this a peer, or a program without rights, may do harm. Report it in private first, for Linux to security@kernel.org, and publish neither the text nor the case before it is mended (SECURITY.md).';

/** One cause as a mail to those who maintain the device, in words that do not need this tool. */
function textOf(
  cause: Cause,
  lead: Failure,
  name: string,
  result: RunResult,
  context: ReportContext,
): string {
  const { adapter } = result;
  const { times, of } = lead.reproduced;
  const prefix = adapter.name.startsWith('rxe') ? 'RDMA/rxe' : adapter.name;
  return [
    ...(harmful.has(cause.impact?.id ?? '') ? [...wrap(notForThePublic, width), ''] : []),
    `Subject: ${prefix}: ${subjectOf(cause, lead)}`,
    '',
    ...wrap(`The rule: ${lead.says}`, width),
    '',
    ...wrap(`On ${adapter.name} (${versionOf(adapter.profile)}) a conformance test sees:`, width),
    '',
    `  expected: ${lead.expected}`,
    `  observed: ${lead.observed}`,
    '',
    ...(cause.impact === undefined ? [] : wrap(`What it means: ${cause.impact.says}`, width)),
    ...wrap(`${triggerOf(lead)} It showed in ${times} of ${of} runs of the case below.`, width),
    '',
    'The exchange (">>" marks what is wrong; "-->" goes to the device, "<--"',
    'comes from it, and brackets hold its calls and completions):',
    '',
    ...drawLadder(lead.ladder.filter(isOfDevice), ladderWidth).map((line) => line.trimEnd()),
    '',
    ...(lead.statements.length === 0
      ? []
      : ['What the specification says:', '', ...sourcesOf(lead, context), '']),
    ...others('The same defect shows by these rules as well:', cause.findings, lead),
    ...others('What follows from it in the same exchange:', cause.consequences, lead),
    ...reproducerLines(context.reproducer?.(lead), name),
    'To run the case again with rdma-conform:',
    '',
    `  ${replayCommand(lead, context.adapter)}`,
    ...(lead.capture === undefined ? [] : ['', `Packets of the exchange: ${lead.capture}`]),
    '',
  ].join('\n');
}

/** A text for each cause, ready to send, and the program that shows it; the file names begin with its rank. */
export function upstreamFiles(result: RunResult, context: ReportContext): ReportFile[] {
  return causesOf(result).flatMap((cause, i) => {
    const [lead] = cause.findings;
    if (lead === undefined) return [];
    const name = causeFile(i, lead);
    const program = context.reproducer?.(lead);
    return [
      { name: `${name}.txt`, text: textOf(cause, lead, name, result, context) },
      ...(program !== undefined && 'text' in program ? [{ name: `${name}.c`, text: program.text }] : []),
    ];
  });
}

/** The same texts one after the other. */
export function upstreamRun(result: RunResult, context: ReportContext): string {
  const texts = upstreamFiles(result, context).flatMap(({ name, text }) =>
    name.endsWith('.txt') ? [text] : [],
  );
  return texts.length === 0 ? 'Nothing to report.\n' : texts.join(`${'-'.repeat(width)}\n`);
}

/** A capture has violations, and no causes. */
export function upstreamCheck(): string {
  return 'The reporter "upstream" reports runs; for a capture take "pretty" or "html".\n';
}
