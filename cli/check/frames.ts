import type { CaptureFrame, CaptureRecord, Decoded } from '../../wire/index.ts';
import type { Packet } from '../../wire/packet.ts';

/** The frames of a capture, without what is damaged. */
export function* framesOf(records: Iterable<CaptureRecord>): Generator<CaptureFrame> {
  for (const record of records) {
    if (record.kind === 'damage') continue;
    yield record;
  }
}

/** The packet in a frame, also one that is cut behind its headers; `undefined` where there is none. */
export function packetIn(decoded: Decoded): Packet | undefined {
  return decoded.kind === 'packet' || decoded.kind === 'truncated' ? decoded.packet : undefined;
}
