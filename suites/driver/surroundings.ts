import type { Completions } from './work/completions.ts';
import type { Breath } from './patience.ts';
import type { Recorder } from './recorder.ts';
import type { Rest } from './rest.ts';
import type { SharedBench } from './shared-bench.ts';
import type { Common } from './setup/common.ts';

/** What a scenario has in common with the others on the device. */
export interface Surroundings {
  session: SharedBench;
  recorder: Recorder;
  completions: Completions;
  common: Common;
  /** takes the completions of the whole DUT; gives their number */
  drain: () => Promise<number>;
  breathe: Breath;
  /** whether a QP number of the DUT is still of this run */
  owns: (qpNumber: number) => boolean;
  /** of all scenarios on the device */
  rests: Rest[];
}
