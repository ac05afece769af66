import { damaged } from '../../../adapters/fault-wire/index.ts';
import { opcodeByName, opcodes } from '../../../spec/constants.ts';
import { reseal, udpChecksum } from '../../../wire/index.ts';
import type { PacketFields } from '../../../wire/packet.ts';
import type { PacketDefect } from '../../scenario.ts';

/** Puts a header defect into the fields of a packet. `short`, `frame` and a checksum are done on the frame, by `spoil`. */
export function applyDefect(fields: PacketFields, defect: PacketDefect): void {
  switch (defect.kind) {
    case 'icrc':
      fields.icrcXor = 1;
      return;
    case 'tver':
      fields.tver = defect.value;
      return;
    case 'pkey':
      fields.pkey = defect.value;
      return;
    case 'dest-qp':
      fields.destQp ^= 0x7f0000;
      return;
    case 'source-ip':
      fields.srcIp = otherAddress(fields.srcIp ?? '', defect.part ?? 'end');
      return;
    case 'dest-ip':
      fields.dstIp = otherAddress(fields.dstIp ?? '', 'end');
      return;
    case 'service':
      fields.opcode = (fields.opcode & 0x1f) | (opcodeByName(`${defect.service}_SEND_ONLY`) & 0xe0);
      return;
    case 'pad':
      fields.padCount = defect.value;
      return;
    case 'short':
    case 'frame':
      return;
    case 'ignored':
      applyIgnored(fields, defect.field);
      return;
    case 'unusual':
      applyUnusual(fields, defect.field);
  }
}

/** Whether a packet is sound all the same. */
export function isSound(defect: PacketDefect | undefined): boolean {
  return defect === undefined || defect.kind === 'ignored' || defect.kind === 'unusual';
}

type Unusual = Extract<PacketDefect, { kind: 'unusual' }>['field'];

function applyUnusual(fields: PacketFields, field: Unusual): void {
  switch (field) {
    case 'udp-checksum':
      // of the frame, when all of it is there
      return;
    case 'low-src-port':
      fields.srcPort = 7;
      return;
    case 'limited-member':
      fields.pkey = 0x7fff;
  }
}

function withChecksum(frame: Uint8Array, ip: 4 | 6): Uint8Array {
  const copy = frame.slice();
  new DataView(copy.buffer).setUint16(14 + (ip === 4 ? 20 : 40) + 6, udpChecksum(frame));
  return copy;
}

function applyIgnored(
  fields: PacketFields,
  field: Extract<PacketDefect, { kind: 'ignored' }>['field'],
): void {
  switch (field) {
    case 'resv6':
      fields.resv6 = 0x2a;
      return;
    case 'resv7':
      fields.resv7 = 0x55;
      return;
    case 'fecn':
      fields.fecn = true;
      return;
    case 'becn':
      fields.becn = true;
      return;
    case 'traffic-class':
      fields.trafficClass = 0x61;
      return;
    case 'flow-label':
      // an IPv4 header has none
      fields.flowLabel = 0x5a5a5;
      return;
    case 'hop-limit':
      fields.hopLimit = 1;
      return;
    case 'src-port':
      fields.srcPort = (fields.srcPort ?? 0xc000) ^ 0x1ff;
      return;
    case 'mig-req':
      fields.migReq = false;
  }
}

/** A neighbour's address: the last number of the text, changed. */
function otherAddress(address: string, part: 'front' | 'end'): string {
  if (part === 'front') return address.replace(/^[0-9a-f]+/, (first) => (first === '77' ? '78' : '77'));
  if (address.includes(':')) return address.replace(/[0-9a-f]*$/, '77');
  return address.replace(/\d+$/, (last) => (last === '77' ? '78' : '77'));
}

/** The frame with those defects that fields do not hold. */
export function spoil(
  frame: Uint8Array,
  defect: PacketDefect | undefined,
  ip: 4 | 6,
  opcode: number,
): Uint8Array {
  if (defect?.kind === 'unusual' && defect.field === 'udp-checksum') return withChecksum(frame, ip);
  if (defect?.kind === 'short') return cutShort(frame, ip, opcodes[opcode]?.headerBytes ?? 0);
  return defect?.kind === 'frame' ? damaged(frame, defect.part) : frame;
}

/**
 * The frame of an IPv4 or IPv6 packet, cut so that its lengths and ICRC agree with each other but the headers that its
 * opcode calls for do not fit: 4 bytes behind the BTH are left, or 8 bytes of the BTH where it has no such headers.
 */
function cutShort(frame: Uint8Array, ip: 4 | 6, extensionBytes: number): Uint8Array {
  const udp = 14 + (ip === 4 ? 20 : 40);
  const transport = (extensionBytes >= 8 ? 16 : 8) + 4;
  const cut = frame.slice(0, udp + 8 + transport);
  const view = new DataView(cut.buffer);
  view.setUint16(udp + 4, 8 + transport);
  if (ip === 4) view.setUint16(14 + 2, 20 + 8 + transport);
  else view.setUint16(14 + 4, 8 + transport);
  return reseal(cut);
}
