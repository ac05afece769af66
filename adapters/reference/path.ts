import type { AhAttr } from '../../spec/verbs.ts';
import { addressOfGid } from './addressing.ts';

/** Where the packets of a QP go. */
export interface Path {
  /** peer's address as text, the form of decoded packets */
  ip: string;
  version: 4 | 6;
  trafficClass: number;
  hopLimit: number;
  flowLabel: number;
}

/** The path of an address handle; `undefined` where its GID is none. */
export function pathOf(ah: AhAttr): Path | undefined {
  if (!/^[0-9a-f]{32}$/i.test(ah.dgid)) return undefined;
  const ip = addressOfGid(ah.dgid);
  return {
    ip,
    version: ip.includes(':') ? 6 : 4,
    trafficClass: ah.traffic_class ?? 0,
    hopLimit: ah.hop_limit ?? 64,
    flowLabel: ah.flow_label ?? 0,
  };
}
