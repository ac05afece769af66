import type { Packet } from '../../../wire/packet.ts';
import type { UnreliableQp } from '../qp.ts';
import type { UnreliableBook } from '../tables.ts';
import { leaveOpen, rangesFor, type Range } from '../words/memory.ts';
import { Arrival } from './arrival.ts';
import { takes, type Receipt } from './completion.ts';
import { transitionsFor } from './receive.ts';
import type { ReceiveState } from './state.ts';

/** What a QP on a queue of its own saw since its last rest. */
export type Since = { packet: Packet; event: number } | Receipt | { apply: (state: ReceiveState) => void };

/**
 * Every state of a QP that software stops while packets are under way: `since` the last rest, when it was in one of the states `base`, the
 * device may have looked at all packets, at those up to one of them, or at none. What they have left in memory is open.
 */
export function stoppedAnywhere(
  qp: UnreliableQp,
  book: UnreliableBook,
  base: readonly ReceiveState[],
  since: readonly Since[],
): ReceiveState[] {
  let going = base.map((state) => state.clone());
  let stopped: ReceiveState[] = [];
  const open: Range[] = [];
  for (const entry of since) {
    if ('packet' in entry) {
      const seen = { qp, book, ...entry };
      const arrivals = going.map((state) => new Arrival(seen, state));
      for (const arrival of arrivals) open.push(...rangesFor(arrival));
      stopped = different([...stopped, ...going.map((state) => state.clone())]);
      going = different(arrivals.flatMap((arrival) => transitionsFor(arrival).map(({ after }) => after)));
    } else if ('apply' in entry) {
      for (const state of [...going, ...stopped]) entry.apply(state);
    } else {
      going = going.filter((state) => takes(qp, state, entry));
      stopped = stopped.filter((state) => takes(qp, state, entry));
    }
  }
  const all = different([...going, ...stopped]);
  for (const state of all) leaveOpen(state, open);
  return all;
}

function different(states: readonly ReceiveState[]): ReceiveState[] {
  return [...new Map(states.map((state) => [state.key(), state])).values()];
}
