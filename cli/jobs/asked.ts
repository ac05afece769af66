import type { Adapter } from '../../adapters/adapter.ts';
import type { RunOptions } from '../../suites/index.ts';
import type { Arguments } from '../flags/parse.ts';
import type { Terms } from './messages.ts';

const mostJobs = 64;

/** What `--jobs` makes of a run on an adapter: nothing for one device, which needs no thread of its own. */
export function jobsAsked(
  args: Arguments,
  adapter: Adapter,
  terms: Omit<Terms, 'apart'>,
): Pick<RunOptions, 'runner'> {
  const jobs = args.integer('jobs', 1, mostJobs) ?? 1;
  if (jobs === 1) return {};
  return {
    runner: async (open) => {
      const { openThreads } = await import('./open.ts');
      return openThreads(jobs, adapter, terms, open);
    },
  };
}
