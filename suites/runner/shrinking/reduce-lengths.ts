import type { PacketPlan } from '../../scenario.ts';

/** Bytes that are enough to tell something from nothing, and an address from the next one. */
export const few = 8;

/** Requests whose length is their own: those of a message's first packets have that of the path MTU. */
const free = /^(SEND|RDMA_WRITE)_(ONLY|LAST)|^RDMA_READ_REQUEST$/;

type Target = NonNullable<PacketPlan['target']>;

/**
 * A crafted request with fewer bytes. Where its RETH announces what it carries, both become less, so that it stays a sound one; payload
 * and announced length each by itself otherwise. `mtu`: the path MTU, in whose units the payload may be said.
 */
export function* shorter(packet: PacketPlan, mtu: number): Generator<PacketPlan> {
  const { operation, payload, target } = packet;
  const carried = payload.mtus * mtu + payload.bytes;
  const less: PacketPlan = { ...packet, payload: { mtus: 0, bytes: few } };
  const cuts = carried > few && (payload.mtus === 0 || free.test(String(operation)));
  if (target === undefined) {
    if (cuts) yield less;
  } else if (target.length === carried) {
    if (cuts) for (const part of partsOf(target)) yield { ...less, target: part };
  } else {
    if (cuts) yield less;
    if (target.length > few) for (const part of partsOf(target)) yield { ...packet, target: part };
  }
}

/** The beginning of what a RETH names, and its end. */
function partsOf(target: Target): Target[] {
  const { offset, length } = target;
  return [
    { ...target, length: few },
    { ...target, length: few, offset: offset + length - few },
  ];
}

/** A crafted request for the first region, in place of another one. */
export function* firstRegion(packet: PacketPlan): Generator<PacketPlan> {
  const { target } = packet;
  if (target === undefined || target.region === 0 || target.window !== undefined) return;
  if (target.of === undefined) yield { ...packet, target: { ...target, region: 0 } };
}
