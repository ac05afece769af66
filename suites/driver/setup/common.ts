import type { Scenario, SharedObject } from '../../scenario.ts';
import { needsOf } from './buffers.ts';

/** Gives an object that several ends have in common: the first one to ask makes it. */
type Shared = (make: () => Promise<number>) => Promise<number>;

/** What an end of the DUT is to the others. */
export interface Common {
  /** of its scenario among those on the device, from 0 */
  number: number;
  objects: CommonObjects;
}

/** Objects that the QPs of all scenarios on a device have in common; `undefined`: each has its own. */
export interface CommonObjects {
  pd?: Shared;
  cq?: Shared;
  secondCq?: Shared;
  /** of a common CQ */
  entries?: number;
}

function shared(): Shared {
  let made: Promise<number> | undefined;
  return (make) => (made ??= make());
}

/** Objects that are common to these scenarios. */
export function commonObjects(
  scenarios: readonly Scenario[],
  share: readonly SharedObject[] = [],
): CommonObjects {
  if (!share.includes('cq')) return share.includes('pd') ? { pd: shared() } : {};
  const work = (scenario: Scenario): number =>
    needsOf(scenario, scenario.dut, 'send').length + needsOf(scenario, scenario.dut, 'receive').length;
  const entries = scenarios.reduce((sum, scenario) => sum + 2 * work(scenario) + 4, 0);
  return {
    ...(share.includes('pd') && { pd: shared() }),
    cq: shared(),
    secondCq: shared(),
    entries: scenarios[0]?.cqe ?? entries,
  };
}
