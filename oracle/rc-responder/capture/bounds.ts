import { psnDiff } from '../../../wire/psn.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import { requestShape } from '../../device/packet/opcode-shape.ts';
import type { Unmet } from '../responses/demands.ts';
import type { ResponderState } from '../state.ts';
import type { RequestEntry } from './late.ts';

/**
 * Whether one of the demands is not met whatever happened to packets beyond the capture: the MSN lies between what had
 * been completed for sure and what all requests since could have completed.
 */
export function beyondDoubt(
  unmet: readonly Unmet[],
  seen: ObservedReply,
  certain: ResponderState | undefined,
  since: readonly RequestEntry[],
): boolean {
  if (certain === undefined || !unmet.some(({ key }) => key === 'mustMsn')) return false;
  return msnImpossible(seen, certain, since);
}

function msnImpossible(
  seen: ObservedReply,
  certain: ResponderState,
  since: readonly RequestEntry[],
): boolean {
  const ends = new Set<number>();
  for (const { packet } of since) {
    const { position } = requestShape(packet.opcode);
    if ((position === 'last' || position === 'only') && psnDiff(packet.psn, certain.ePsn) >= 0)
      ends.add(packet.psn);
  }
  // a READ may be counted from its validation on or only with its last response, a NAK counts nothing of its own
  const exact = seen.kind === 'ack' || seen.kind === 'atomic-ack';
  const least = exact ? [...ends].filter((psn) => psnDiff(psn, seen.psn) <= 0).length : 0;
  const inputs = { reply: seen, completed: { until: least, since: ends.size } };
  return certain.machine.flag('msnImpossible')(inputs, certain);
}
