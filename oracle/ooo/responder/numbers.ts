import { psnAdd, psnDiff } from '../../../wire/psn.ts';
import { numbersOf, type PlacedPacket } from '../packet.ts';
import type { OooRegisters } from '../registers.ts';
import type { Arrivals } from './arrivals.ts';

/** What the numbers of the next packet may be: how many were given out since the ones that are expected. */
interface Given {
  least: number;
  most: number;
}

/**
 * Whether a packet can carry its numbers, beside those of all that has arrived: each message takes the next one, and what is missing
 * in between may be a message for each packet, or none.
 */
export function numbersFit(
  { consumedReceives, executedReads, ePsn }: OooRegisters,
  { window }: Pick<Arrivals, 'window'>,
  placed: PlacedPacket,
): boolean {
  const receives: Given = { least: 0, most: 0 };
  const reads: Given = { least: 0, most: 0 };
  const newest = Math.max(...[...window.keys(), placed.packet.psn].map((psn) => psnDiff(psn, ePsn)));
  for (let ahead = 0; ahead <= newest; ahead++) {
    const psn = psnAdd(ePsn, ahead);
    const packet = psn === placed.packet.psn ? placed : window.get(psn)?.placed;
    if (packet === undefined) {
      receives.most++;
      reads.most++;
      continue;
    }
    const { work, ends } = packet;
    const { receive, read } = numbersOf(packet.packet);
    if (work === 'read' || work === 'atomic') {
      if (!gives(reads, read, executedReads, true)) return false;
    } else if (work === 'send' || (work === 'write-immediate' && ends)) {
      if (!gives(receives, receive, consumedReceives, ends)) return false;
    }
  }
  return true;
}

/** Whether a copy of a READ or ATOMIC names what the first one did. */
export function sameRequest(one: PlacedPacket, other: PlacedPacket): boolean {
  return one.packet.opcode === other.packet.opcode && one.readNumber === other.readNumber;
}

/** Whether the number is one that the packet can have; it leaves no choice then, and the next message has the next one. */
function gives(given: Given, number: number | undefined, first: number, ends: boolean): boolean {
  const at = number === undefined || number < 0 ? -1 : psnDiff(number, first);
  if (at < given.least || at > given.most) return false;
  given.least = given.most = ends ? at + 1 : at;
  return true;
}
