import { impactText } from '../causes/text.ts';
import { causesOf, type Cause } from '../causes/causes.ts';
import { replayCommand, replayOf } from '../failure.ts';
import { drawLadder } from '../ladder/ladder.ts';
import { profileVersion } from '../profile-version.ts';
import type { ReportContext, ReportFile } from '../reporter.ts';
import { conditionText } from '../influences.ts';
import type { Failure, LadderLine, Reproducer, RunResult } from '../results.ts';
import { wrap } from '../text.ts';
import { sourceLines } from '../upstream/sources.ts';
import { defectOf, subjectOf } from '../upstream/subject.ts';
import { triggerOf } from '../upstream/trigger.ts';

/** Mail is read in columns of this width; what is drawn or copied may be wider. */
const width = 72;
const ladderWidth = 90;

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

/** Where a case came from is of no use to those who get the mail: it stands beside the text. */
function replayLines(lead: Failure, name: string | undefined, context: ReportContext): string[] {
  if (name === undefined)
    return ['To run the case again with rdma-conform:', '', `  ${replayCommand(lead, context.adapter)}`];
  return [
    `The case is in ${name}.json. To run it again with rdma-conform:`,
    '',
    `  ${replayOf(`${name}.json`, context.adapter)}`,
    ...(lead.capture === undefined ? [] : ['', `Packets of the exchange, to attach: ${lead.capture}`]),
  ];
}

function seenAgain({ reproduced: { times, of }, unconfirmed }: Failure): string {
  return unconfirmed === true
    ? 'It was seen once, and the case below was not run again.'
    : `It showed in ${times} of ${of} runs of the case below.`;
}

/** A device logs what all of its cases bring about. */
function logLines({ ladder }: Failure): string[] {
  if (!ladder.some(({ text }) => text.startsWith('log: '))) return [];
  const text =
    'Lines that begin with "log:" are from the log of the kernel. Some may come from other cases that ran on the device at that time.';
  return [...wrap(text, width), ''];
}

/** A reason that says no more than that it is the one of another entry of the list, which the reader does not have. */
const pointsElsewhere = /^(?:The same as|As on) /;

/** Why the device does so, where somebody has found out and may say so: of what shows the cause, the first that says it. */
function reasonLines({ findings, consequences }: Cause): string[] {
  const reasons = [...findings, ...consequences].flatMap(({ divergence }) =>
    divergence === undefined || divergence.link?.endsWith('#withheld') === true ? [] : [divergence.reason],
  );
  const reason = reasons.find((text) => !pointsElsewhere.test(text));
  return reason === undefined ? [] : [...wrap(`What was found out: ${reason}`, width), ''];
}

/** The device and its version, as far as it has one. */
function deviceText({ name, profile }: RunResult['adapter']): string {
  const version = profileVersion(profile);
  return version === undefined ? name : `${name} (${version})`;
}

/** What it takes, where that was tried. */
function conditionLines({ matters }: Cause): string[] {
  if (matters.length === 0) return [];
  const lines = matters.flatMap((one) =>
    wrap(conditionText(one), width - 4).map((line, i) => `${i === 0 ? '  - ' : '    '}${line}`),
  );
  return ['What it takes (and with what nothing is wrong):', '', ...lines, ''];
}

interface Mail {
  cause: Cause;
  lead: Failure;
  /** of the files, without what follows the dot */
  name: string;
  /** the case has a file beside the text */
  caseBeside: boolean;
}

/** One cause as a mail to those who maintain the device, in words that do not need this tool. */
function textOf({ cause, lead, name, caseBeside }: Mail, result: RunResult, context: ReportContext): string {
  const { adapter } = result;
  const defect = defectOf(cause, lead);
  const prefix = adapter.name.startsWith('rxe') ? 'RDMA/rxe' : adapter.name;
  const rule = result.rules.find(({ id }) => id === lead.rule);
  const sources = sourceLines(lead, rule, context, width);
  const shown = new Set(cause.findings.map((found) => found.rule));
  return [
    ...(harmful.has(cause.impact?.id ?? '') ? [...wrap(notForThePublic, width), ''] : []),
    `Subject: ${prefix}: ${subjectOf(cause, lead)}`,
    '',
    ...wrap(`Seen on ${deviceText(adapter)}: ${defect}.`, width),
    '',
    ...wrap(`This breaks the rule: ${lead.says}`, width),
    '',
    ...reasonLines(cause),
    `  expected: ${lead.expected}`,
    `  observed: ${lead.observed}`,
    '',
    ...(cause.impact === undefined ? [] : wrap(`What it means: ${impactText(cause.impact)}`, width)),
    ...wrap(`${triggerOf(lead)} ${seenAgain(lead)}`, width),
    ...(lead.unshrunk === true
      ? wrap('There may be a shorter case: not all simpler ones were tried.', width)
      : []),
    '',
    'The exchange (">>" marks what is wrong; "-->" goes to the device, "<--"',
    'comes from it, and brackets hold its calls and completions):',
    '',
    ...drawLadder(lead.ladder.filter(isOfDevice), ladderWidth).map((line) => line.trimEnd()),
    '',
    ...logLines(lead),
    ...conditionLines(cause),
    ...(sources.length === 0 ? [] : ['What the specification says:', '', ...sources, '']),
    ...others('The same defect shows by these rules as well:', cause.findings, lead),
    ...others(
      'What follows from it in the same exchange:',
      cause.consequences.filter((found) => !shown.has(found.rule)),
      lead,
    ),
    ...reproducerLines(context.reproducer?.(lead), name),
    ...replayLines(lead, caseBeside ? name : undefined, context),
    '',
  ].join('\n');
}

/** A text for each cause, ready to send, with its case and the program that shows it; the file names begin with its rank. */
export function upstreamFiles(result: RunResult, context: ReportContext): ReportFile[] {
  return causesOf(result).flatMap((cause, i) => {
    const [lead] = cause.findings;
    if (lead === undefined) return [];
    const name = causeFile(i, lead);
    const program = context.reproducer?.(lead);
    const replayed = context.caseText?.(lead);
    const mail = { cause, lead, name, caseBeside: replayed !== undefined };
    return [
      { name: `${name}.txt`, text: textOf(mail, result, context) },
      ...(replayed === undefined ? [] : [{ name: `${name}.json`, text: replayed }]),
      ...(program !== undefined && 'text' in program ? [{ name: `${name}.c`, text: program.text }] : []),
    ];
  });
}

/** The same texts one after the other, with no files beside them. */
export function upstreamRun(result: RunResult, context: ReportContext): string {
  const texts = upstreamFiles(result, { ...context, caseText: () => undefined }).flatMap(({ name, text }) =>
    name.endsWith('.txt') ? [text] : [],
  );
  return texts.length === 0 ? 'Nothing to report.\n' : texts.join(`${'-'.repeat(width)}\n`);
}

/** A capture has violations, and no causes. */
export function upstreamCheck(): string {
  return 'The reporter "upstream" reports runs; for a capture take "pretty" or "html".\n';
}
