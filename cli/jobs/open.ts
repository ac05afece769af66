import { randomUUID } from 'node:crypto';
import type { Adapter, OpenOptions } from '../../adapters/adapter.ts';
import { killMarked } from '../../adapters/stdio/stray.ts';
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
 * Several devices alike, each in a thread of its own, as one. The report of a run is the same as on one device: no more cases are begun
 * ahead than have no say in what is tried next. Throws a usage error where the device is not on virtual time.
 */
export async function openThreads(
  jobs: number,
  adapter: Adapter,
  terms: Terms,
  options: OpenOptions,
): Promise<CaseRunner> {
  const profile = await adapter.describe();
  await adapter.close?.();
  if (profile.clock !== 'virtual')
    throw usageError(
      `--jobs is for devices on virtual time, and that of ${profile.name} is ${profile.clock}`,
    );
  const mark = randomUUID();
  const killStarted = (): void => killMarked(`${markName}=${mark}`);
  process.on('exit', killStarted);
  const threads = Array.from({ length: jobs }, () => new Thread(terms, profile, [markName, mark], options));
  const pool = new Pool(threads, {
    profile,
    concurrency: Math.min(lag, window * jobs),
    closed: () => {
      killStarted();
      process.off('exit', killStarted);
    },
  });
  try {
    await Promise.all(threads.map((thread) => thread.open()));
  } catch (thrown) {
    await pool.close().catch(() => undefined);
    throw thrown;
  }
  return pool;
}
