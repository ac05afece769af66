import { psnAdd } from '../../../wire/psn.ts';
import type { PlacedPacket } from '../packet.ts';
import type { OooRegisters } from '../registers.ts';
import type { Arrivals } from './arrivals.ts';

/** Whether a packet and its neighbours, where these have arrived, can be parts of messages one behind the other. */
export function sequenceFits(
  { ePsn }: Pick<OooRegisters, 'ePsn'>,
  { window, message }: Pick<Arrivals, 'window' | 'message'>,
  placed: PlacedPacket,
): boolean {
  const { psn } = placed.packet;
  const next = window.get(psnAdd(psn, 1))?.placed;
  if (next !== undefined && !follows(placed, next)) return false;
  const before = psn === ePsn ? message.at(-1) : window.get(psnAdd(psn, -1));
  if (before !== undefined) return follows(before.placed, placed);
  return psn !== ePsn || placed.starts;
}

function follows(one: PlacedPacket, next: PlacedPacket): boolean {
  if (one.ends || next.starts) return one.ends && next.starts;
  return isSend(one) === isSend(next) && next.offset === one.offset + one.length;
}

function isSend({ work }: PlacedPacket): boolean {
  return work === 'send';
}
