import type { Difference } from '../../device/packet/header.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import { causeOf, numbersOf } from '../../ooo/packet.ts';
import { psnDiff } from '../../../wire/psn.ts';
import { wrongNumber } from './seen-placed.ts';
import type { SeenPlaced } from './seen-placed.ts';

/** What an Acknowledge says has arrived: the PSN that is expected next, and the messages that are complete. */
export interface Standing {
  readonly next: number;
  readonly msn: number;
}

/** What a selective Acknowledge names that cannot have come early. */
export function wrongTrigger({ packet, psn }: ObservedReply): Difference | undefined {
  const { trigger } = causeOf(packet) ?? { trigger: psn };
  if (psnDiff(trigger, psn) > 0) return undefined;
  return { expected: `a packet beyond PSN ${psn}`, observed: `PSN ${trigger}` };
}

/** Both numbers of a QP only grow: of two Acknowledges, the one that is behind in one of them is not ahead in the other. */
export function wrongCount(one: Standing, other: Standing): Difference | undefined {
  const [ahead, more] = [psnDiff(other.next, one.next), psnDiff(other.msn, one.msn)];
  if (ahead === 0 || more === 0 || ahead > 0 === more > 0) return undefined;
  return {
    expected: `MSN ${one.msn} or ${ahead > 0 ? 'more' : 'less'}, as with PSN ${one.next} to come next`,
    observed: `MSN ${other.msn} with PSN ${other.next} to come next`,
  };
}

/** How the answer to a READ or ATOMIC is none to the request with its PSN. */
export function wrongFragment(
  { packet, kind, position }: ObservedReply,
  request: SeenPlaced,
): Difference | undefined {
  const due = kind === 'atomic-ack' ? 'atomic' : 'read';
  if (request.work !== due)
    return {
      expected: `no answer to a ${due.toUpperCase()}`,
      observed: `PSN ${request.psn} of ${request.name}`,
    };
  const { read = -1, offset = 0 } = numbersOf(packet);
  const number =
    read < 0
      ? { expected: 'a read_WQE_SN', observed: 'none' }
      : wrongNumber('read_WQE_SN', read, request.read);
  if (number !== undefined) return number;
  if (due === 'atomic') return wrongNumber('offset', offset, 0);
  const end = offset + packet.payloadLength;
  const announced = request.announced ?? 0;
  const begins = position === 'first' || position === 'only';
  const ends = position === 'last' || position === 'only';
  if (begins === (offset === 0) && (ends ? end === announced : end < announced)) return undefined;
  return {
    expected: `the ${position} part of ${announced} bytes`,
    observed: `${packet.payloadLength} bytes at offset ${offset}`,
  };
}
