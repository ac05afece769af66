import type {
  DamagedPart,
  PacketClass,
  WireAction,
  WireFault,
  WireMatch,
} from '../adapters/fault-wire/index.ts';
import type { SwitchPlan } from '../spec/congestion.ts';
import type { AccessFlag, PathMtu, QpAttr, QpState, WrOpcode } from '../spec/verbs.ts';
import type { PacketPlan, ResponsePlan } from './packet-plans.ts';

/**
 * One experiment as plain data: no functions, JSON-able (64-bit values are decimal strings). The two ends are named
 * by their role; `dut` says which of them is the device under test, so that a test's mirrored twin is the same
 * data with the other role.
 */
export interface Scenario {
  version: 1;
  dut: Role;
  /**
   * Far end of a DUT as requester. Absent: the reference NIC, which answers by itself. `scripted`: nobody answers but the
   * steps `respond`; requests are seen and dropped. `same-device`: both ends are QPs of the device under test, whose
   * packets to itself nobody sees; both are judged.
   */
  peer?: 'scripted' | 'same-device';
  /** service of the QPs; absent: RC */
  service?: 'RC' | 'UC' | 'UD';
  /** QPs of both ends place packets out of order; only where the device has the capability `ooo` */
  ooo?: true;
  /** a switch between the two ends, on the way to the responder */
  path?: SwitchPlan;
  /** other scenarios at the same time, on QPs of their own of the same device; absent: none */
  beside?: BesidePlan;
  /** entries of each CQ of the DUT; absent: more than the scenario can fill */
  cqe?: number;
  /** a CQ each for send and receive queue of the DUT; absent: one for both */
  cqs?: 'apart';
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

/** Scenarios that share a device with another one, and how their steps interleave. */
export interface BesidePlan {
  /** none has a `path`, talks to its own device, or has others beside it; the scenario itself neither talks to its own device */
  members: Member[];
  /** whose step comes next: 0 is the scenario itself, 1 the first member. At the end of the list all take turns. */
  order: number[];
  /** what the QPs of the DUT have in common; absent: nothing */
  share?: SharedObject[];
}

export type Member = Omit<Scenario, 'beside' | 'path' | 'peer'> & { peer?: 'scripted' };
/** `srq`: receive queue of those that have an SRQ, and with it the PD of all */
export type SharedObject = 'pd' | 'cq' | 'srq';

/** The role in which a scenario tries the device. */
export type Role = 'requester' | 'responder';

/** Attributes of the QPs at both ends of a scenario. */
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
  /** UD: Q_Key of the QP; absent: 0x11111111 */
  qkey?: number;
  /** queues of the QP, where a scenario wants them small; absent: as large as the scenario needs */
  maxSendWr?: number;
  maxRecvWr?: number;
  maxSge?: number;
  /** it is on another PD than its SRQ, which is on that of the memory of its receive work requests */
  ownDomain?: true;
  /** traffic class, hop limit and flow label of its paths; only where the device has the capabilities of these names */
  route?: RoutePlan;
  /** likewise of its alternate path; absent: as of the other */
  alternateRoute?: RoutePlan;
  /** ids of its work requests take more than 32 bits */
  wideIds?: true;
  /** the first work request of this queue has the id 0, where the QP is the first of its device */
  zeroId?: 'send' | 'receive';
  /** every work request of its send queue completes (sq_sig_all), signaled or not */
  sqSigAll?: true;
  /**
   * address of the last byte of the memory of its work requests, the last one of a page: each region of it ends there, or begins at 0 where it is
   * longer. Only where the device has the capability `iova`, and no data are inline
   */
  lastByte?: string;
  /**
   * address of the first byte of the memory of its work requests: each region of it begins there. Only where the device has the capability
   * `iova-in-page`, and no data are inline
   */
  firstByte?: string;
}

/** What a path asks of the IP headers of its packets; what is absent is 0, and the hop limit 64. */
export interface RoutePlan {
  trafficClass?: number;
  hopLimit?: number;
  flowLabel?: number;
}

/** A memory region of the responder, which requests aim at. */
export interface RegionPlan {
  length: number;
  access: AccessFlag[];
  /** bytes are a function of this seed, so that every byte of every region differs from its neighbours */
  fill: number;
  /** true: registered on another PD than the QP's */
  foreignPd?: boolean;
  /** where no device backs it: a multiple of 2^32 lies two path MTUs behind its beginning */
  straddles?: true;
  /**
   * its address; a device that backs it has the capability `iova`, and `iova-in-page` where it is no multiple of 4096. Absent: the device
   * chooses
   */
  iova?: string;
}

/**
 * One step of a scenario: a verbs call, a packet, or a wait. A call with `midway` is made at once, whatever is under way at the DUT; others
 * of its kind wait until the DUT is at rest.
 */
export type Step =
  | {
      do: 'post_recv';
      length: number;
      /** sge's key made invalid: a local fault of the responder */ badLkey?: boolean;
      /** what is wrong with the scatter list, in the last element */
      localFault?: LocalFault;
      /** scatter elements that the length is spread over, each in a region of its own; default 1 */
      sges?: number;
      /** end whose receive queue takes it; default: the responder */
      at?: Role;
      /** to the QP's own receive queue, also where it is on an SRQ */
      own?: true;
      /** its buffer is that of the receive before, as far as that goes */
      again?: true;
      /** in one list with the next step, where that posts to the same queue and the device takes lists */
      linked?: true;
      midway?: true;
    }
  /** the DUT's shared receive queue: its limit is armed, or its size changed */
  | { do: 'modify_srq'; limit?: number; maxWr?: number }
  | { do: 'query_srq' }
  /** the DUT's CQ is to tell of the next completion: that of the send queue, or of the receive queue where it has one of its own */
  | { do: 'req_notify_cq'; queue: 'send' | 'receive'; solicitedOnly?: true }
  /** the DUT is asked for another size of a CQ, as of `req_notify_cq`; nothing where the adapter has no such call */
  | { do: 'resize_cq'; queue: 'send' | 'receive'; cqe: number }
  | { do: 'query_port' }
  /** takes the link of the DUT's port down or up; nothing where the adapter cannot */
  | { do: 'link'; up: boolean; midway?: true }
  | { do: 'query_gid' }
  /** asks for the P_Key of an entry of the DUT's port; `beyond`: counted from the end of the table on. Nothing where the adapter cannot */
  | { do: 'query_pkey'; index: number; beyond?: true }
  /** gives the DUT's port one more address, which no QP uses, or takes it away; nothing where the adapter cannot */
  | { do: 'gid'; present: boolean }
  /** one WR posted by the requester end (reference NIC as peer, or the DUT), or by the end named */
  | { do: 'post_send'; wr: WrPlan; at?: Role; /** as of post_recv */ linked?: true }
  /** one packet made by hand and put on the wire towards the DUT */
  | { do: 'inject'; packet: PacketPlan }
  /** the last injected or transmitted n-th packet from the end (0 = last), once more, byte for byte */
  | { do: 'reinject'; back: number }
  /** one response made by hand and put on the wire to the DUT; for a DUT as requester */
  | { do: 'respond'; packet: ResponsePlan }
  /**
   * Waits until the DUT has sent `packets` more request packets (as responder: packets) than all earlier `await` steps waited for, or
   * `us` are over. After a time-out and after `settle`, counting begins with what is sent from then on.
   */
  | { do: 'await'; packets: number; us: number }
  /** waits until the newest work request of the DUT as requester has completed, or `us` are over; an unsignaled one may never */
  | { do: 'finish'; us: number }
  /** waits for what a conformant device does without waiting for a timer of its own */
  | { do: 'settle' }
  | { do: 'sleep'; us: number }
  /**
   * `state` with the attributes that the plan of the QP calls for; `attr` adds and overrides, `omit` leaves out. Without
   * `state`, only `attr`. `followed`: until the QP is in RESET again, the steps go by the path MTU and the first PSN of `attr`.
   */
  | {
      do: 'modify_qp';
      at: Role;
      state?: QpState;
      attr?: AttrPlan;
      omit?: (keyof QpAttr)[];
      midway?: true;
      followed?: true;
    }
  /** asks the DUT for the attributes of its QP */
  | { do: 'query_qp' }
  /** asks the DUT what it is able to do; nothing where the adapter has no such call */
  | { do: 'query_device' }
  /** the DUT is asked for a memory region of `length` bytes with these rights, which it may refuse; nothing else uses it */
  | { do: 'reg_mr'; length: number; access: AccessFlag[] }
  | { do: 'dereg_mr'; region: number; midway?: true }
  /**
   * the DUT is asked to change a region of the scenario, which it may refuse: its rights, its PD (`foreign`: another than that of the QP), or its
   * memory, for other memory of `length` bytes of zeros. Nothing where the adapter has no such call. `midway`: at once, whatever is under way
   */
  | {
      do: 'rereg_mr';
      region: number;
      access?: AccessFlag[];
      pd?: 'own' | 'foreign';
      length?: number;
      midway?: true;
    }
  /**
   * the DUT is asked for a memory window, of type 2 where no type is said, on the PD of the QP or on another; windows are named by the order
   * in which they were asked for, from 0
   */
  | { do: 'alloc_mw'; type?: 'IBV_MW_TYPE_1'; pd?: 'foreign' }
  | { do: 'dealloc_mw'; window: number }
  /** the DUT is asked to destroy its QP, its CQs, its SRQ, all its memory regions or its PD; it may refuse. Nothing is asked of what is gone */
  | { do: 'destroy'; object: 'qp' | 'cq' | 'srq' | 'mr' | 'pd'; midway?: true }
  /** the DUT's buffer of the n-th work request of the scenario (from 0) is overwritten; for data that were sent inline */
  | { do: 'write_buffer'; wr: number; fill: number };

/**
 * Local protection faults of a work request: `lkey` names no region; `rkey` is the R_Key of the region in place of its L_Key, which is no fault
 * where both are one number; `bounds` goes beyond the region's end; `rights` lacks
 * IBV_ACCESS_LOCAL_WRITE where data are to be placed; `foreign-pd`: region of another PD; `deregistered`: it was deregistered.
 */
export type LocalFault = 'lkey' | 'rkey' | 'bounds' | 'rights' | 'foreign-pd' | 'deregistered';

/** Attributes of ibv_modify_qp as plain values; an address handle is named by where it leads. */
export type AttrPlan = Omit<QpAttr, 'qp_state' | 'ah_attr' | 'alt_ah_attr'> & {
  /** `peer`: to the other end, by the scenario's IP version; `other-ip`: to the same end by the other one */
  ah_attr?: 'peer' | 'other-ip';
  alt_ah_attr?: 'peer' | 'other-ip';
};

/** A send work request of a scenario. `region` and `offset` name the memory of the responder. */
export interface WrPlan {
  opcode: WrOpcode;
  length: number;
  region: number;
  offset: number;
  signaled: boolean;
  solicited?: boolean;
  fence?: boolean;
  /** data are copied when the WR is posted; SEND and WRITE only */
  inline?: boolean;
  compare?: string;
  swapOrAdd?: string;
  /** sge's key made invalid: a local fault of the requester */
  badLkey?: boolean;
  /** an rkey that names no region */
  badRkey?: boolean;
  /** what is wrong with the gather (READ, ATOMIC: scatter) list, in the last element */
  localFault?: LocalFault;
  /** elements that the length is spread over, each in a region of its own; default 1 */
  sges?: number;
  /** immediate value; default: one that no other work request of the scenario has */
  immediate?: number;
  /** IBV_WR_BIND_MW: the window, and what it opens of `region` from `offset` on; `length` is 0. One of type 1 is bound by ibv_bind_mw */
  bind?: { window: number; length: number; access: AccessFlag[] };
  /** IBV_WR_LOCAL_INV: the window whose key is taken away; `length` is 0 */
  ends?: number;
  /** how often the elements are named in the list, one after the other: a long message of little memory; default 1 */
  repeat?: number;
  /** its memory is that of the work request before, as far as that goes */
  again?: true;
  /** number in the field `opcode` in place of the one that the name stands for */
  rawOpcode?: number;
  /** UD: Q_Key sent; default: that of the peer's QP */
  qkey?: number;
  /** UD: a QP number that nobody has */
  nobody?: boolean;
  /** UD: by an address handle of the other IP version; default: of the scenario's */
  path?: 'other-ip';
  /** UD: by an address handle that asks for this; default: what the QP's paths ask for */
  route?: RoutePlan;
}

export type {
  PacketDefect,
  PacketPlan,
  PlacePlan,
  PsnPlan,
  Reply,
  ResponsePlan,
  ResponsePsn,
} from './packet-plans.ts';
export type { DamagedPart, PacketClass };
/** Faults of the wire between the two ends, by the shapes that the fault wire takes. */
export type Fault = WireFault;
/** Which packet a fault of the wire is for. */
export type FaultMatch = WireMatch;
/** What the wire does to a packet. */
export type FaultAction = WireAction;
