import type { Profile } from '../../adapters/adapter.ts';
import type { SuiteProperty } from '../property.ts';
import { generateChunk, type Generated } from './generate.ts';

const chunkSize = 20;

export interface Task {
  property: SuiteProperty;
  generated: Generated;
}

/**
 * The cases of a run in their order: a chunk of each property in turn, so that a run that ends early has tried them all.
 * Shards take every n-th chunk.
 */
export function* schedule(
  properties: readonly SuiteProperty[],
  profile: Profile,
  seed: number,
  runs: number,
  shard: { i: number; n: number },
): Generator<Task> {
  const shares = sharesOf(properties, runs);
  let number = 0;
  for (let chunk = 0; ; chunk++) {
    let any = false;
    for (const [index, property] of properties.entries()) {
      const count = Math.min(chunkSize, (shares[index] ?? 0) - chunk * chunkSize);
      if (count <= 0) continue;
      any = true;
      if (number++ % shard.n !== shard.i - 1) continue;
      for (const generated of generateChunk(property, profile, seed, chunk, count))
        yield { property, generated };
    }
    if (!any) return;
  }
}

/** Runs of each property, by its share; the first ones get one more where the runs do not divide evenly. */
function sharesOf(properties: readonly SuiteProperty[], runs: number): number[] {
  const parts = properties.reduce((sum, { share = 1 }) => sum + share, 0);
  const even = properties.map(({ share = 1 }) => Math.floor((runs * share) / parts));
  const left = runs - even.reduce((sum, count) => sum + count, 0);
  return even.map((count, i) => count + (i < left ? 1 : 0));
}

/** Runs tasks several at a time and hands over the results in the order of the tasks. */
export async function inOrder<T, R>(
  tasks: Iterator<T>,
  parallel: number,
  run: (task: T) => Promise<R>,
  take: (task: T, result: R) => boolean,
): Promise<void> {
  const flying: { task: T; result: Promise<R> }[] = [];
  let more = true;
  for (;;) {
    while (more && flying.length < parallel) {
      const next = tasks.next();
      if (next.done === true) more = false;
      else flying.push({ task: next.value, result: run(next.value) });
    }
    const first = flying.shift();
    if (first === undefined) return;
    const go = take(first.task, await first.result);
    if (go) continue;
    await Promise.all(flying.map((f) => f.result));
    return;
  }
}
