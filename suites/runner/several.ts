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

/**
 * The same, and behind them, one at a time, what the device dies of: that would take with it all that is tried on the device at the same
 * time. `isAlone`: the task is one of these.
 */
export async function deadlyLast<T>(
  tasks: readonly T[],
  isDeadly: (task: T) => boolean,
  parallel: number,
  run: (task: T, isAlone: boolean) => Promise<void>,
): Promise<void> {
  const harmless = tasks.filter((task) => !isDeadly(task));
  await several(harmless, parallel, async (task) => run(task, false));
  await several(tasks.filter(isDeadly), 1, async (task) => run(task, true));
}
