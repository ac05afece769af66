import fc from 'fast-check';
import type { DamagedPart, Fault, FaultAction, FaultMatch, PacketClass, PacketDefect } from '../scenario.ts';

/** Parts that a frame may be damaged in. */
export const damagedParts: readonly DamagedPart[] = [
  'ethertype',
  'ip-checksum',
  'ip-version',
  'ip-length',
  'udp-port',
  'udp-length',
  'oversized',
];

export interface FaultOptions {
  /** how often a packet is dropped, in relation to 1 of each other action; default 1 */
  drops?: number;
  /** whether headers in front of the transport are damaged as well */
  damage?: boolean;
}

function action({ drops = 1, damage = false }: FaultOptions): fc.Arbitrary<FaultAction> {
  return fc.oneof(
    { weight: drops, arbitrary: fc.constant<FaultAction>({ kind: 'drop' }) },
    fc.integer({ min: 1, max: 2 }).map((copies): FaultAction => ({ kind: 'duplicate', copies })),
    fc.integer({ min: 1, max: 3 }).map((packets): FaultAction => ({ kind: 'hold', packets })),
    fc.constantFrom(1, 50, 500).map((us): FaultAction => ({ kind: 'delay', us })),
    fc
      .record({ byte: fc.nat(40), mask: fc.constantFrom(1, 0x80, 0xff) })
      .map(({ byte, mask }): FaultAction => ({ kind: 'corrupt', byte, mask, repairIcrc: false })),
    fc.constant<FaultAction>({ kind: 'set-ce' }),
    ...(damage
      ? [
          {
            weight: 2,
            arbitrary: fc
              .constantFrom(...damagedParts)
              .map((part): FaultAction => ({ kind: 'damage', part })),
          },
        ]
      : []),
  );
}

function match(classes: readonly PacketClass[]): fc.Arbitrary<FaultMatch> {
  return fc.oneof(
    fc.record({ class: fc.constantFrom(...classes), ordinal: fc.nat(5) }),
    fc.record({ psnOffset: fc.nat(8), transmission: fc.constantFrom(0, 1) }),
  );
}

/** One fault of the wire that two conformant ends recover from, on requests or on responses. */
export function fault(options: FaultOptions = {}): fc.Arbitrary<Fault> {
  return fc.oneof(
    fc.record({
      direction: fc.constant<Fault['direction']>('to-responder'),
      match: match(['request', 'data']),
      action: action(options),
    }),
    fc.record({
      direction: fc.constant<Fault['direction']>('to-requester'),
      match: match(['ack', 'read-response', 'atomic-ack', 'nak', 'rnr-nak']),
      action: action(options),
    }),
  );
}

/** Source addresses of a packet that are not those of the far end. */
export const otherSources: readonly Extract<PacketDefect, { kind: 'source-ip' }>[] = [
  { kind: 'source-ip' },
  { kind: 'source-ip', part: 'front' },
];

export function otherSource(): fc.Arbitrary<PacketDefect> {
  return fc.constantFrom(...otherSources);
}
