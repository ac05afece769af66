import { psnAdd, psnDiff, psnMask } from '../../../wire/psn.ts';
import { isNak } from '../../device/packet/observed-reply.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import { requestShape } from '../../device/packet/opcode-shape.ts';
import type { Unmet } from '../responses/demands.ts';
import type { ResponderState } from '../state.ts';
import type { RequestEntry } from '../entry.ts';

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
  return possibleMsns(seen, certain, since) !== undefined;
}

/** The MSN that had been reached for sure, where a response to what comes behind counts less; `undefined` where it does not. */
export function fallsBelow(
  { psn, msn }: ObservedReply,
  certain: ResponderState | undefined,
): number | undefined {
  if (certain === undefined || msn < 0 || certain.msnBase < 0) return undefined;
  if (certain.ePsn < 0 || psnDiff(psn, certain.ePsn) < 0) return undefined;
  const reached = (certain.msnBase + certain.msn) & psnMask;
  return psnDiff(msn, reached) < 0 ? reached : undefined;
}

/** The MSNs that were possible then, where that of the response is not; `undefined` where it is, or nothing is certain. */
export function possibleMsns(
  seen: ObservedReply,
  certain: ResponderState | undefined,
  since: readonly RequestEntry[],
): string | undefined {
  if (certain === undefined) return undefined;
  const nak = isNak(seen);
  // it is unknown whether what comes before was carried out when the NAK was sent
  if (nak && psnDiff(seen.psn, certain.ePsn) < 0) return undefined;
  const ends = new Set<number>();
  let wholeRead = false;
  for (const { packet } of since) {
    const { position, family } = requestShape(packet.opcode);
    if ((position !== 'last' && position !== 'only') || psnDiff(packet.psn, certain.ePsn) < 0) continue;
    const behind = psnDiff(packet.psn, seen.psn);
    // what a NAK refuses is not complete, nor what comes behind it; a READ may have been counted before it fails
    if (nak && (behind > 0 || (behind === 0 && family !== 'read'))) continue;
    ends.add(packet.psn);
    if (family === 'read' && endOf({ psn: packet.psn, announced: packet.reth?.dmaLen }, certain) === seen.psn)
      wholeRead = true;
  }
  // a READ may be counted from its validation on or only with its last response, a NAK counts nothing of its own
  const exact = seen.kind === 'ack' || seen.kind === 'atomic-ack' || (wholeRead && isEnd(seen));
  const least = exact ? [...ends].filter((psn) => psnDiff(psn, seen.psn) <= 0).length : 0;
  const inputs = { reply: seen, completed: { until: least, since: ends.size } };
  if (!certain.machine.flag('msnImpossible')(inputs, certain)) return undefined;
  const from = (certain.msnBase + certain.msn + least) & psnMask;
  return ends.size === least ? `${from}` : `${from} to ${(from + ends.size - least) & psnMask}`;
}

const isEnd = ({ kind, position }: ObservedReply): boolean =>
  kind === 'read-response' && (position === 'last' || position === 'only');

/** PSN of the last response to a READ; `undefined` where the path MTU is not known. */
export function endOf(
  { psn, announced }: { psn: number; announced: number | undefined },
  state: ResponderState,
): number | undefined {
  const count = state.machine.number('readResponses')({ announced }, state);
  return count > 0 ? psnAdd(psn, count - 1) : undefined;
}
