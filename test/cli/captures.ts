import { opcodeByName } from '../../spec/constants.ts';
import { encode, psnAdd, writePcap, type CapturedPacket, type PacketFields } from '../../wire/index.ts';

const requester = {
  srcMac: '02:00:00:00:00:01',
  dstMac: '02:00:00:00:00:02',
  srcIp: '10.0.0.1',
  dstIp: '10.0.0.2',
};
const responder = {
  srcMac: '02:00:00:00:00:02',
  dstMac: '02:00:00:00:00:01',
  srcIp: '10.0.0.2',
  dstIp: '10.0.0.1',
};

/** A SEND of one packet that asks for an answer. */
export function sendOnly(psn: number, fields: Partial<PacketFields> = {}): Uint8Array {
  return encode({
    ...requester,
    opcode: opcodeByName('RC_SEND_ONLY'),
    destQp: 0x22,
    psn,
    ackReq: true,
    payload: new Uint8Array(16),
    ...fields,
  });
}

/** An answer of the responder; syndrome 0x1f is an ACK without credits. */
export function answer(psn: number, msn: number, syndrome = 0x1f): Uint8Array {
  return encode({
    ...responder,
    opcode: opcodeByName('RC_ACKNOWLEDGE'),
    destQp: 0x11,
    psn,
    aeth: { syndrome, msn },
  });
}

/** A frame that has nothing to do with RoCE. */
export function arp(): Uint8Array {
  const frame = new Uint8Array(60);
  frame.set([0x08, 0x06], 12);
  return frame;
}

/** Frames with a stamp each, one microsecond apart. */
export function stamped(frames: readonly Uint8Array[], start = 1_700_000_000_000_000_000n): CapturedPacket[] {
  return frames.map((data, i) => ({ time: start + BigInt(i) * 1000n, data }));
}

/** `n` SENDs, each acknowledged, PSNs from `first`. */
export function conversation(n: number, first = 0xfffffe): Uint8Array[] {
  return Array.from({ length: n }, (_, i) => [
    sendOnly(psnAdd(first, i)),
    answer(psnAdd(first, i), (i + 1) & 0xffffff),
  ]).flat();
}

export function pcap(frames: readonly Uint8Array[]): Uint8Array {
  return writePcap(stamped(frames));
}
