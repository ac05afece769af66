/** What asks a command to end early: Ctrl-C, a TERM from outside, a terminal that has gone. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The user's Ctrl-C (or another of these) as an AbortSignal. */
export interface Interrupt {
  signal: AbortSignal;
  /** Nothing in this process is under way any more, and the command has not ended: something waits for what never comes. */
  readonly stuck: boolean;
  /** Stops listening. */
  release(): void;
}

/**
 * First signal: aborts, so that the command ends early and reports what it has. Second: the process ends at once with
 * 130. A command that is stuck is aborted as well. `onFirst` is called before the abort.
 */
export function catchInterrupt(onFirst: (stuck: boolean) => void): Interrupt {
  const controller = new AbortController();
  let stuck = false;
  const handler = (): void => {
    if (controller.signal.aborted) process.exit(130);
    onFirst(stuck);
    controller.abort();
  };
  const noMore = (): void => {
    if (controller.signal.aborted) return;
    stuck = true;
    handler();
  };
  for (const name of signals) process.on(name, handler);
  process.on('beforeExit', noMore);
  return {
    signal: controller.signal,
    get stuck() {
      return stuck;
    },
    release: () => {
      for (const name of signals) process.off(name, handler);
      process.off('beforeExit', noMore);
    },
  };
}
