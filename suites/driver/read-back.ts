import type { Scenario } from '../scenario.ts';
import { queryQp } from './device-calls.ts';
import type { End } from './end.ts';
import type { Recorder } from './recorder.ts';

/** Notes what the DUT's memory holds at the end: regions that requests aimed at, buffers of WQEs; and the QP's state. */
export async function readBack(end: End, scenario: Scenario, recorder: Recorder): Promise<void> {
  const read = async (mr: number, length: number): Promise<void> => {
    const bytes = await end.verbs.read_memory(mr, 0, length);
    recorder.push({ kind: 'memory', t: recorder.stamp(), mr, offset: 0, bytes });
  };
  for (const [i, region] of end.regions.entries()) {
    const length = scenario.regions[i]?.length ?? 0;
    if (!end.deregistered.has(i) && length > 0) await read(region.mr, length);
  }
  if (end.buffers !== undefined) await read(end.buffers.mr, end.buffers.length);
  await queryQp(end, recorder);
}
