import type { Profile } from '../../adapters/adapter.ts';
import type { SuiteProperty } from '../property.ts';
import { generateChunk, type Generated } from './generate.ts';
import type { Chooser } from './budget/chooser.ts';
import { casesAtLeast } from './budget/covering.ts';
import { Turns } from './budget/turns.ts';

export interface Task {
  /** place of the property in the list */
  index: number;
  property: SuiteProperty;
  generated: Generated;
}

/**
 * The cases of a run in their order, without end where `runs` is Infinity: each from the property that `chooser` names, by default from
 * each in turn. A case is a function of its property, the seed, its number and `batch` alone; shards take every n-th number. So many
 * cases of a property as `batch` says are generated together. The grids of a property begin where a default run of the seed before ends
 * at the latest.
 */
export function* schedule(
  properties: readonly SuiteProperty[],
  profile: Profile,
  seed: number,
  runs: number,
  shard: { i: number; n: number },
  chooser: Chooser = new Turns(properties, shard),
  batch = 1,
): Generator<Task, undefined> {
  const given = properties.map(() => 0);
  const batches = new Map<number, { chunk: number; cases: readonly Generated[] }>();
  const own = Math.floor(runs / shard.n) + (shard.i <= runs % shard.n ? 1 : 0);
  for (let begun = 0; begun < own; begun++) {
    const index = chooser.next();
    const property = index === undefined ? undefined : properties[index];
    if (index === undefined || property === undefined) return;
    const number = (given[index] ?? 0) * shard.n + shard.i - 1;
    given[index] = (given[index] ?? 0) + 1;
    // neighbours that are written alike would begin alike
    const chunk = batch === 1 ? Math.imul(number, 0x9e3779b1) >>> 0 : Math.floor(number / batch);
    const before = batches.get(index);
    const turn = (seed >>> 0) * casesAtLeast(profile, property) + number - (number % batch);
    const cases =
      before?.chunk === chunk ? before.cases : generateChunk(property, profile, seed, chunk, batch, turn);
    batches.set(index, { chunk, cases });
    const generated = cases[number % batch];
    if (generated !== undefined) yield { index, property, generated };
  }
}

/** A task that has begun. */
interface Begun<T, R> {
  task: T;
  result: Promise<R>;
  done: boolean;
}

/**
 * Runs tasks `parallel` at a time and hands over the results in the order of the tasks. `ahead`: tasks that may have begun and not been
 * handed over, so that one which takes long holds up no others; by default as many as run at a time.
 */
export async function inOrder<T, R>(
  tasks: Iterator<T>,
  parallel: number,
  run: (task: T) => Promise<R>,
  take: (task: T, result: R) => boolean,
  ahead = parallel,
): Promise<void> {
  const begun: Begun<T, R>[] = [];
  const running = (): number => begun.filter(({ done }) => !done).length;
  let more = true;
  let wake = (): void => undefined;
  const begin = (task: T): void => {
    const one: Begun<T, R> = { task, result: run(task), done: false };
    const end = (): void => {
      one.done = true;
      wake();
    };
    // a failure is thrown in its turn
    one.result.then(end, end);
    begun.push(one);
  };
  for (;;) {
    while (more && begun.length < ahead && running() < parallel) {
      const next = tasks.next();
      if (next.done === true) more = false;
      else begin(next.value);
    }
    const [first] = begun;
    if (first === undefined) return;
    if (!first.done) {
      await new Promise<void>((resolve) => (wake = resolve));
      continue;
    }
    begun.shift();
    if (take(first.task, await first.result)) continue;
    await Promise.all(begun.map(({ result }) => result));
    return;
  }
}
