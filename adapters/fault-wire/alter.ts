import { encode, reseal } from '../../wire/index.ts';
import type { Packet, PacketFields } from '../../wire/packet.ts';
import { psnMask } from '../../wire/psn.ts';
import type { RewriteField, WireAction } from './plan.ts';

/** Frame with the two ECN bits set to CE (11). They are outside the ICRC; the IPv4 header checksum follows. */
export function withCe(packet: Packet): Uint8Array {
  return encode({ ...packet.fields(), trafficClass: packet.trafficClass | 3 });
}

/**
 * Frame with one header field XORed and the ICRC made right again. A field that the packet does not carry leaves the
 * frame as it is.
 */
export function withField(packet: Packet, field: RewriteField, xor: number): Uint8Array {
  const fields = packet.fields();
  switch (field) {
    case 'psn':
      return sealed({ ...fields, psn: (fields.psn ^ xor) & psnMask });
    case 'pkey':
      return sealed({ ...fields, pkey: (packet.pkey ^ xor) & 0xffff });
    case 'destQp':
      return sealed({ ...fields, destQp: (fields.destQp ^ xor) & 0xffffff });
    case 'ackReq':
      return (xor & 1) === 0 ? packet.frame : sealed({ ...fields, ackReq: !packet.ackReq });
    case 'syndrome':
    case 'msn': {
      const aeth = packet.aeth;
      if (aeth === undefined) return packet.frame;
      const changed =
        field === 'syndrome'
          ? { ...aeth, syndrome: (aeth.syndrome ^ xor) & 0xff }
          : { ...aeth, msn: (aeth.msn ^ xor) & psnMask };
      return sealed({ ...fields, aeth: changed });
    }
  }
}

/** Frame with one byte XORed; `byte` counts from the first byte of the BTH and wraps before the ICRC. */
export function corrupted(packet: Packet, action: Extract<WireAction, { kind: 'corrupt' }>): Uint8Array {
  // slice() of a Buffer, which some adapters deliver, would be a view of what the trace holds
  const frame = new Uint8Array(packet.frame);
  const start = transportOffset(packet);
  const at = start + (action.byte % (frame.length - 4 - start));
  frame[at] = (frame[at] ?? 0) ^ (action.mask & 0xff);
  return action.repairIcrc ? reseal(frame) : frame;
}

/** The frame of the fields; with its UDP checksum, if it has one. */
function sealed(fields: PacketFields): Uint8Array {
  const frame = encode(fields);
  return fields.udpChecksum === 0 ? frame : reseal(frame);
}

/** Offset of the BTH in the frame. */
function transportOffset(packet: Packet): number {
  return 14 + (packet.vlanTci === undefined ? 0 : 4) + (packet.ipVersion === 4 ? 20 : 40) + 8;
}
