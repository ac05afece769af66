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
  | { kind: 'rewrite'; field: RewriteField; xor: number };

export type RewriteField = 'psn' | 'pkey' | 'destQp' | 'ackReq' | 'syndrome' | 'msn';
