/**
 * What `work` comes to; `undefined` where it has not come to anything `seconds` after `signal` was aborted: a device that hangs
 * must not keep from anybody what was found before.
 */
export async function unlessHung<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  { seconds }: { seconds: number },
): Promise<T | undefined> {
  if (signal === undefined) return work;
  let timer: NodeJS.Timeout | undefined;
  let start = (): void => undefined;
  const hung = new Promise<undefined>((resolve) => {
    start = () => {
      timer = setTimeout(() => {
        resolve(undefined);
      }, seconds * 1000);
    };
  });
  if (signal.aborted) start();
  else signal.addEventListener('abort', start, { once: true });
  try {
    return await Promise.race([work, hung]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', start);
  }
}
