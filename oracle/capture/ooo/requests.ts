import { leastPathMtu } from '../../../spec/constants.ts';
import type { Difference } from '../../device/packet/header.ts';
import { lengthOf, wrongBare, wrongPad } from '../lengths.ts';
import { wrongOperands } from '../requests/repetition.ts';
import { goesOn, wrongNeighbours } from '../sequence.ts';
import type { PlacedDemand } from './rules.ts';
import { wrongNumber, wrongPresence } from './seen-placed.ts';
import type { SeenPlaced } from './seen-placed.ts';

/** Demands that were looked at, each with what is wrong. */
export type Found = readonly (readonly [PlacedDemand, Difference | undefined])[];

/** What is wrong with a request by what it says itself. `mtu`: path MTU in bytes, 0 where it is not known. */
export function byItself(request: SeenPlaced, mtu: number): Found {
  const { work, ends } = request;
  const consumes = work === 'send' || (work === 'write-immediate' && ends);
  const asks = work === 'read' || work === 'atomic';
  return [
    ['mustReceiveNumber', wrongPresence('recv_WQE_SN', request.receive, consumes)],
    ['mustReadNumber', wrongPresence('read_WQE_SN', request.read, asks)],
    ['mustOffset', wrongOffset(request, mtu)],
    ['mustSegment', asks ? wrongBare(request) : wrongSegment(request, mtu)],
  ];
}

/** How two requests with PSNs in a row fail to be those of one send queue. */
export function byNeighbours(before: SeenPlaced, after: SeenPlaced): Found {
  const wrong = wrongNeighbours(before, after);
  if (wrong !== undefined) return [['mustOpcode', wrong]];
  const receive = wrongNumber('recv_WQE_SN', after.receive, before.nextReceive);
  if (!goesOn(before))
    return [
      ['mustOpcode', undefined],
      ['mustReceiveNumber', receive],
      ['mustReadNumber', wrongNumber('read_WQE_SN', after.read, before.nextRead)],
    ];
  const { reth } = before;
  return [
    ['mustOpcode', undefined],
    ['mustReceiveNumber', receive],
    ['mustOffset', wrongNumber('offset', after.offset, before.offset + before.length)],
    ...(reth === undefined ? [] : [['mustRange', wrongRange(reth, after)] as const]),
  ];
}

/** How a packet differs from the one that had its PSN before. It is the same but for AckReq; memory may have changed meanwhile. */
export function byRepetition(before: SeenPlaced, again: SeenPlaced): Found {
  if (before.opcode !== again.opcode)
    return [['mustOpcode', { expected: `${before.name}, as in the first copy`, observed: again.name }]];
  const { reth, atomicEth } = before;
  const immediate = wrongNumber('immediate data', again.immediate ?? -1, before.immediate ?? -1);
  const key = wrongNumber('R_Key to invalidate', again.invalidates ?? -1, before.invalidates ?? -1);
  return [
    ['mustOpcode', undefined],
    ['mustSegment', wrongNumber('payload length', again.length, before.length)],
    ['mustReceiveNumber', wrongNumber('recv_WQE_SN', again.receive, before.receive)],
    ['mustReadNumber', wrongNumber('read_WQE_SN', again.read, before.read)],
    ['mustOffset', wrongNumber('offset', again.offset, before.offset)],
    ...(reth === undefined ? [] : [['mustRange', wrongRange(reth, again)] as const]),
    ...(atomicEth === undefined ? [] : [['mustRange', wrongOperands(before, again)] as const]),
    ['mustImmData', immediate],
    ['mustInvalidate', key],
  ];
}

function wrongOffset({ position, work, offset }: SeenPlaced, mtu: number): Difference | undefined {
  const first = position === 'first' || position === 'only' || work === 'read' || work === 'atomic';
  const observed = `offset ${offset}`;
  if (first) return offset === 0 ? undefined : { expected: 'offset 0', observed };
  // every path MTU is a multiple of the least
  const unit = mtu === 0 ? leastPathMtu : mtu;
  if (offset > 0 && offset % unit === 0) return undefined;
  return { expected: `an offset that is a multiple of ${unit}`, observed };
}

function wrongSegment(request: SeenPlaced, mtu: number): Difference | undefined {
  const { length, pad, position, offset, announced, ends } = request;
  const observed = `${length} bytes of payload at offset ${offset}`;
  const due = lengthOf(position, length, mtu);
  if (due !== undefined) return { expected: due, observed: `${length} bytes of payload` };
  const end = offset + length;
  if (announced === undefined || (ends ? end === announced : end < announced)) return wrongPad(length, pad);
  return {
    expected: `${ends ? 'the end' : 'less than the end'} of the ${announced} bytes of its RETH`,
    observed,
  };
}

function wrongRange(due: NonNullable<SeenPlaced['reth']>, { reth }: SeenPlaced): Difference | undefined {
  const { va, rkey, dmaLen } = due;
  if (reth?.va === va && reth.rkey === rkey && reth.dmaLen === dmaLen) return undefined;
  const text = (one: typeof due): string =>
    `${one.dmaLen} bytes at 0x${one.va.toString(16)} with R_Key 0x${one.rkey.toString(16)}`;
  return {
    expected: `RETH of ${text(due)}`,
    observed: reth === undefined ? 'no RETH' : `RETH of ${text(reth)}`,
  };
}
