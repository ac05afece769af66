import type { Packet } from '../../../wire/packet.ts';
import type { Requester } from '../requester.ts';
import type { RequesterState } from '../state.ts';

const copiesKept = 2048;

/** Keeps the first copy of each of the newest packets. */
export function keepCopy(requester: Requester, states: readonly RequesterState[], packet: Packet): void {
  const { copies } = requester;
  if (copies.has(packet.psn)) return;
  copies.set(packet.psn, packet);
  if (copies.size <= 2 * copiesKept) return;
  for (const psn of [...copies.keys()].slice(0, copies.size - copiesKept)) copies.delete(psn);
  forgetWork(requester, states);
}

/** Drops what no possible state needs any more. */
export function tidy(requester: Requester, states: readonly RequesterState[]): void {
  forgetWork(requester, states);
  if (states.every(({ una, end }) => una === end)) requester.copies.clear();
}

function forgetWork({ work }: Requester, states: readonly RequesterState[]): void {
  work.forget(Math.min(...states.map(({ head, reported }) => Math.min(head, reported))));
}
