import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { loadRules } from '../../oracle/index.ts';
import { Cases, parseCaseName } from '../../suites/corpus/cases.ts';
import { Draw } from '../../suites/corpus/random.ts';
import { viewed, type CorpusTrace } from '../../suites/corpus/views/index.ts';
import { everyFlip, type AnyFlip } from '../../suites/flips/flip.ts';
import { Search } from '../../suites/flips/search.ts';
import { judge } from '../../suites/flips/judged.ts';
import { loadTraces, walked } from '../../suites/flips/traces.ts';
import { Trials, type Tryable } from '../../suites/flips/trials.ts';
import { loadMutants, properties } from '../../suites/index.ts';
import * as wire from '../../wire/index.ts';
import type { Report, Task, ThreadData } from './task.ts';

/** A thread that tries flips. */
const port = parentPort;
if (port === null) throw new Error('this file is the body of a worker thread');
const { closed, deeper, drafts } = workerData as ThreadData;
const rules = loadRules();
const every = everyFlip(rules, drafts, deeper);
const cases = new Cases();
const kept = loadTraces();
const byId = new Map(properties.map((property) => [property.id, property]));
const seen: CorpusTrace[] = [];

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
const say = (report: Report): void => port.postMessage(report);

function trialsOf(numbers: readonly number[], most: number): Trials {
  const flips = numbers.flatMap((number): [number, AnyFlip][] => {
    const flip = every[number];
    return flip === undefined ? [] : [[number, flip]];
  });
  return new Trials(rules, new Map(flips), most);
}

/** Tries flips on one trace. */
function tryOn(trials: Trials, numbers: readonly number[], weighed: Tryable): void {
  for (const flip of numbers) {
    const trial = trials.try(flip, weighed);
    if (trial !== undefined) say({ kind: 'trial', flip, trial });
  }
}

/** What a case makes; a property or a mutant that is gone takes its cases with it. */
async function traceOf(name: string): Promise<Awaited<ReturnType<Cases['trace']>>> {
  const parsed = parseCaseName(name);
  const property = parsed && byId.get(parsed.property);
  return parsed && property && cases.trace(property, parsed).catch(() => undefined);
}

async function replay({ cases: wanted }: Extract<Task, { kind: 'replay' }>): Promise<void> {
  const trials = trialsOf(
    wanted.flatMap(({ flips }) => flips),
    Infinity,
  );
  let name = '';
  let trace: Awaited<ReturnType<Cases['trace']>>;
  for (const one of wanted) {
    if (one.name !== name) {
      name = one.name;
      trace = kept.get(name)?.trace ?? walked(name) ?? (await traceOf(name));
    }
    const made = one.view === undefined || trace === undefined ? trace : viewed(trace, one.view, wire);
    if (made !== undefined) {
      const shown = { name, ...(one.view !== undefined && { view: one.view }), trace: made };
      seen.push(shown);
      tryOn(trials, one.flips, { one: shown, judged: judge(made, rules) });
    }
    say({ kind: 'step', doing: 'judging the traces that showed them' });
  }
}

function tryAll({ flips, most }: Extract<Task, { kind: 'try' }>): void {
  const trials = trialsOf(flips, most);
  for (const one of seen.toSorted((a, b) => a.trace.events.length - b.trace.events.length)) {
    if (trials.open.length === 0) break;
    const weighed = trials.weigh(one);
    tryOn(trials, trials.fitting(weighed, Infinity), weighed);
  }
  for (const flip of flips) say({ kind: 'tried', flip, tried: trials.tried(flip) });
}

/** Tries in a search after which a flip is given up. */
const enough = 3000;

async function search({ flips, seed, part, time }: Extract<Task, { kind: 'search' }>): Promise<void> {
  const end = Date.now() + time;
  const trials = trialsOf(flips, enough);
  const source = { cases, rules, properties, mutants: loadMutants(rules), seed };
  const draw = new Draw(seed * part.n + part.i);
  const one = new Search(trials, source, draw, (flip, trial) => say({ kind: 'trial', flip, trial }));
  const over = (): boolean => {
    for (let got = receiveMessageOnPort(closed); got !== undefined; got = receiveMessageOnPort(closed))
      trials.close((got.message as Extract<Task, { kind: 'close' }>).flip);
    say({ kind: 'step', doing: 'searching' });
    return Date.now() > end || trials.open.length === 0;
  };
  // each thread offers a part of them
  one.offerAll(
    [...kept.values()].filter((_, i) => i % part.n === part.i),
    over,
  );
  await one.survey(over);
  while (!over()) await one.round(over);
  for (const flip of flips) say({ kind: 'tried', flip, tried: trials.tried(flip) });
}

async function work(task: Task): Promise<void> {
  if (task.kind === 'replay') await replay(task);
  else if (task.kind === 'try') tryAll(task);
  else if (task.kind === 'search') await search(task);
  say({ kind: 'done' });
}

port.on('message', (task: Task) => void work(task));
