/** What a header is in front of, as the header before it says. */
export type Protocol =
  'ethernet' | 'ipv4' | 'ipv6' | 'mpls' | 'vxlan' | 'geneve' | 'gre' | 'erspan1' | 'erspan2' | 'erspan3';

/** A header, or a packet, within the bytes of a captured frame. */
export interface Place {
  protocol: Protocol;
  /** offset of its first byte */
  at: number;
  /** where it ends by the lengths around it; may lie beyond the bytes that were captured */
  end: number;
  /** offset of the Ethernet header that the packet travels behind, if there is one */
  ethernet?: number;
  /** control information of the VLAN tag next to the packet, 16 bits */
  tci?: number;
}

/** What one layer says: where the next one begins, or why it holds none. */
export type Step =
  | (Place & {
      /** what was left behind, e.g. `VXLAN`; absent where that is no tunnel */
      tunnel?: string;
      /** the network that addresses within belong to, e.g. `VXLAN 5` */
      network?: string;
      /** the rest may not be all of it: a fragment, or a mirror that cuts */
      partial?: boolean;
    })
  | { none: string }
  | { cut: string; need: number };

/** Reads one layer. Looks at no byte beyond `place.end` and `bytes.length`, and never throws. */
export type Layer = (bytes: Uint8Array, place: Place) => Step;

/** Why `bytes` bytes of a header are not there; undefined if they are. */
export function missing(
  bytes: Uint8Array,
  { at, end }: Place,
  length: number,
  what: string,
): Step | undefined {
  if (end < at + length) return { none: `too short for ${what}` };
  if (bytes.length < at + length) return { cut: what, need: at + length };
  return undefined;
}
