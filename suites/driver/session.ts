import { AdapterUnavailable } from '../../adapters/adapter.ts';
import type { Scenario } from '../scenario.ts';
import type { DriveResult } from './result.ts';
import { DeviceRun } from './run.ts';
import { SharedBench } from './shared-bench.ts';

/** A bench on which scenarios run, one after the other or at the same time. */
export class BenchSession extends SharedBench {
  /**
   * Runs one scenario from set-up to tear-down and gives its trace. Throws AdapterUnavailable where the adapter has no wire
   * and the scenario needs one.
   */
  async run(scenario: Scenario): Promise<DriveResult> {
    if (this.wire === undefined && scenario.peer !== 'same-device')
      throw new AdapterUnavailable('this adapter shows no packets, and the scenario needs the wire');
    return new DeviceRun(this, scenario).run();
  }
}
