import { psnAdd } from '../../wire/psn.ts';
import type { Difference } from '../device/packet/header.ts';
import { startsMessage } from './requests/seen-request.ts';
import type { SeenRequest } from './requests/seen-request.ts';

/** Whether the message has more packets behind this one. */
export const goesOn = ({ position }: SeenRequest): boolean => position === 'first' || position === 'middle';

/**
 * How two packets with PSNs in a row fail to be those of one send queue. It does not depend on when, how often or in which order
 * a capture shows them.
 */
export function wrongNeighbours(before: SeenRequest, after: SeenRequest): Difference | undefined {
  const starts = startsMessage(after);
  if (goesOn(before) ? !starts && after.family === before.family : starts) return undefined;
  return {
    expected: goesOn(before)
      ? `the next packet of the ${before.family.toUpperCase()}`
      : 'the first packet of a message',
    observed: `${after.name} with PSN ${after.psn} behind ${before.name} with PSN ${before.psn}`,
  };
}

/** How a request lies among the PSNs of a READ's responses, where only the same READ may stand, shortened from the front. */
export function wrongWithinRead(
  read: SeenRequest,
  count: number,
  mtu: number,
  request: SeenRequest,
): Difference | undefined {
  const index = psnAdd(request.psn, -read.psn);
  if (request.family !== 'read')
    return {
      expected: `the next request with PSN ${psnAdd(read.psn, count)}, behind ${count} READ responses`,
      observed: `${request.name} with PSN ${request.psn}`,
    };
  const [whole, part] = [read.reth, request.reth];
  if (whole === undefined || part === undefined) return undefined;
  const offset = index * mtu;
  const want = { va: whole.va + BigInt(offset), rkey: whole.rkey, dmaLen: whole.dmaLen - offset };
  if (part.va === want.va && part.rkey === want.rkey && part.dmaLen === want.dmaLen) return undefined;
  return { expected: `a READ of ${remote(want)}`, observed: remote(part) };
}

function remote({ va, rkey, dmaLen }: { va: bigint; rkey: number; dmaLen: number }): string {
  return `${dmaLen} bytes at 0x${va.toString(16)}, rkey 0x${rkey.toString(16)}`;
}
