import type { DamagedPart } from '../adapters/fault-wire/index.ts';

/**
 * PSN symbol: `next` is the responder's expected PSN as far as the answers seen so far tell, `start` the first one of the
 * connection. The payload of a packet with `start` is a function of its PSN, so that a copy is the same.
 */
export type PsnPlan = { from: 'next' | 'start'; offset: number };

/** A crafted request. Symbols such as `next` are resolved when it is sent. */
export interface PacketPlan {
  /** operation name of the constants, e.g. SEND_ONLY; or a number for reserved opcodes (whole byte) */
  operation: string | number;
  psn: PsnPlan;
  ackReq: boolean;
  solicited?: boolean;
  /** payload bytes: a count, or in units of the path MTU plus a remainder */
  payload: { mtus: number; bytes: number };
  /** RETH / AtomicETH target; offset may lie outside the region */
  target?: {
    region: number;
    offset: number;
    length: number;
    /** `local`: the L_Key of the region, which opens nothing to others where it is another number */
    rkey?: 'good' | 'bad' | 'local';
    /** by the key of a memory window, in place of that of the region */
    window?: number;
    /** region and window are those of another scenario on the device, by its number as in `order`; absent: its own */
    of?: number;
    /** by the place and the key that the region had before ibv_rereg_mr changed it last, or the key that the window had before the last binding */
    former?: true;
  };
  atomic?: { compare: string; swapOrAdd: string };
  immediate?: number;
  /** SEND with invalidate: the region whose R_Key it names, or the memory window; `none`: an R_Key that there is not. Default: 0 */
  invalidate?: number | { window: number } | 'none';
  /** out-of-order QPs: what the OOETH says; absent: offset 0 and no numbers */
  place?: PlacePlan;
  /** UD: Q_Key of the DETH; default: that of the DUT's QP */
  qkey?: number;
  /** UD: QP of the far end that the packet comes from; default: the peer's */
  source?: 'second';
  /** sent from and to the addresses of the other IP version: an alternate path */
  path?: 'other-ip';
  /** ECN bits of the IP header; default 0 */
  ecn?: 0 | 1 | 2 | 3;
  /** header defects; absent: sound */
  defect?: PacketDefect;
}

/** Where a packet belongs: numbers of the receive WQE and of the READ or ATOMIC, and the offset of its payload. */
export interface PlacePlan {
  recvWqe?: number;
  readWqe?: number;
  offset: { mtus: number; bytes: number };
}

/** One response of a scripted peer. MSN, data and credits are those of a conformant responder where nothing else is given. */
export interface ResponsePlan {
  reply: Reply;
  psn: ResponsePsn;
  /** out-of-order QPs: an Acknowledge acknowledges this packet selectively, too */
  selective?: ResponsePsn;
  /** added to the MSN that a conformant responder would send */
  msnOffset?: number;
  /** sent from and to the addresses of the other IP version: an alternate path */
  path?: 'other-ip';
  /** ECN bits of the IP header; default 0 */
  ecn?: 0 | 1 | 2 | 3;
  /** header defects; absent: sound */
  defect?: PacketDefect;
}

/** One answer of a scripted peer. */
export type Reply =
  /** AETH syndrome 0x1f: no credits reported */
  | { kind: 'ack' }
  /** NAK code 0..31, reserved ones included */
  | { kind: 'nak'; code: number }
  /** RNR timer code 0..31 */
  | { kind: 'rnr'; timer: number }
  /** whole AETH syndrome byte of an Acknowledge */
  | { kind: 'syndrome'; value: number }
  /**
   * READ response. `position` is by default what fits the PSN and the newest READ request for it; the payload is what the
   * region holds there, or bytes of the seed `fill`, `bytes` more or fewer than that. Where the PSN belongs to no READ: an
   * Only of 8 bytes.
   */
  | {
      kind: 'read';
      position?: 'FIRST' | 'MIDDLE' | 'LAST' | 'ONLY';
      bytes?: number;
      fill?: number;
      /** out-of-order QPs: which packet of the answer, from 0; the PSN is that of the request */
      index?: number;
    }
  /** CNP for the DUT's QP, or for another number; its PSN is 0 whatever the plan says */
  | { kind: 'cnp'; qp?: 'nobody'; ecn?: 0 | 1 | 2 | 3 }
  /** ATOMIC ACK; `value` is by default a function of the work request */
  | { kind: 'atomic'; value?: string }
  /** any other opcode byte of the RC service or beyond, with the headers it calls for */
  | { kind: 'opcode'; value: number };

/**
 * PSN of a response. `wr`: the first PSN of the n-th work request posted (from 0); `wr-end`: its last PSN, READ responses
 * included; `newest`: the newest PSN that the DUT has used so far, READ responses included; `oldest`: the oldest PSN that
 * the responses so far do not acknowledge; `start`: the first PSN of the connection. `offset` is added.
 */
export type ResponsePsn =
  | { from: 'wr' | 'wr-end'; wr: number; offset: number }
  | { from: 'newest' | 'oldest' | 'start'; offset: number };

/** What is wrong with the header of a crafted packet; one defect at a time. */
export type PacketDefect =
  | { kind: 'icrc' }
  | { kind: 'tver'; value: number }
  | { kind: 'pkey'; value: number }
  | { kind: 'dest-qp' }
  /** another source address, which differs at its end, or at its front */
  | { kind: 'source-ip'; part?: 'front' }
  /** the destination address is that of a neighbour of the DUT */
  | { kind: 'dest-ip' }
  | { kind: 'service'; service: 'RC' | 'UC' | 'UD' | 'RD' | 'XRC' }
  | { kind: 'pad'; value: number }
  | { kind: 'short' }
  /** in the Ethernet, IP or UDP header: the trace holds a frame, and no packet */
  | { kind: 'frame'; part: DamagedPart }
  /** latitude: fields that a receiver must ignore */
  | {
      kind: 'ignored';
      field:
        | 'resv6'
        | 'resv7'
        | 'fecn'
        | 'becn'
        | 'traffic-class'
        | 'flow-label'
        | 'hop-limit'
        | 'src-port'
        | 'mig-req';
    }
  /**
   * nothing: what else a header may hold. The UDP checksum, which is the right one; a source port that no operating system gives away by itself;
   * the P_Key of a limited member, whom a full one may talk to
   */
  | { kind: 'unusual'; field: 'udp-checksum' | 'low-src-port' | 'limited-member' };
