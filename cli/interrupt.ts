/** The user's Ctrl-C (or a TERM from outside) as an AbortSignal. */
export interface Interrupt {
  signal: AbortSignal;
  /** Stops listening. */
  release(): void;
}

/**
 * First signal: aborts, so that the command ends early and reports what it has. Second: the process ends at once with
 * 130. `onFirst` is called before the abort.
 */
export function catchInterrupt(onFirst: () => void): Interrupt {
  const controller = new AbortController();
  const handler = (): void => {
    if (controller.signal.aborted) process.exit(130);
    onFirst();
    controller.abort();
  };
  process.on('SIGINT', handler);
  process.on('SIGTERM', handler);
  return {
    signal: controller.signal,
    release: () => {
      process.off('SIGINT', handler);
      process.off('SIGTERM', handler);
    },
  };
}
