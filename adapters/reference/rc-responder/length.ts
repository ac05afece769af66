import type { Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import type { Position } from './request.ts';

/** Whether a packet is as long as its position in the message allows; padding completes the word. */
export const lengthFits = seam((core: Core, qp: QueuePair, packet: Packet, position: Position): boolean => {
  const { payloadLength, padCount } = packet;
  return (payloadLength + padCount) % 4 === 0 && payloadFits(core, payloadLength, qp.mtu, position);
});

/** First and Middle fill the path MTU, Last carries 1..PMTU, Only 0..PMTU. */
export const payloadFits = seam((_core: Core, bytes: number, mtu: number, position: Position): boolean => {
  switch (position) {
    case 'first':
    case 'middle':
      return bytes === mtu;
    case 'last':
      return bytes >= 1 && bytes <= mtu;
    case 'only':
      return bytes <= mtu;
  }
});

/** Whether a request that has no place for payload, a READ or an ATOMIC, carries none. */
export const isBare = seam(
  (_core: Core, { payloadLength, padCount }: Packet): boolean => payloadLength + padCount === 0,
);
