import {
  AdapterBroken,
  AdapterUnavailable,
  type Adapter,
  type Bench,
  type OpenOptions,
} from '../../adapters/adapter.ts';
import { withPlace } from '../../adapters/errors.ts';
import { isRecord } from '../../adapters/agent/check.ts';
import { endpoint, mustHaveAddresses, profile } from '../../adapters/agent/profile.ts';
import { messageOf } from '../exit-codes.ts';
import { CheckedResults } from './checked-verbs.ts';
import { callSeconds, inTime, limitedBench, openSeconds } from './limited.ts';

/** What a module gives is in no type that anybody has checked: JavaScript, or a cast. */
function mustFit(what: string, check: () => unknown): void {
  try {
    check();
  } catch (thrown) {
    throw new AdapterBroken(`${what}: ${messageOf(thrown)}`);
  }
}

/** A value as a device beyond a pipe would give it, without the keys that are undefined. */
const asSent = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');

const needed = {
  profile: 'object',
  verbs: 'object',
  clock: 'object',
  dut: 'object',
  peer: 'object',
  close: 'function',
} as const;

function mustBeBench(bench: unknown, what: string): void {
  mustFit(what, () => {
    if (!isRecord(bench)) throw new Error(`it gave ${bench === undefined ? 'nothing' : 'no bench'}`);
    for (const [key, type] of Object.entries(needed))
      if (typeof bench[key] !== type) throw new Error(`bench.${key} is missing`);
    const ends = {
      profile: profile(asSent(bench['profile']), 'bench.profile'),
      dut: endpoint(asSent(bench['dut']), 'bench.dut'),
      peer: endpoint(asSent(bench['peer']), 'bench.peer'),
    };
    mustHaveAddresses(ends, 'bench');
  });
}

/** What cannot be opened will not be opened for the next case either, so that the device is broken. */
async function opened(adapter: Adapter, options: OpenOptions, shown: string): Promise<Bench> {
  try {
    return await adapter.open(options);
  } catch (thrown) {
    if (thrown instanceof AdapterUnavailable || thrown instanceof AdapterBroken) throw thrown;
    if (options.signal?.aborted === true) throw thrown;
    throw new AdapterBroken(`adapter module ${shown}: open(): ${withPlace(thrown)}`, { cause: thrown });
  }
}

/**
 * The adapter of a module, whose profile and bench are checked when it gives them: AdapterBroken names the field that is missing or wrong,
 * as for a device beyond a pipe, and whose calls come back or end as AdapterBroken. `shown` names the module.
 */
export function checkedAdapter(adapter: Adapter, shown: string): Adapter {
  return {
    name: adapter.name,
    ...(adapter.apart !== undefined && { apart: adapter.apart }),
    describe: async () => {
      const found = await inTime(adapter.describe(), openSeconds, 'describe()');
      mustFit(`adapter module ${shown}: describe()`, () => profile(asSent(found), 'profile'));
      return found;
    },
    open: async (options): Promise<Bench> => {
      const bench = await inTime(opened(adapter, options, shown), openSeconds, 'open()');
      mustBeBench(bench, `adapter module ${shown}: open()`);
      return limitedBench(bench, new CheckedResults(shown));
    },
    ...(adapter.close !== undefined && {
      close: async () => inTime(Promise.resolve(adapter.close?.()), callSeconds, 'close()'),
    }),
  };
}
