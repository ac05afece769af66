import type { TraceEvent } from '../../../oracle/index.ts';
import { decode } from '../../../wire/index.ts';
import type { Packet } from '../../../wire/packet.ts';
import type { DriveResult, WireMark } from '../../driver/result.ts';

type PackedEvent =
  | Exclude<TraceEvent, { kind: 'packet' }>
  | (Omit<Extract<TraceEvent, { kind: 'packet' }>, 'packet'> & { bytes: Uint8Array });

/** What running a scenario yielded, as data that can be handed from thread to thread: packets are bytes. */
export interface PackedDrive extends Omit<DriveResult, 'events' | 'wire'> {
  events: PackedEvent[];
  wire: (Omit<WireMark, 'packet'> & { bytes: Uint8Array })[];
}

// a copy: what a view is part of would be handed over as a whole
const bytesOf = (packet: Packet): Uint8Array => Uint8Array.from(packet.frame);

function packetOf(bytes: Uint8Array): Packet {
  const decoded = decode(bytes);
  if (decoded.kind !== 'packet') throw new Error('a packet of a trace cannot be read back');
  return decoded.packet;
}

export function packDrive(drive: DriveResult): PackedDrive {
  return {
    ...drive,
    events: drive.events.map((event) => {
      if (event.kind !== 'packet') return event;
      const { packet, ...rest } = event;
      return { ...rest, bytes: bytesOf(packet) };
    }),
    wire: drive.wire.map(({ packet, ...rest }) => ({ ...rest, bytes: bytesOf(packet) })),
  };
}

export function unpackDrive(packed: PackedDrive): DriveResult {
  return {
    ...packed,
    events: packed.events.map((event) => {
      if (event.kind !== 'packet') return event;
      const { bytes, ...rest } = event;
      return { ...rest, packet: packetOf(bytes) };
    }),
    wire: packed.wire.map(({ bytes, ...rest }) => ({ ...rest, packet: packetOf(bytes) })),
  };
}
