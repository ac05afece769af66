import type { CallSpan } from '../../spot.ts';
import type { VerbsCall } from '../../trace.ts';
import type { Notice, Reregistration } from '../listener.ts';
import type { Region } from '../memory.ts';
import type { Objects } from '../objects.ts';

type Call = Extract<VerbsCall, { call: 'rereg_mr' }>;

/** Why QPs are judged no further. */
export const doubtfulRegion = 'QPs of a PD with a region that ibv_rereg_mr has left in doubt';

function asked(region: Region, call: Call, sure: boolean): Reregistration {
  const { mr, pd, access, length } = call;
  const empty = pd === undefined && access === undefined && length === undefined;
  return {
    mr,
    access: access ?? region.access,
    moves: length !== undefined,
    doubtful: empty || length === 0 || !sure,
  };
}

/**
 * Takes over what ibv_rereg_mr has done to a region, or, with `errno`, has left of it; `kept`: all is as before. Windows that are bound
 * to it have no place in any source, so that QPs of its PDs are judged no further.
 */
export function reregistered(
  objects: Objects,
  call: Call,
  when: CallSpan,
  failed?: { errno: number; kept: boolean },
): Notice | undefined {
  const { memory } = objects;
  const region = memory.regions.get(call.mr);
  if (region?.registered !== true) return undefined;
  const known = call.pd === undefined || objects.usesPd(call.pd);
  const certain = region.alive && !region.doubtful && memory.windows.boundTo(region) === 'no';
  const what = asked(region, call, known && certain);
  const pds = [...new Set([region.pd, call.pd ?? region.pd])];
  const traced = failed === undefined && memory.reregister(region, call, when.event);
  if (failed?.kept === false) region.doubtful = true;
  return (machine) => {
    machine.reregistrationAsked?.(what, failed?.errno, when);
    if (failed?.kept === true) return;
    machine.reregistered?.(region, { pds, certain: certain && failed === undefined, traced }, when);
  };
}
