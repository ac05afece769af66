import type { CaptureRecord } from '../../../wire/index.ts';
import type { Packet } from '../../../wire/packet.ts';
import { framesOf, packetIn } from '../frames.ts';
import { PacketReader } from '../packet-reader.ts';
import { ConnectionTable, type Placed } from './table.ts';

/** A packet of a capture with its place in a connection. */
interface PlacedPacket {
  placed: Placed;
  packet: Packet;
  /** number of its frame */
  frame: number;
  /** nanoseconds since the first frame, never less than before */
  t: number;
}

/** Follows the connections of a capture once more, packet by packet. */
export function* placedPackets(records: Iterable<CaptureRecord>): Generator<PlacedPacket> {
  const table = new ConnectionTable();
  const reader = new PacketReader();
  let start: bigint | undefined;
  let t = 0;
  for (const frame of framesOf(records)) {
    start ??= frame.time;
    t = Math.max(t, Number(frame.time - start));
    const decoded = reader.read(frame);
    const packet = packetIn(decoded);
    if (packet === undefined) continue;
    const length = decoded.within?.length ?? frame.originalLength;
    yield { placed: table.see(packet, length, t), packet, frame: frame.number, t };
  }
}
