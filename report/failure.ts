import { bytesLines } from './ladder/bytes.ts';
import { influenceLines } from './influences.ts';
import { drawLadder } from './ladder/ladder.ts';
import type { ReportContext } from './reporter.ts';
import type { Demand, Failure } from './results.ts';
import type { Style } from './style.ts';
import { hanging, shellQuote } from './text.ts';

/** A long token is of no use on a line that wraps: then the case file is named instead, where there is one. */
const longestToken = 400;

/** The command that runs a failure again, on the device that `--adapter` names (default: the reference NIC). */
export function replayCommand({ token, caseFile }: Failure, adapter?: string): string {
  const isLong = token.length > longestToken && caseFile !== undefined;
  return replayOf(isLong ? caseFile : token, adapter);
}

/** The command that runs a case again, by its token or file. */
export function replayOf(tokenOrFile: string, adapter?: string): string {
  const device = adapter === undefined || adapter === 'reference' ? '' : ` --adapter ${shellQuote(adapter)}`;
  return `npx rdma-conform replay ${shellQuote(tokenOrFile)}${device}`;
}

/** The guilty packet from its BTH on, taken apart; nothing where what is guilty is no packet. */
function guiltyBytes(failure: Failure, width: number, dissect: ReportContext['dissect']): string[] {
  const frame = failure.ladder.find(({ guilty }) => guilty === true)?.frame;
  if (frame === undefined || dissect === undefined) return [];
  const layers = dissect(frame);
  const transport = layers.findIndex(({ name }) => name === 'BTH');
  return ['', ...bytesLines(frame, layers.slice(Math.max(0, transport)), width)];
}

/** What the list of known divergences says of a finding. */
export function divergenceText({ reason, link }: NonNullable<Failure['divergence']>): string {
  return link === undefined ? reason : `${reason} (${link})`;
}

/** How often a finding was seen again, e.g. "10/10". */
export function reproducedText({ reproduced: { times, of }, unconfirmed }: Failure): string {
  return unconfirmed === true ? 'seen once, and not run again before the run ended' : `${times}/${of}`;
}

/** What a rule rests on beside statements of the source documents, or in their place. */
export function sourceText({ source, uncovered }: Pick<Demand, 'source' | 'uncovered'>): string | undefined {
  if (uncovered === undefined) return source;
  const place = source === undefined ? '' : `${source}; `;
  return `${place}${uncovered} (no statement of the source documents says it)`;
}

/** Statements behind a rule and what else it rests on, by the name of the field. */
export function groundsOf(demand: Omit<Demand, 'rule' | 'level' | 'says'>): (readonly [string, string])[] {
  const source = sourceText(demand);
  return [
    ...(demand.statements.length === 0 ? [] : ([['statements', demand.statements.join(', ')]] as const)),
    ...(source === undefined ? [] : ([['source', source]] as const)),
  ];
}

export interface FailureText {
  width: number;
  style: Style;
  adapter?: string | undefined;
  dissect?: ReportContext['dissect'] | undefined;
}

/** Everything that one failure says, for a person: rule, sources, expectation, observation, exchange, replay. */
export function failureLines(
  failure: Failure,
  title: string,
  { width, style, adapter, dissect }: FailureText,
): string[] {
  const field = (name: string, text: string): string[] => hanging(`   ${name.padEnd(11)} `, text, width);
  return [
    failure.known ? style.warn(style.bold(`${title} (known divergence)`)) : style.bad(style.bold(title)),
    ...hanging('   ', failure.says, width),
    ...(failure.signature === undefined ? [] : field('signature', failure.signature)),
    ...(failure.divergence === undefined ? [] : field('known', divergenceText(failure.divergence))),
    ...field('level', failure.level),
    ...groundsOf(failure).flatMap(([name, text]) => field(name, text)),
    ...field('property', failure.property),
    ...field('expected', failure.expected).map((line) => style.good(line)),
    ...field('observed', failure.observed).map((line) => style.bad(line)),
    ...field('reproduced', reproducedText(failure)),
    ...(failure.unshrunk === true ? field('case', 'not fully shrunk; "replay --shrink" goes on') : []),
    ...influenceLines(failure.influences, width),
    '',
    ...drawLadder(failure.ladder, width, style),
    ...guiltyBytes(failure, width, dissect),
    '',
    // Not wrapped: this is there to be copied.
    `   ${style.dim('replay')}      ${replayCommand(failure, adapter)}`,
    ...(failure.caseFile === undefined ? [] : [`   ${style.dim('case file')}   ${failure.caseFile}`]),
    ...(failure.capture === undefined ? [] : [`   ${style.dim('capture')}     ${failure.capture}`]),
    '',
  ];
}
