import { opcodeByName } from '../../../spec/constants.ts';
import { decode, encode } from '../../../wire/index.ts';
import { ooethFlags, type Packet, type PacketFields } from '../../../wire/packet.ts';

export const dut = { ip: '10.0.0.1', qp: 0x11 };
export const peer = { ip: '10.0.0.2', qp: 0x22 };
export const mtu = 256;
export const qkey = 0x1111;
/** region 1, of 8192 bytes, which may be used for everything */
export const region = { addr: 0x10000n, length: 8192, lkey: 0x66, rkey: 0x77 };
/** region 2, which may only be read from far */
export const readable = { addr: 0x20000n, length: 64, lkey: 0x68, rkey: 0x79 };

/** What a packet of an out-of-order QP says beside the rest: numbers of receive WQE and READ, and its place in the message. */
export interface Ooo {
  recv?: number | undefined;
  read?: number | undefined;
  offset?: number | undefined;
}

export type Fields = Partial<PacketFields> & Ooo;

/** The packet that the codec makes of the fields. */
export function packetOf(fields: PacketFields): Packet {
  const decoded = decode(encode(fields));
  if (decoded.kind !== 'packet') throw new Error(`${decoded.kind}: ${decoded.reason}`);
  return decoded.packet;
}

/** Extension header of the packets of an out-of-order QP. */
function ooeth({ recv, read, offset = 0 }: Ooo): Partial<PacketFields> {
  const flags = (recv === undefined ? 0 : ooethFlags.recvWqe) | (read === undefined ? 0 : ooethFlags.readWqe);
  return { ooeth: { flags, recvWqeSn: recv ?? 0, readWqeSn: read ?? 0, offset } };
}

/** `ORC`: RC whose packets may be placed out of order. */
export type Service = 'RC' | 'UC' | 'UD' | 'ORC';

/** A sound packet of the service between the two QPs, but for the fields given; operation without the service. */
export function packetFields(
  service: Service,
  direction: 'to-dut' | 'from-dut',
  operation: string,
  psn: number,
  given: Fields,
): PacketFields {
  const [from, to] = direction === 'to-dut' ? [peer, dut] : [dut, peer];
  const { recv, read, offset, ...fields } = given;
  return {
    opcode: opcodeByName(`${service}_${operation}`),
    psn: psn & 0xffffff,
    destQp: to.qp,
    srcIp: from.ip,
    dstIp: to.ip,
    ...(service === 'UD' && { deth: { qkey, srcQp: from.qp } }),
    ...(service === 'ORC' && ooeth({ recv, read, offset })),
    ...fields,
  };
}

/** Bytes that are all the same, so that tests can tell whose they are. */
export const bytes = (length: number, value = 0xab): Uint8Array => new Uint8Array(length).fill(value);

/** Bytes that count up. */
export const counting = (length: number, first = 0): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => (first + i) & 0xff);

/** RETH of region 1. */
export function reth(
  dmaLen: number,
  offset = 0,
  rkey = region.rkey,
): { reth: PacketFields['reth'] & object } {
  return { reth: { va: region.addr + BigInt(offset), rkey, dmaLen } };
}

/** AtomicETH of the first word of region 1. */
export function fetchAdd(value: bigint): Partial<PacketFields> {
  return { atomicEth: { va: region.addr, rkey: region.rkey, swapOrAdd: value, compare: 0n } };
}

/** AETH of an answer. */
export const answer = (msn: number, syndrome = 0x1f): { aeth: { syndrome: number; msn: number } } => ({
  aeth: { syndrome, msn },
});
