import { randomUUID } from 'node:crypto';
import { freemem } from 'node:os';
import { AdapterUnavailable, type Adapter, type OpenOptions, type Profile } from '../../adapters/adapter.ts';
import { killMarked } from '../../adapters/stdio/stray.ts';
import { grouped } from '../../report/text.ts';
import { lag } from '../../suites/runner/budget/spending.ts';
import type { CaseRunner } from '../../suites/runner/devices/case-runner.ts';
import { Pool } from '../../suites/runner/devices/pool.ts';
import { usageError } from '../exit-codes.ts';
import type { Terms } from './messages.ts';
import { Thread } from './thread.ts';

/** In the environment of what threads start: it must not outlive this process. */
const markName = 'RDMA_CONFORM_JOBS';

/** Cases per thread that are begun before the first of them has come to something. */
const window = 16;

/**
 * Several devices alike, each in a thread of its own, as one. On virtual time the report of a run is the same as on one device: no more
 * cases are begun ahead than have no say in what is tried next. Throws a usage error where there is only one such device, and
 * AdapterUnavailable where this machine has no room for so many.
 */
export async function openThreads(
  jobs: number,
  adapter: Adapter,
  terms: Omit<Terms, 'apart'>,
  options: OpenOptions,
): Promise<CaseRunner> {
  const profile = await adapter.describe();
  await adapter.close?.();
  const timed = profile.clock !== 'virtual';
  if (timed) checkRoom(jobs, adapter, profile, options);
  const mark = randomUUID();
  const killStarted = (): void => killMarked(`${markName}=${mark}`);
  process.on('exit', killStarted);
  const threads: Thread[] = [];
  const begin = async (): Promise<void> => {
    options.signal?.throwIfAborted();
    const number = threads.length + 1;
    const log = (line: string): void => options.log?.(timed ? `job ${number}: ${line}` : line);
    const thread = new Thread({ ...terms, apart: timed }, profile, [markName, mark], { log });
    threads.push(thread);
    return thread.open();
  };
  const closed = (): void => {
    killStarted();
    process.off('exit', killStarted);
  };
  try {
    await unlessAborted(beginAll(jobs, begin, timed), options.signal);
  } catch (thrown) {
    await Promise.allSettled(threads.map((thread) => thread.close()));
    closed();
    throw thrown;
  }
  const together = threads.reduce((sum, { concurrency }) => sum + concurrency, 0);
  const concurrency = timed ? together : Math.min(lag, window * jobs);
  return new Pool(threads, { profile: threads[0]?.profile ?? profile, concurrency, closed });
}

/** Says what so many devices take; throws where they cannot be had. */
function checkRoom(jobs: number, { apart }: Adapter, { name, clock }: Profile, { log }: OpenOptions): void {
  if (apart === undefined)
    throw usageError(
      `--jobs is for devices on virtual time and for guests: that of ${name} is ${clock}, and there is one of it`,
    );
  const needed = jobs * apart.megabytes;
  const free = Math.floor(freemem() / 2 ** 20);
  const text = `${jobs} devices take up to ${grouped(needed)} MB of memory, and ${grouped(free)} MB are free`;
  if (needed > free) throw new AdapterUnavailable(`${name}: ${text}; take fewer --jobs`);
  log?.(text);
}

/** On a real clock the first one alone: what it makes and keeps, such as a snapshot, serves the others. */
async function beginAll(jobs: number, begin: () => Promise<void>, timed: boolean): Promise<void> {
  if (timed) await begin();
  await Promise.all(Array.from({ length: timed ? jobs - 1 : jobs }, begin));
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return work;
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new AdapterUnavailable('the devices were still being opened'));
  });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
