import type { PacketClass, WireAction, WireFault, WireMatch } from '../adapters/fault-wire/index.ts';
import type { AccessFlag, PathMtu, QpState, WrOpcode } from '../spec/verbs.ts';

/**
 * One experiment as plain data: no functions, JSON-able (64-bit values are decimal strings). The two ends are named
 * by their role; `dut` says which of them is the device under test, so that a test's mirrored twin is the same
 * data with the other role.
 */
export interface Scenario {
  version: 1;
  dut: Role;
  ip: 4 | 6;
  mtu: PathMtu;
  requester: QpPlan;
  responder: QpPlan;
  /** memory of the responder that requests aim at; region i is named by its index */
  regions: RegionPlan[];
  /** receive queue of the responder: an own one, or an SRQ */
  srq: boolean;
  steps: Step[];
  faults: Fault[];
}

export type Role = 'requester' | 'responder';

export interface QpPlan {
  /** first PSN that this end sends requests with (its sq_psn, the other end's rq_psn) */
  startPsn: number;
  access: AccessFlag[];
  /** READ and ATOMIC requests it takes at a time, as responder (0..16) */
  maxDestRdAtomic: number;
  maxRdAtomic: number;
  minRnrTimer: number;
  timeout: number;
  retryCnt: number;
  rnrRetry: number;
}

export interface RegionPlan {
  length: number;
  access: AccessFlag[];
  /** bytes are a function of this seed, so that every byte of every region differs from its neighbours */
  fill: number;
  /** true: registered on another PD than the QP's */
  foreignPd?: boolean;
}

export type Step =
  | {
      do: 'post_recv';
      length: number;
      /** sge's key made invalid: a local fault of the responder */ badLkey?: boolean;
    }
  /** one WR posted by the requester end (reference NIC as peer, or the DUT) */
  | { do: 'post_send'; wr: WrPlan }
  /** one packet made by hand and put on the wire towards the DUT */
  | { do: 'inject'; packet: PacketPlan }
  /** the last injected or transmitted n-th packet from the end (0 = last), once more, byte for byte */
  | { do: 'reinject'; back: number }
  | { do: 'settle' }
  | { do: 'sleep'; us: number }
  | { do: 'modify_qp'; at: Role; state: QpState }
  | { do: 'dereg_mr'; region: number };

export interface WrPlan {
  opcode: WrOpcode;
  length: number;
  region: number;
  offset: number;
  signaled: boolean;
  solicited?: boolean;
  compare?: string;
  swapOrAdd?: string;
}

/** PSN symbol: `next` is the responder's expected PSN as far as the answers seen so far tell. */
export type PsnPlan = { from: 'next'; offset: number };

export interface PacketPlan {
  /** operation name of the constants, e.g. SEND_ONLY; or a number for reserved opcodes (whole byte) */
  operation: string | number;
  psn: PsnPlan;
  ackReq: boolean;
  solicited?: boolean;
  /** payload bytes: a count, or in units of the path MTU plus a remainder */
  payload: { mtus: number; bytes: number };
  /** RETH / AtomicETH target; offset may lie outside the region */
  target?: { region: number; offset: number; length: number; rkey?: 'good' | 'bad' };
  atomic?: { compare: string; swapOrAdd: string };
  immediate?: number;
  /** header defects; absent: sound */
  defect?: PacketDefect;
}

export type PacketDefect =
  | { kind: 'icrc' }
  | { kind: 'tver'; value: number }
  | { kind: 'pkey'; value: number }
  | { kind: 'dest-qp' }
  | { kind: 'source-ip' }
  | { kind: 'service'; service: 'UC' | 'UD' | 'RD' | 'XRC' }
  | { kind: 'pad'; value: number }
  | { kind: 'short' }
  /** latitude: fields that a receiver must ignore */
  | {
      kind: 'ignored';
      field: 'resv6' | 'resv7' | 'fecn' | 'becn' | 'traffic-class' | 'hop-limit' | 'src-port' | 'mig-req';
    };

export type { PacketClass };
/** Faults of the wire between the two ends, by the shapes that the fault wire takes. */
export type Fault = WireFault;
export type FaultMatch = WireMatch;
export type FaultAction = WireAction;
