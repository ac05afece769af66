import type { Difference } from '../../device/packet/header.ts';
import type { SeenRequest } from './seen-request.ts';

/**
 * How a packet differs from the one that had its PSN before. The bytes of the payload are not compared: software may have changed
 * the memory meanwhile.
 */
export function wrongRepetition(before: SeenRequest, again: SeenRequest): Difference | undefined {
  const differs = (what: string, a: string | number, b: string | number): Difference => ({
    expected: `${what} of the first copy: ${a}`,
    observed: `${b}`,
  });
  if (before.opcode !== again.opcode) return differs('opcode', before.name, again.name);
  if (before.length !== again.length) return differs('payload length', before.length, again.length);
  if (before.immediate !== again.immediate)
    return differs('immediate data', before.immediate ?? 0, again.immediate ?? 0);
  if (before.invalidates !== again.invalidates)
    return differs('R_Key to invalidate', before.invalidates ?? 0, again.invalidates ?? 0);
  const [a, b] = [before.reth, again.reth];
  if (a?.va !== b?.va || a?.rkey !== b?.rkey || a?.dmaLen !== b?.dmaLen)
    return differs('RETH', rethText(a), rethText(b));
  return wrongOperands(before, again);
}

/** How its AtomicETH differs from that of the packet that had its PSN before. */
export function wrongOperands(
  { atomicEth: a }: SeenRequest,
  { atomicEth: b }: SeenRequest,
): Difference | undefined {
  if (a?.va === b?.va && a?.rkey === b?.rkey && a?.swapOrAdd === b?.swapOrAdd && a?.compare === b?.compare)
    return undefined;
  return { expected: 'AtomicETH of the first copy', observed: 'another AtomicETH' };
}

function rethText(reth: SeenRequest['reth']): string {
  return reth === undefined ? 'none' : `${reth.dmaLen} bytes at 0x${reth.va.toString(16)}, rkey ${reth.rkey}`;
}
