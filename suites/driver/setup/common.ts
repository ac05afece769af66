import type { RegisteredMr } from '../../../adapters/adapter.ts';
import type { Scenario, SharedObject } from '../../scenario.ts';
import { needsOf } from './buffers.ts';

/** Gives an object that several ends have in common: the first one to ask makes it. */
type Shared = (make: () => Promise<number>) => Promise<number>;

/** What requests may aim at. */
export interface Belongings {
  regions: readonly RegisteredMr[];
  /** places and keys that regions had before they were changed, by index */
  former: ReadonlyMap<number, RegisteredMr>;
  windows: readonly { rkey: number; former: number }[];
}

/** What an end of the DUT is to the others. */
export interface Common {
  /** of its scenario among those on the device, from 0 */
  number: number;
  objects: CommonObjects;
}

/** Objects that the QPs of all scenarios on a device have in common; `undefined`: each has its own. */
export interface CommonObjects {
  /** what the ends of the DUT have, by the number of their scenario */
  ends: Map<number, Belongings>;
  pd?: Shared;
  cq?: Shared;
  secondCq?: Shared;
  /** of a common CQ */
  entries?: number;
  srq?: Shared;
  /** of a common SRQ */
  room?: { wqes: number; sges: number };
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
  return {
    ends: new Map(),
    ...((share.includes('pd') || share.includes('srq')) && { pd: shared() }),
    ...(share.includes('cq') && { cq: shared(), secondCq: shared(), entries: entriesOf(scenarios) }),
    ...(share.includes('srq') && { srq: shared(), room: roomOf(scenarios) }),
  };
}

/** Entries of a CQ for the work of all. */
function entriesOf(scenarios: readonly Scenario[]): number {
  const work = (scenario: Scenario): number =>
    needsOf(scenario, scenario.dut, 'send').length + needsOf(scenario, scenario.dut, 'receive').length;
  const entries = scenarios.reduce((sum, scenario) => sum + 2 * work(scenario) + 4, 0);
  return scenarios[0]?.cqe ?? entries;
}

/** What an SRQ must have room for that takes the receives of all. */
function roomOf(scenarios: readonly Scenario[]): { wqes: number; sges: number } {
  const users = scenarios.filter(({ srq, dut }) => srq && dut === 'responder');
  const needs = users.map((scenario) => needsOf(scenario, 'responder', 'receive'));
  return {
    wqes: Math.max(
      1,
      users.reduce((sum, { responder }, i) => sum + (responder.maxRecvWr ?? needs[i]?.length ?? 0), 0),
    ),
    sges: needs.flat().reduce((sges, need) => Math.max(sges, need.sges * need.repeat), 1),
  };
}
