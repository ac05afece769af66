import type { AhAttr } from '../../../spec/verbs.ts';
import { isGid } from '../../../wire/index.ts';
import { addressOfGid } from './port/addressing.ts';

/** Where the packets of a QP go. */
export interface Path {
  /** peer's address as text, the form of decoded packets */
  ip: string;
  version: 4 | 6;
  trafficClass: number;
  hopLimit: number;
  flowLabel: number;
}

/** Where one packet goes: a path, and the QP at its end. */
export interface Destination {
  readonly remote: Path | undefined;
  readonly destQp: number;
  readonly srcPort: number;
}

/** UDP source port of a flow: constant, and the same in both directions, as entropy for ECMP. */
export function sourcePort(a: number, b: number): number {
  const mixed = Math.imul(a, b) ^ (a + b);
  return 0xc000 | ((mixed ^ (mixed >>> 14)) & 0x3fff);
}

/** The path of an address handle; `undefined` where its GID is none. */
export function pathOf(ah: AhAttr): Path | undefined {
  if (!isGid(ah.dgid)) return undefined;
  const ip = addressOfGid(ah.dgid);
  return {
    ip,
    version: ip.includes(':') ? 6 : 4,
    trafficClass: ah.traffic_class ?? 0,
    hopLimit: ah.hop_limit ?? 64,
    flowLabel: ah.flow_label ?? 0,
  };
}
