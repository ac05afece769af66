import { parentPort, workerData } from 'node:worker_threads';
import { loadRules } from '../../oracle/index.ts';
import { Hunter } from '../../suites/mutants/index.ts';
import type { Job, Outcome, Terms } from './pool.ts';
import { propertiesOf } from './properties.ts';

/** A thread that hunts mutants one by one, as they are handed to it. */
const port = parentPort;
if (port === null) throw new Error('this file is the body of a worker thread');
const { suites, limit } = workerData as Terms;
const hunter = new Hunter({ rules: loadRules(), properties: propertiesOf(suites), limit });

port.on('message', (job: Job) => {
  const { mutant, seed, rules, limit: own = limit, ...options } = job;
  hunter.hunt(mutant, seed, rules, { ...options, limit: own }).then(
    (hunt) => {
      port.postMessage({ hunt } satisfies Outcome);
    },
    (thrown: unknown) => {
      port.postMessage({
        error: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
      } satisfies Outcome);
    },
  );
});
