import type { Failure } from './results.ts';
import { drawLadder } from './ladder.ts';
import type { Style } from './style.ts';
import { hanging, shellQuote } from './text.ts';

/** A long token is of no use on a line that wraps: then the case file is named instead, where there is one. */
const longestToken = 400;

/** The command that runs a failure again, on the device that `--adapter` names (default: the reference NIC). */
export function replayCommand(failure: Failure, adapter?: string): string {
  const device = adapter === undefined || adapter === 'reference' ? '' : ` --adapter ${shellQuote(adapter)}`;
  if (failure.token.length > longestToken && failure.caseFile !== undefined) {
    return `npx rdma-conform replay ${shellQuote(failure.caseFile)}${device}`;
  }
  return `npx rdma-conform replay ${shellQuote(failure.token)}${device}`;
}

/** Everything that one failure says, for a person: rule, sources, expectation, observation, exchange, replay. */
export function failureLines(
  failure: Failure,
  index: number,
  { width, style, adapter }: { width: number; style: Style; adapter?: string | undefined },
): string[] {
  const title = `${index}. ${failure.rule}`;
  const field = (name: string, text: string): string[] => hanging(`   ${name.padEnd(11)} `, text, width);
  const { times, of } = failure.reproduced;
  return [
    failure.known ? style.warn(style.bold(`${title} (known divergence)`)) : style.bad(style.bold(title)),
    ...hanging('   ', failure.says, width),
    ...field('level', failure.level),
    ...(failure.statements.length === 0 ? [] : field('statements', failure.statements.join(', '))),
    ...field('property', failure.property),
    ...field('expected', failure.expected).map((line) => style.good(line)),
    ...field('observed', failure.observed).map((line) => style.bad(line)),
    ...field('reproduced', `${times}/${of}`),
    '',
    ...drawLadder(failure.ladder, width, style),
    '',
    // Not wrapped: this is there to be copied.
    `   ${style.dim('replay')}      ${replayCommand(failure, adapter)}`,
    ...(failure.caseFile === undefined ? [] : [`   ${style.dim('case file')}   ${failure.caseFile}`]),
    '',
  ];
}
