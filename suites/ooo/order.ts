import fc from 'fast-check';
import type { PacketPlan, Step } from '../scenario.ts';

/** How some packets arrive, however many there are. */
export interface Order {
  /** by packet, and cyclically: how many places later it comes than it was sent */
  late: number[];
  /** by place: how many packets back a duplicate comes from, or none */
  again: (number | undefined)[];
  /** by place: whether the driver waits */
  wait: boolean[];
}

/** Orders of packets: near to the one in which they were sent, reversed, and any. */
export function order(farthest = 12): fc.Arbitrary<Order> {
  return fc.record({
    late: fc.array(
      fc.oneof({ withCrossShrink: true }, fc.constant(0), fc.nat(3), fc.integer({ min: 0, max: farthest })),
      {
        minLength: 1,
        maxLength: 8,
        size: 'max',
      },
    ),
    again: fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, fc.nat(6)), {
      minLength: 1,
      maxLength: 8,
      size: 'max',
    }),
    wait: fc.array(fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean()), {
      minLength: 1,
      maxLength: 6,
      size: 'max',
    }),
  });
}

export function cyclic<T>(values: readonly T[], i: number): T | undefined {
  return values[i % values.length];
}

/** Packets in the order in which they arrive. */
export function permuted<T>(packets: readonly T[], { late }: Pick<Order, 'late'>): T[] {
  return packets
    .map((packet, i) => ({ packet, key: i + (cyclic(late, i) ?? 0) + 0.5 * Number(cyclic(late, i) !== 0) }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ packet }) => packet);
}

/** The steps that put packets on the wire in some order, with duplicates and waits in between. */
export function arrival(packets: readonly PacketPlan[], chosen: Order): Step[] {
  const settle: Step = { do: 'settle' };
  return permuted(packets, chosen).flatMap((packet, i): Step[] => {
    const back = cyclic(chosen.again, i);
    return [
      { do: 'inject', packet },
      ...(back === undefined ? [] : [{ do: 'reinject' as const, back: Math.min(back, i) }]),
      ...(cyclic(chosen.wait, i) === true ? [settle] : []),
    ];
  });
}
