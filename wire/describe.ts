import { decodeSyndrome, nakCodes, rnrMicroseconds } from '../spec/constants.ts';
import { ooethFlags, saethFlags } from './packet.ts';
import type { Packet } from './packet.ts';

function hex(value: number, digits: number): string {
  return `0x${value.toString(16).padStart(digits, '0')}`;
}

/** An AETH syndrome in words: `ACK`, `ACK credit code 5`, `RNR NAK timer 12 (0.64 ms)`, `NAK invalid request`. */
export function describeSyndrome(syndrome: number): string {
  const { kind, value } = decodeSyndrome(syndrome);
  switch (kind) {
    case 'ack':
      return value === 0x1f ? 'ACK' : `ACK credit code ${value}`;
    case 'rnr-nak':
      return `RNR NAK timer ${value} (${(rnrMicroseconds[value] ?? 0) / 1000} ms)`;
    case 'nak': {
      const title = nakCodes.find((c) => c.code === value)?.title ?? `reserved code ${value}`;
      return `NAK ${title.replace(/ \(.*/, '')}`;
    }
    case 'reserved':
      return `reserved syndrome ${hex(syndrome, 2)}`;
  }
}

// as memory and what rules expect of it: bytes, whose order can be read
const value = (number: bigint): string => `0x${number.toString(16)}`;

function* extensionParts(packet: Packet): Generator<string> {
  const { rdeth, deth, xrceth, reth, atomicEth, aeth, feth, ooeth, saeth } = packet;
  if (rdeth !== undefined) yield `eec ${hex(rdeth.eeContext, 6)}`;
  if (deth !== undefined) yield `from qp ${hex(deth.srcQp, 6)}`;
  if (xrceth !== undefined) yield `srq ${hex(xrceth.srq, 6)}`;
  if (feth !== undefined) yield `placement ${feth.placement} selectivity ${feth.selectivity}`;
  if (reth !== undefined) yield `va 0x${reth.va.toString(16)} rkey ${hex(reth.rkey, 8)} dma ${reth.dmaLen}`;
  if (atomicEth !== undefined) {
    yield `va 0x${atomicEth.va.toString(16)} rkey ${hex(atomicEth.rkey, 8)}`;
    yield packet.info?.operation === 'COMPARE_SWAP'
      ? `compare ${value(atomicEth.compare)} swap ${value(atomicEth.swapOrAdd)}`
      : `add ${value(atomicEth.swapOrAdd)}`;
  }
  if (aeth !== undefined) yield `${describeSyndrome(aeth.syndrome)} msn ${aeth.msn}`;
  if (ooeth !== undefined) {
    if (ooeth.flags & ooethFlags.recvWqe) yield `recv wqe ${ooeth.recvWqeSn}`;
    if (ooeth.flags & ooethFlags.readWqe) yield `read wqe ${ooeth.readWqeSn}`;
    yield `offset ${ooeth.offset}`;
  }
  if (saeth !== undefined) {
    yield `${saeth.flags & saethFlags.selective ? 'selective, ' : ''}trigger ${saeth.trigger}`;
  }
  if (packet.atomicOriginal !== undefined) yield `original ${value(packet.atomicOriginal)}`;
  if (packet.immediate !== undefined) yield `imm ${hex(packet.immediate, 8)}`;
  if (packet.invalidateRkey !== undefined) yield `invalidate ${hex(packet.invalidateRkey, 8)}`;
}

/**
 * One line for people, as in ladders: `RC SEND_ONLY psn 100 qp 0x000012 ack-req 8 bytes`,
 * `RC ACKNOWLEDGE psn 100 qp 0x000012 NAK PSN sequence error msn 1`. PSN and MSN in decimal.
 */
export function describe(packet: Packet): string {
  const { info } = packet;
  const parts: string[] = [];
  if (info === undefined) parts.push(`opcode ${hex(packet.opcode, 2)} (reserved)`);
  else parts.push(info.kind === 'cnp' ? 'CNP' : `${info.service} ${info.operation}`);
  if (info?.kind !== 'cnp') parts.push(`psn ${packet.psn}`);
  parts.push(`qp ${hex(packet.destQp, 6)}`);
  if (packet.ackReq) parts.push('ack-req');
  if (packet.solicited) parts.push('solicited');
  parts.push(...extensionParts(packet));
  const length = packet.payloadLength;
  if (info?.kind !== 'cnp' && (length > 0 || info?.payload !== false)) {
    parts.push(`${length} ${length === 1 ? 'byte' : 'bytes'}`);
  }
  if (packet.ecn === 3) parts.push('CE');
  if (packet.tver !== 0) parts.push(`tver ${packet.tver}`);
  if (!packet.icrcOk) parts.push('ICRC wrong');
  return parts.join(' ');
}
