import { closeSync, openSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { count } from '../../report/text.ts';
import { loadRules, type RuleSet } from '../../oracle/index.ts';
import { loadExcuses, staleExcuses } from '../../suites/flips/excuses.ts';
import { everyFlip, nameOf, readDrafts, type AnyFlip } from '../../suites/flips/flip.ts';
import type { Notice, Trial } from '../../suites/flips/trials.ts';
import { wordsOf, type Word } from '../../suites/flips/words.ts';
import { formatWitnesses, keyOf, loadWitnesses, ofKeys, type Witness } from '../../suites/flips/witnesses.ts';
import type { RunCommand } from '../commands/command.ts';
import { exitCode, usageError } from '../exit-codes.ts';
import { cannotWrite } from '../files/file-trouble.ts';
import { unknownWord } from '../flags/nearest.ts';
import type { Arguments } from '../flags/parse.ts';
import { createProgress } from '../progress.ts';
import { seedOf } from '../flags/run-options.ts';
import { Pool } from './pool.ts';
import { tryFlips, witnessesOf, type SearchTerms } from './attempt.ts';

const defaultMinutes = 5;
const mostMinutes = 10_000;

/** Refuses what no run could take; before the flips are made, which takes seconds. */
function checkSelection(rules: RuleSet, args: Arguments): void {
  const machines = [...rules.machines.keys()];
  for (const machine of args.texts('machine'))
    if (!machines.includes(machine)) throw usageError(unknownWord('machine', machine, machines));
  for (const id of args.texts('flipRule'))
    if (rules.rule(id) === undefined) {
      const all = rules.rules.map((rule) => rule.id);
      throw usageError(unknownWord('rule', id, all));
    }
}

/** Numbers of the flips that were asked for. */
function selected(flips: readonly AnyFlip[], args: Arguments): number[] {
  const machines = args.texts('machine');
  const ids = args.texts('flipRule');
  return flips.flatMap(({ machine, rule }, i) =>
    (machines.length === 0 || machines.includes(machine)) &&
    (ids.length === 0 || (rule !== undefined && ids.includes(rule)))
      ? [i]
      : [],
  );
}

const notices: Readonly<Record<Notice, string>> = {
  compiler: 'refused by the compiler',
  refusal: 'the oracle found no rule to go by',
  violations: 'other violations',
  doubts: 'other doubts, or something else not judged',
  choices: 'other choices of the device',
  counts: 'rules exercised more or less often',
};

/** By what so many were noticed, one line each. */
function* byNotice(words: readonly Word[]): Generator<string> {
  for (const [notice, says] of Object.entries(notices)) {
    const n = words.filter(({ noticed }) => noticed?.notice === notice).length;
    if (n > 0) yield `  ${String(n).padStart(6)} ${says}`;
  }
  const judged = words.reduce((sum, { tried }) => sum + tried, 0);
  yield `  ${String(judged).padStart(6)} traces judged`;
}

function noticedText({ name, noticed }: Word): string {
  const { notice = 'compiler', by } = noticed ?? {};
  const trace = by === undefined ? '' : ` in ${by.name}${by.view === undefined ? '' : `, ${by.view}`}`;
  return `${name}: ${notices[notice]}${trace}`;
}

function unnoticedText({ place, name, others, tried }: Word): string {
  const shown = others.map((other) => (other === '' ? 'left out' : other));
  const where = tried === 0 ? 'no known trace shows it' : `unnoticed in ${count(tried, 'trace')}`;
  return `${place}: ${name} -> ${shown.join(' | ')}: ${where}`;
}

/** What is searched for those that no known trace shows; undefined: nothing. */
function searchOf(args: Arguments, directory: string): SearchTerms | undefined {
  const minutes = args.integer('flipMinutes', 1, mostMinutes) ?? defaultMinutes;
  const file = args.text('flipSearch');
  if (file === undefined) {
    if (args.has('flipMinutes')) throw usageError('--minutes says how long --search takes; give both');
    return undefined;
  }
  try {
    closeSync(openSync(resolve(directory, file), 'a'));
  } catch (thrown) {
    throw usageError(cannotWrite(file, thrown));
  }
  return {
    seed: seedOf(args),
    time: minutes * 60_000,
  };
}

/** Witnesses of all but these flips. */
function without(witnesses: readonly Witness[], flips: readonly AnyFlip[]): Witness[] {
  const others = new Set(flips.map((flip) => keyOf(nameOf(flip))));
  return ofKeys(witnesses, (key) => !others.has(key));
}

/** `rules flips`: whether the corpus notices each word of the YAML. */
export const flipsCommand: RunCommand = async (args, { streams, directory }) => {
  const deeper = args.has('flipDeeper');
  const known = loadWitnesses(deeper);
  const search = searchOf(args, directory);
  if (known === undefined && search === undefined)
    throw usageError(
      '"rules flips" needs a checkout of the project, or --search: traces that show flips are not packed',
    );
  const rules = loadRules();
  checkSelection(rules, args);
  const excuses = loadExcuses();
  const drafts = readDrafts();
  const flips = everyFlip(rules, drafts, deeper);
  const numbers = selected(flips, args);
  const progress = createProgress({
    write: streams.err,
    terminal: streams.progress,
    width: streams.errWidth,
  });
  const witnesses = known ?? [];
  let trials: ReadonlyMap<number, Trial>;
  try {
    const excused = (word: string): boolean => excuses.reasons.has(word);
    const pool = new Pool({ deeper, drafts });
    trials = await tryFlips(flips, numbers, witnesses, excused, search, pool, (done, doing) => {
      progress.update({ ...(done !== undefined && { done }), doing });
    });
  } finally {
    progress.end();
  }
  const file = args.text('flipSearch');
  if (file !== undefined) {
    const found = witnessesOf(flips, trials, witnesses);
    writeFileSync(
      resolve(directory, file),
      formatWitnesses(deeper ? without(found, everyFlip(rules, drafts)) : found),
    );
  }

  const words = wordsOf(
    numbers.flatMap((number) => {
      const [flip, trial] = [flips[number], trials.get(number)];
      return flip === undefined || trial === undefined ? [] : [{ flip, trial }];
    }),
  );
  const rest = words.filter(({ noticed }) => noticed === undefined);
  const unnoticed = rest.filter(({ name }) => !excuses.reasons.has(name));
  const seen = words.filter(({ noticed }) => noticed !== undefined);
  const stale = staleExcuses(
    excuses,
    new Set(flips.map(({ word }) => word)),
    new Set(seen.map(({ name }) => name)),
  );
  const out = (line: string): void => {
    streams.out(`${line}\n`);
  };
  if (args.has('rulesVerbose')) {
    for (const word of seen) out(noticedText(word));
    for (const { name } of rest)
      if (excuses.reasons.has(name)) out(`${name}: excused: ${excuses.reasons.get(name) ?? ''}`);
    for (const line of byNotice(seen)) out(line);
  }
  for (const word of unnoticed) out(unnoticedText(word));
  for (const line of stale) out(`spec/flips.yaml: ${line}`);
  out(
    `flips ${words.length}, noticed ${seen.length}, excused ${rest.length - unnoticed.length}, unnoticed ${unnoticed.length}`,
  );
  return unnoticed.length > 0 || stale.length > 0 ? exitCode.fail : exitCode.ok;
};
