import { count } from '../../report/text.ts';
import { loadRules, type RuleSet } from '../../oracle/index.ts';
import { loadExcuses, staleExcuses } from '../../suites/flips/excuses.ts';
import { everyFlip, nameOf, type AnyFlip } from '../../suites/flips/flip.ts';
import type { Notice, Trial } from '../../suites/flips/trial.ts';
import type { RunCommand } from '../commands/command.ts';
import { exitCode, usageError } from '../exit-codes.ts';
import { unknownWord } from '../flags/nearest.ts';
import type { Arguments } from '../flags/parse.ts';
import { createProgress } from '../progress.ts';
import { seedOf } from '../flags/run-options.ts';
import { threads, tryFlips } from './pool.ts';

const defaultCases = 12;
const mostCases = 10_000;

/** Numbers of the flips that were asked for. */
function selected(flips: readonly AnyFlip[], rules: RuleSet, args: Arguments): number[] {
  const machines = args.texts('machine');
  const ids = args.texts('flipRule');
  const known = [...new Set(flips.map(({ machine }) => machine))];
  for (const machine of machines)
    if (!known.includes(machine)) throw usageError(unknownWord('machine', machine, known));
  for (const id of ids)
    if (rules.rule(id) === undefined) {
      const all = rules.rules.map((rule) => rule.id);
      throw usageError(unknownWord('rule', id, all));
    }
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
function* byNotice(trials: Iterable<Trial>): Generator<string> {
  const all = [...trials];
  for (const [notice, says] of Object.entries(notices)) {
    const n = all.filter((trial) => trial.notice === notice).length;
    if (n > 0) yield `  ${String(n).padStart(6)} ${says}`;
  }
  const judged = all.reduce((sum, { tried }) => sum + tried, 0);
  yield `  ${String(judged).padStart(6)} traces judged`;
}

/** `rules flips`: whether the corpus notices each word of the YAML. */
export const flipsCommand: RunCommand = async (args, { streams }) => {
  const rules = loadRules();
  const excuses = loadExcuses();
  const flips = everyFlip(rules);
  const numbers = selected(flips, rules, args);
  const terms = { seed: seedOf(args), cases: args.integer('flipCases', 1, mostCases) ?? defaultCases };
  const progress = createProgress({
    write: streams.err,
    terminal: streams.progress,
    width: streams.errWidth,
  });
  let trials: ReadonlyMap<number, Trial>;
  try {
    progress.update({ doing: 'making the corpus' });
    trials = await tryFlips(terms, numbers, ({ corpora, tried }) => {
      if (corpora === threads)
        progress.update({ done: Math.min(1, tried / numbers.length), doing: `${tried} flips tried` });
    });
  } finally {
    progress.end();
  }

  const tried = numbers.flatMap((number) => {
    const [flip, trial] = [flips[number], trials.get(number)];
    return flip === undefined || trial === undefined ? [] : [{ flip, trial, name: nameOf(flip) }];
  });
  const noticed = tried.filter(({ trial }) => trial.notice !== undefined);
  const rest = tried.filter(({ trial }) => trial.notice === undefined);
  const unnoticed = rest.filter(({ name }) => !excuses.reasons.has(name));
  // of several flips by one name, such as a statement that stands twice, one that is not noticed is enough
  const open = new Set(rest.map(({ name }) => name));
  const stale = staleExcuses(
    excuses,
    new Set(flips.map(nameOf)),
    new Set(noticed.map(({ name }) => name).filter((name) => !open.has(name))),
  );
  const out = (line: string): void => {
    streams.out(`${line}\n`);
  };
  if (args.has('verbose')) {
    for (const { name, trial } of noticed)
      out(`${name}: ${trial.notice ?? ''}${trial.by === undefined ? '' : ` in ${trial.by}`}`);
    for (const { name } of rest)
      if (excuses.reasons.has(name)) out(`${name}: excused: ${excuses.reasons.get(name) ?? ''}`);
    for (const line of byNotice(tried.map(({ trial }) => trial))) out(line);
  }
  for (const { flip, name, trial } of unnoticed)
    out(`${flip.place}: ${name}: unnoticed in ${count(trial.tried, 'trace')}`);
  const machines = [...new Set(unnoticed.map(({ flip }) => flip.machine))];
  const more = machines.filter((machine) => {
    const open = unnoticed.filter(({ flip }) => flip.machine === machine).length;
    out(`${machine}: ${open} unnoticed, of ${excuses.open[machine] ?? 0} that may be`);
    return open > (excuses.open[machine] ?? 0);
  });
  for (const line of stale) out(`spec/flips.yaml: ${line}`);
  out(
    `flips ${tried.length}, noticed ${noticed.length}, excused ${rest.length - unnoticed.length}, unnoticed ${unnoticed.length}`,
  );
  return more.length > 0 || stale.length > 0 ? exitCode.fail : exitCode.ok;
};
