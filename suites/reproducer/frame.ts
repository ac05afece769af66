import { crc32, decode, dissect, icrc } from '../../wire/index.ts';
import type { Packet } from '../../wire/packet.ts';
import { patternOf, type Pattern } from './pattern.ts';

/** A region of the device as the report saw it. */
export interface SeenRegion {
  addr: bigint;
  length: number;
  rkey: number;
}

/** QP numbers that the far end makes up begin here; the device's own are smaller. */
const firstInvented = 0x70_0000;
/** How far beyond a region an address may lie to be taken for one of it. */
const near = 1n << 20n;

export function packetOf(frame: Uint8Array): Packet | undefined {
  const decoded = decode(frame);
  return decoded.kind === 'packet' ? decoded.packet : undefined;
}

/** The first line of the observation that the program makes of the same packet. */
export function observed(packet: Packet): string {
  const { frame, aeth, opcode, psn } = packet;
  const bth = bthOf(frame);
  const syndrome =
    aeth === undefined ? '' : ` syndrome 0x${aeth.syndrome.toString(16).padStart(2, '0')} msn ${aeth.msn}`;
  const flags = (frame[bth + 1] ?? 0).toString(16).padStart(2, '0');
  const code = opcode.toString(16).padStart(2, '0');
  const behind = frame.subarray(bth + (opcode >> 5 === 3 ? 20 : 12), frame.length - 4);
  const qkey = packet.deth === undefined ? '' : ` qkey 0x${packet.deth.qkey.toString(16).padStart(8, '0')}`;
  const sum = crc32(behind).toString(16).padStart(8, '0');
  return (
    `packet opcode 0x${code} psn ${psn} ack-req ${packet.ackReq ? 1 : 0} flags 0x${flags}${syndrome}${qkey} ` +
    `bytes ${frame.length - bth - 16} crc 0x${sum}`
  );
}

function bthOf(frame: Uint8Array): number {
  return dissect(frame).find(({ name }) => name === 'BTH')?.offset ?? 0;
}

/** Parts of the frame with their bytes, up to `end`. */
function bytesLines(frame: Uint8Array, end: number): string[] {
  return dissect(frame).flatMap(({ name, offset, length, fields }) => {
    if (offset >= end) return [];
    const values = fields.map((field) => `${field.name} ${field.value}`).join(', ');
    const bytes = [...frame.subarray(offset, offset + length)].map(
      (byte) => `0x${byte.toString(16).padStart(2, '0')},`,
    );
    const rows = Array.from({ length: Math.ceil(bytes.length / 16) }, (_, i) =>
      bytes.slice(16 * i, 16 * i + 16).join(' '),
    );
    const about = name === 'ICRC' || values === '' ? name : `${name}: ${values}`;
    return [`\t\t/* ${about.replaceAll('*/', '* /')} */`, ...rows.map((row) => `\t\t${row}`)];
  });
}

/** What has to be put into the packet: the number of the QP, addresses and keys of the device of today. */
function patches(packet: Packet, bth: number, regions: readonly SeenRegion[]): string[] {
  const lines: string[] = [];
  if (packet.destQp < firstInvented) lines.push(`\tput(f + ${bth + 5}, qp->qp_num, 3);`);
  const aim = packet.reth ?? packet.atomicEth;
  const header = dissect(packet.frame).find(({ name }) => name === 'RETH' || name === 'AtomicETH');
  if (aim !== undefined && header !== undefined) {
    const { va, rkey } = aim;
    const at = regions.findIndex(
      ({ addr, length }) => va >= addr - near && va <= addr + BigInt(length) + near,
    );
    const keyed = regions.findIndex((region) => region.rkey === rkey);
    const region = keyed >= 0 ? keyed : at;
    const found = regions[region];
    if (found !== undefined && va !== 0n) {
      const xor = (found.rkey ^ rkey) >>> 0;
      lines.push(
        `\tput(f + ${header.offset}, (uintptr_t)region[${region}].mem + ${va - found.addr}, 8);`,
        `\tput(f + ${header.offset + 8}, region[${region}].rkey${xor === 0 ? '' : ` ^ 0x${xor.toString(16)}`}, 4);`,
      );
    }
  }
  const invalidated = dissect(packet.frame).find(({ name }) => name === 'IETH');
  const named = regions.findIndex(({ rkey }) => rkey === packet.invalidateRkey);
  if (invalidated !== undefined && named >= 0)
    lines.push(`\tput(f + ${invalidated.offset}, region[${named}].rkey, 4);`);
  return lines;
}

/** Statements that send a packet of the report to the device. */
export function sendLines(packet: Packet, text: string, regions: readonly SeenRegion[]): string[] {
  const { frame } = packet;
  const wrong = packet.icrcOk ? 0 : (packet.icrc ^ icrcOf(frame)) >>> 0;
  const payload = payloadOf(frame);
  const end = payload?.offset ?? frame.length;
  return [
    '{',
    // the ICRC is put under it anyway
    `\tunsigned char f[${payload === undefined ? '' : frame.length}] = {`,
    ...bytesLines(frame, end),
    '\t};',
    '',
    ...(payload === undefined
      ? []
      : [`\tpattern(f + ${end}, ${payload.length}, ${payload.pattern.at}, ${payload.pattern.first});`]),
    ...patches(packet, bthOf(frame), regions),
    `\tsend_frame("${text.replaceAll(/["\\]/g, '')}", f, sizeof f, ${wrong === 0 ? '0' : `0x${wrong.toString(16)}`});`,
    '}',
  ];
}

/** The payload, where a call makes its bytes. */
function payloadOf(frame: Uint8Array): { offset: number; length: number; pattern: Pattern } | undefined {
  const part = dissect(frame).find(({ name }) => name === 'payload');
  if (part === undefined) return undefined;
  const { offset, length } = part;
  const pattern = patternOf(frame.subarray(offset, offset + length));
  // what stands behind it but the ICRC are zeros that fill a word
  const pad = frame.subarray(offset + length, -4);
  if (pattern === undefined || pad.some((byte) => byte !== 0)) return undefined;
  return { offset, length, pattern };
}

function icrcOf(frame: Uint8Array): number {
  const [, ip] = dissect(frame);
  return icrc(frame, ip?.offset ?? 14, frame.length - 4);
}
