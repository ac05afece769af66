import { parentPort, workerData } from 'node:worker_threads';
import { AdapterUnavailable } from '../../adapters/adapter.ts';
import { loadRules } from '../../oracle/index.ts';
import type { CaseOutcome } from '../../suites/runner/devices/case-runner.ts';
import { breaksOfRun, Executor } from '../../suites/runner/executor.ts';
import { packDrive } from '../../suites/runner/devices/packed.ts';
import { resolveAdapter } from '../adapter/registry.ts';
import { messageOf } from '../exit-codes.ts';
import type { FromThread, PackedOutcome, Terms, ToThread } from './messages.ts';

/** A thread with a device of its own, on which it runs and judges the scenarios that it is handed. */
const port = parentPort;
if (port === null) throw new Error('this file is the body of a worker thread');
const { adapter: name, directory, traces, apart } = workerData as Terms;

function say(message: FromThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  port?.postMessage(message);
}

function packed(outcome: CaseOutcome): PackedOutcome {
  if (outcome.kind === 'error') return outcome;
  const { judgement, drive } = outcome;
  if (judgement.violations.length > 0 || traces) return { ...outcome, drive: packDrive(drive) };
  return { kind: 'clean', judgement, events: drive.events.length };
}

async function opened(): Promise<Executor | undefined> {
  try {
    const adapter = await resolveAdapter(name, directory);
    const log = (line: string): void => say({ log: line });
    return await Executor.open(adapter, loadRules(), { log, ...(apart && { apart }) }, breaksOfRun);
  } catch (thrown) {
    const unavailable = thrown instanceof AdapterUnavailable;
    say({ failed: { message: messageOf(thrown), unavailable } });
    return undefined;
  }
}

async function close(executor: Executor): Promise<void> {
  say('closing');
  const trouble = await executor.close().then(() => undefined, messageOf);
  say({ closed: trouble === undefined ? {} : { trouble } });
  port?.close();
}

let running = 0;

/** Runs a case. Meanwhile nothing but the device keeps this thread from ending: one that waits for nothing ends it. */
async function run(executor: Executor, { id, scenario }: Exclude<ToThread, 'close'>): Promise<void> {
  running++;
  port?.unref();
  const outcome = packed(await executor.run(scenario));
  const { unexplainedDeath: death } = executor;
  say({ id, outcome, ...(death !== undefined && { death }) });
  if (--running === 0) port?.ref();
}

const executor = await opened();
if (executor !== undefined) {
  port.on('message', (message: ToThread) => {
    if (message === 'close') void close(executor);
    else void run(executor, message);
  });
  const { profile, concurrency } = executor;
  say({ ready: { profile, concurrency } });
}
