import { guardBytes } from '../../adapters/adapter.ts';
import type { Scenario } from '../scenario.ts';
import { queryQp } from './device-calls.ts';
import type { End } from './setup/end.ts';
import type { Recorder } from './recorder.ts';

/**
 * Notes what the DUT's memory holds at the end: regions that requests aimed at, buffers of work requests, and the guard
 * bytes on either side of each; and the QP's state.
 */
export async function readBack(end: End, scenario: Scenario, recorder: Recorder): Promise<void> {
  const part = async (mr: number, offset: number, length: number): Promise<void> => {
    const bytes = await end.verbs.read_memory(mr, offset, length);
    recorder.push({ kind: 'memory', t: recorder.stamp(), mr, offset, bytes });
  };
  const read = async (mr: number, length: number, unread = false): Promise<void> => {
    if (!unread) await part(mr, 0, length);
    await part(mr, -guardBytes, guardBytes);
    await part(mr, length, guardBytes);
  };
  for (const [i, region] of end.regions.entries()) {
    const length = end.lengths.get(i) ?? scenario.regions[i]?.length ?? 0;
    if (!end.deregistered.has(i) && !end.doubtful.has(i) && length > 0) await read(region.mr, length);
  }
  for (const region of [...end.sends.regions, ...end.receives.regions]) {
    if (region.deregistered !== true) await read(region.mr, region.length, region.unread);
  }
  if (!end.gone) await queryQp(end, recorder);
}
