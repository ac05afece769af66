import type { PacketClass } from './classify.ts';

/** Fault on the wire between the two ends. Plain data, JSON-able: scenarios hold it as it is. */
export interface WireFault {
  direction: Direction;
  match: WireMatch;
  action: WireAction;
}

export type Direction = 'to-responder' | 'to-requester';

export interface WireMatch {
  class?: PacketClass;
  opcode?: number;
  /** PSN relative to the first PSN of the connection's requests; responses carry PSNs of the same space */
  psnOffset?: number;
  /** n-th packet that fits the other criteria, from 0 */
  ordinal?: number;
  /** only the n-th transmission of the packet with that PSN and opcode, from 0 */
  transmission?: number;
}

export type WireAction =
  | { kind: 'drop' }
  | { kind: 'duplicate'; copies: number }
  | { kind: 'delay'; us: number }
  /** keep until that many more packets have passed in that direction: reorder */
  | { kind: 'hold'; packets: number }
  | { kind: 'corrupt'; byte: number; mask: number; repairIcrc: boolean }
  | { kind: 'set-ce' }
  /** something in front of the BTH made wrong, so that no receiver may take it for a RoCEv2 packet */
  | { kind: 'damage'; part: DamagedPart }
  | { kind: 'rewrite'; field: RewriteField; xor: number };

export type RewriteField = 'psn' | 'pkey' | 'destQp' | 'ackReq' | 'syndrome' | 'msn';

/**
 * What in front of the BTH is made wrong: `ip-version` in the IP header's first byte, `ip-length` and `udp-length` longer
 * than the frame, `oversized`: a correct packet longer than any port's MTU. IPv6 has no header checksum: there
 * `ip-checksum` is the payload length.
 */
export type DamagedPart =
  'ethertype' | 'ip-checksum' | 'ip-version' | 'ip-length' | 'udp-port' | 'udp-length' | 'oversized';

/** What became of a packet that met faults, e.g. "delayed by 50 us"; `lost`: it never comes out. */
export interface WireFate {
  what: string;
  lost: boolean;
}
