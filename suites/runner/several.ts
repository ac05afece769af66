/** Runs tasks so many at a time, and gives their results in the order of the tasks. One that takes long holds up no other. */
export async function several<T, R>(
  tasks: readonly T[],
  parallel: number,
  run: (task: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const left = tasks.entries();
  const work = async (): Promise<void> => {
    for (const [i, task] of left) results[i] = await run(task);
  };
  await Promise.all(Array.from({ length: Math.min(parallel, tasks.length) }, work));
  return results;
}
