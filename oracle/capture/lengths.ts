import { greatestPathMtu, longestMessage, pathMtus } from '../../spec/constants.ts';
import type { Position } from '../../spec/constants.ts';
import type { Difference } from '../device/packet/header.ts';
import { psnAdd, psnDiff } from '../../wire/psn.ts';
import type { PsnRecord } from './requests/psn-record.ts';
import { packetsOf } from '../packets-of.ts';
import type { SeenRequest } from './requests/seen-request.ts';

const mtus: ReadonlySet<number> = new Set(pathMtus);

/** How a RETH names more than any work request may. */
export function wrongMessage({ reth }: SeenRequest): Difference | undefined {
  const bytes = reth?.dmaLen ?? 0;
  if (bytes <= longestMessage) return undefined;
  return { expected: `a message of at most ${longestMessage} bytes`, observed: `${bytes} bytes in its RETH` };
}

/** How pad bytes fail to fill the payload up to a multiple of 4. */
export function wrongPad(length: number, pad: number): Difference | undefined {
  if ((length + pad) % 4 === 0) return undefined;
  return { expected: `${-length & 3} pad bytes behind ${length} bytes`, observed: `pad count ${pad}` };
}

/** How a READ or an ATOMIC carries what no such request does. */
export function wrongBare({ length, pad }: SeenRequest): Difference | undefined {
  if (length + pad === 0) return undefined;
  return { expected: 'no payload', observed: length > 0 ? `${length} bytes of payload` : `pad count ${pad}` };
}

/** How long a packet must be by its place in a message, if it is not; `mtu`: the path MTU, 0 where it is not known. */
export function lengthOf(position: Position, length: number, mtu: number): string | undefined {
  const most = mtu === 0 ? greatestPathMtu : mtu;
  switch (position) {
    case 'first':
    case 'middle': {
      const full = mtu === 0 ? mtus.has(length) : length === mtu;
      return full ? undefined : `${mtu === 0 ? 'a path MTU' : mtu} of payload`;
    }
    case 'last':
      return length > 0 && length <= most ? undefined : `1 to ${most} bytes of payload`;
    case 'only':
      return length <= most ? undefined : `at most ${most} bytes of payload`;
  }
}

/** How a request that carries data has another length than its place in a message allows. */
export function wrongLength({ position, length, family }: SeenRequest, mtu: number): Difference | undefined {
  if (family !== 'send' && family !== 'write') return undefined;
  const expected = lengthOf(position, length, mtu);
  return expected === undefined ? undefined : { expected, observed: `${length} bytes of payload` };
}

/** How a packet of a WRITE fails to be the one that the RETH of its first packet calls for at this PSN. */
export function wrongShare(request: SeenRequest, mtu: number): Difference | undefined {
  const { family, message, position, length, psn } = request;
  const bytes = message?.bytes;
  if (family !== 'write' || message === undefined || bytes === undefined) return undefined;
  const wrong = (expected: string): Difference => ({
    expected,
    observed: `${request.name} with PSN ${psn} and ${length} bytes`,
  });
  if (position === 'only')
    return length === bytes ? undefined : wrong(`the ${bytes} bytes that its RETH announces`);
  if (mtu === 0) return undefined;
  const count = packetsOf(bytes, mtu);
  const index = psnDiff(psn, message.psn);
  const end = index === count - 1;
  const rest = bytes - (count - 1) * mtu;
  const fits = count > 1 && index < count && (position === 'last') === end && (!end || length === rest);
  if (fits) return undefined;
  const whole = count === 1 ? 'one packet' : `PSN ${message.psn} to ${psnAdd(message.psn, count - 1)}`;
  return wrong(`${bytes} bytes, as the RETH announces: ${whole}, the last of ${rest} bytes`);
}

/**
 * How its length differs from that of its place; the record takes the path MTU from it. `doubtful`: what it is held against
 * stems from before a pause, so that it may be of another connection.
 */
export function wrongByLength(
  record: PsnRecord,
  request: SeenRequest,
): { wrong: Difference | undefined; doubtful: boolean } {
  const certain = wrongPad(request.length, request.pad) ?? wrongLength(request, 0);
  const wrong = certain ?? wrongLength(request, record.mtu) ?? wrongShare(request, record.mtu);
  const doubtful = wrong !== undefined && certain === undefined && record.heldAgainstBefore(request);
  const full = request.position === 'first' || request.position === 'middle';
  // it is unknown which of two lengths is the path MTU
  if (full) record.learn(wrong === undefined || doubtful ? request.length : 0);
  return { wrong, doubtful };
}
