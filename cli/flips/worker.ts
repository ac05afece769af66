import { parentPort, workerData } from 'node:worker_threads';
import { loadRules } from '../../oracle/index.ts';
import { makeCorpus } from '../../suites/corpus/traces.ts';
import { Evidence } from '../../suites/flips/evidence.ts';
import { everyFlip } from '../../suites/flips/flip.ts';
import { tryFlip } from '../../suites/flips/trial.ts';
import { loadMutants, properties } from '../../suites/index.ts';
import type { Report, Terms } from './pool.ts';

/** A thread that makes a part of the corpus, and tries flips on it as their numbers are handed to it. */
const port = parentPort;
if (port === null) throw new Error('this file is the body of a worker thread');
const { part, ...terms } = workerData as Terms;
const rules = loadRules();
const flips = everyFlip(rules);
const evidence = new Evidence(rules);
await makeCorpus({ ...terms, properties, mutants: loadMutants(rules), part }, (trace) =>
  evidence.offer(trace),
);
const { seen, size } = evidence;
port.postMessage({ kind: 'corpus', seen, kept: size } satisfies Report);

port.on('message', (numbers: readonly number[]) => {
  for (const number of numbers) {
    const flip = flips[number];
    if (flip === undefined) throw new RangeError(`there is no flip ${number}`);
    port.postMessage({ kind: 'trial', flip: number, trial: tryFlip(flip, evidence) } satisfies Report);
  }
});
