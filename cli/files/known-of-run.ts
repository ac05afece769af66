import type { RuleSet } from '../../oracle/index.ts';
import { count } from '../../report/text.ts';
import type { CommandContext } from '../commands/command.ts';
import type { Arguments } from '../flags/parse.ts';
import { knownFor, readKnown, type ListedDivergence } from './known-file.ts';

/** Entries of the file of `--known`; a mistake in it must show before anything starts. */
export function listedKnown(args: Arguments, set: RuleSet, context: CommandContext): ListedDivergence[] {
  const file = args.text('known');
  const ids = set.rules.map((rule) => rule.id);
  return file === undefined ? [] : readKnown(file, context.directory, ids);
}

/** Says of the entries of an older file that they expect more than was read when they were written. */
export function tellOfOld(
  known: readonly ListedDivergence[],
  file: string | undefined,
  context: CommandContext,
): void {
  const old = known.filter(({ signature }) => signature === undefined).length;
  if (old === 0 || file === undefined) return;
  context.streams.err(
    `${file}: ${count(old, 'entry', 'entries')} without "signature", as in older files: any defect of the rule counts as known\n`,
  );
}

/** Those that are expected of the device; says which were, and are no longer. */
export function knownOf(
  all: readonly ListedDivergence[],
  device: { adapter: string; version: string | undefined },
  context: CommandContext,
): ListedDivergence[] {
  const { known, expired } = knownFor(all, device, new Date());
  for (const { rule, expires } of expired) {
    context.streams.err(`the divergence from ${rule} is not expected any more since ${expires ?? ''}\n`);
  }
  return known;
}
