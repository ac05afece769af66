import { formatIpv4, formatIpv6, parseIp } from '../../wire/index.ts';
import type { TraceHeader } from '../../oracle/trace.ts';
import { messageOf, usageError } from '../exit-codes.ts';
import type { Arguments } from '../flags/parse.ts';

/** Largest 5-bit code of an ACK timer. */
const largestTimeout = 31;

/** What `--complete`, `--at` and `--timeout` say of a capture; empty where it may have lost packets. */
export function completeness(args: Arguments): Pick<TraceHeader, 'complete'> {
  const addresses = args.texts('at').map(address);
  const timeout = args.integer('ackTimeout', 0, largestTimeout);
  if (!args.has('complete')) {
    if (addresses.length > 0)
      throw usageError('--at says where a complete capture was taken: add --complete');
    if (timeout !== undefined) throw usageError('--timeout counts for complete captures: add --complete');
    return {};
  }
  return { complete: { addresses, ...(timeout !== undefined && { timeout }) } };
}

/** The address as packets name it. */
function address(text: string): string {
  try {
    const bytes = parseIp(text);
    return bytes.length === 4 ? formatIpv4(bytes, 0) : formatIpv6(bytes, 0);
  } catch (thrown) {
    throw usageError(`--at takes an IP address: ${messageOf(thrown)}`);
  }
}
