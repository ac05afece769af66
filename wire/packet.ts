import type { OpcodeInfo } from '../spec/constants.ts';

/**
 * Out-of-order extension header of the requests and responses of an out-of-order QP: where the packet belongs, whatever came
 * before it. `recvWqeSn` and `readWqeSn` mean something only where `flags` has their bit (`ooethFlags`), and are 0 elsewhere.
 * Byte by byte in docs/reference/out-of-order.md.
 */
export interface Ooeth {
  /** 8 bits */
  flags: number;
  /** 24 bits: number of the receive WQE that the message consumes */
  recvWqeSn: number;
  /** 24 bits: number of the READ or ATOMIC among those of its QP */
  readWqeSn: number;
  /** 32 bits: where the payload begins within the message's data, in bytes */
  offset: number;
}

/** Flags of the OOETH: which of its two numbers are set. */
export const ooethFlags = { recvWqe: 0x01, readWqe: 0x02 } as const;

/** Selective acknowledgement extension header of an Acknowledge. */
export interface Saeth {
  /** 8 bits, `saethFlags` */
  flags: number;
  /** 24 bits: PSN of the request packet that caused this Acknowledge */
  trigger: number;
}

/** `selective`: packet `trigger` has arrived and is kept, although one in front of it is missing */
export const saethFlags = { selective: 0x01 } as const;

/**
 * Everything that a RoCEv2 frame says, as plain data; what encode() takes. Only `opcode`, `destQp` and `psn` have no
 * default. Extension headers that the opcode calls for but are absent here are written as zeros; those that it has
 * no room for are left out. Defaults not named below: false, 0; MAC 02:00:00:00:00:01 to ..:02, addresses 10.0.0.1
 * to 10.0.0.2 (fd00::1 to fd00::2 where the other address is IPv6), source port 0xc000.
 */
export interface PacketFields {
  // Ethernet. MAC addresses as "02:00:00:00:00:01".
  dstMac?: string;
  srcMac?: string;
  /** 802.1Q tag control information (PCP, DEI, VID) */
  vlanTci?: number;
  /** the same of an 802.1ad service tag (ethertype 0x88a8) in front of it; where that was read, of any tag in front of it */
  serviceTci?: number;
  // IP; the version follows from the form of the addresses ("10.0.0.1" or "fd00::1").
  srcIp?: string;
  dstIp?: string;
  /** DSCP in the upper six bits, ECN in the lower two (IPv4 TOS, IPv6 traffic class) */
  trafficClass?: number;
  /** IPv4 TTL, IPv6 hop limit; default 64 */
  hopLimit?: number;
  /** IPv4 identification */
  ipId?: number;
  /** IPv4 don't fragment; default true */
  dontFragment?: boolean;
  /** IPv6, 20 bits */
  flowLabel?: number;
  // UDP
  srcPort?: number;
  udpChecksum?: number;
  // BTH
  /** whole opcode byte, service included */
  opcode: number;
  solicited?: boolean;
  /** default true: a QP in Migrated state sends 1 */
  migReq?: boolean;
  /** 0..3; default: what the payload length calls for */
  padCount?: number;
  tver?: number;
  /** default 0xffff */
  pkey?: number;
  fecn?: boolean;
  /** default false, but true for a CNP */
  becn?: boolean;
  resv6?: number;
  destQp: number;
  ackReq?: boolean;
  resv7?: number;
  psn: number;
  // extension headers
  rdeth?: { eeContext: number };
  /** `reserved`: its reserved byte, absent where that is 0 */
  deth?: { qkey: number; srcQp: number; reserved?: number };
  xrceth?: { srq: number };
  reth?: { va: bigint; rkey: number; dmaLen: number };
  atomicEth?: { va: bigint; rkey: number; swapOrAdd: bigint; compare: bigint };
  aeth?: { syndrome: number; msn: number };
  /** original value, AtomicAckETH */
  atomicOriginal?: bigint;
  immediate?: number;
  invalidateRkey?: number;
  /** FETH: placement type (bits 3:0) and selectivity (bits 5:4) */
  feth?: { placement: number; selectivity: number };
  ooeth?: Ooeth;
  saeth?: Saeth;
  /** default empty, but the 16 reserved zero bytes for a CNP */
  payload?: Uint8Array;
  /** XORed onto the computed ICRC; 0 or absent leaves it right */
  icrcXor?: number;
}

/**
 * One decoded RoCEv2 packet: a lazy view of `frame`. Getters read the bytes when asked; extension header getters give
 * `undefined` where the opcode has no such header. `info` is `undefined` for a reserved opcode, whose bytes after the
 * BTH are then all `payload`.
 */
export interface Packet {
  /** the whole frame from the Ethernet header on, without what lies behind the IP packet */
  readonly frame: Uint8Array;
  readonly info: OpcodeInfo | undefined;
  readonly dstMac: string;
  readonly srcMac: string;
  readonly vlanTci: number | undefined;
  readonly serviceTci: number | undefined;
  readonly ipVersion: 4 | 6;
  /** IPv4 header checksum as computed; true for IPv6, which has none. Captures at a sender may hold it unfilled. */
  readonly ipChecksumOk: boolean;
  readonly srcIp: string;
  readonly dstIp: string;
  /**
   * 4 or 16 bytes each of source and destination, joined, one character 0..255 per byte: cheap key of the pair, the
   * same string object for packets of the same flow
   */
  readonly addressKey: string;
  readonly trafficClass: number;
  readonly ecn: number;
  readonly hopLimit: number;
  readonly ipId: number | undefined;
  readonly dontFragment: boolean | undefined;
  readonly flowLabel: number | undefined;
  readonly srcPort: number;
  readonly udpChecksum: number;
  readonly opcode: number;
  readonly solicited: boolean;
  readonly migReq: boolean;
  readonly padCount: number;
  readonly tver: number;
  readonly pkey: number;
  readonly fecn: boolean;
  readonly becn: boolean;
  readonly resv6: number;
  readonly destQp: number;
  readonly ackReq: boolean;
  readonly resv7: number;
  readonly psn: number;
  readonly rdeth: { eeContext: number } | undefined;
  /** `reserved`: its reserved byte, absent where that is 0 */
  readonly deth: { qkey: number; srcQp: number; reserved?: number } | undefined;
  readonly xrceth: { srq: number } | undefined;
  readonly reth: { va: bigint; rkey: number; dmaLen: number } | undefined;
  readonly atomicEth: { va: bigint; rkey: number; swapOrAdd: bigint; compare: bigint } | undefined;
  readonly aeth: { syndrome: number; msn: number } | undefined;
  /** AETH read without making an object: syndrome in bits 31:24, MSN in 23:0 (unsigned); -1 where there is none */
  readonly aethWord: number;
  readonly atomicOriginal: bigint | undefined;
  readonly immediate: number | undefined;
  readonly invalidateRkey: number | undefined;
  readonly feth: { placement: number; selectivity: number } | undefined;
  readonly ooeth: Ooeth | undefined;
  readonly saeth: Saeth | undefined;
  /** without padding; a view, not a copy. Of a truncated packet: what the capture holds of it */
  readonly payload: Uint8Array;
  /** as the UDP length says, also where the capture holds less */
  readonly payloadLength: number;
  /** as sent; -1 where a truncated capture does not hold it */
  readonly icrc: number;
  /** computed when first asked; true for a truncated packet, of which nothing says otherwise */
  readonly icrcOk: boolean;
  /**
   * All of it as plain data; encode(fields()) gives the same bytes for a well-formed frame (reserved bits that have no
   * field are zero, the IPv4 checksum is right). A wrong ICRC comes back as `icrcXor`.
   */
  fields(): PacketFields;
}

/**
 * Why a frame is no packet. `truncated`: the capture holds less of it than the headers announce. `sealed`: its ICRC is right, so that its
 * sender made it so.
 */
export type NotPacket =
  | { kind: 'not-roce'; reason: string }
  | { kind: 'truncated'; reason: string; need: number; have: number; packet?: Packet }
  | { kind: 'malformed'; reason: string; sealed?: true };

/** Result of decode(): never an exception, whatever the bytes. */
export type Decoded = { kind: 'packet'; packet: Packet } | NotPacket;
