import type {
  AccessFlag,
  AhAttr,
  AsyncEvent,
  DeviceAttr,
  PortAttr,
  QpAttr,
  QpCap,
  QpType,
  RecvWr,
  SendWr,
  SrqAttr,
  Wc,
} from '../spec/verbs.ts';
import type { CongestionProfile, RateRecord, SwitchPlan } from '../spec/congestion.ts';
import type { OutOfOrderProfile } from '../spec/out-of-order.ts';
import type { Packet } from '../wire/packet.ts';

/** What the recorder of a trace could see. The oracle judges only what follows from it, and says what it could not. */
export interface Sight {
  /**
   * `at-device`: every packet that reached or left the device is in the trace, in that order. `mid-path`: a capture
   * somewhere on the way: what it shows may have been lost before the receiver, in either direction. `none`: no packet is
   * seen at all.
   */
  packets: 'at-device' | 'mid-path' | 'none';
  /** verbs calls, completions and async events are in the trace */
  verbs: boolean;
}

/** What holds for a whole trace: what its recorder could see, its clock, and the device under test. */
export interface TraceHeader {
  sight: Sight;
  clock: 'virtual' | 'real' | 'recorded';
  /** capabilities of the DUT, for rules with `requires:`; absent: unknown, such rules judge only what is seen */
  capabilities?: readonly string[];
  /** addresses of the DUT; absent in a capture, where both ends of every connection are judged */
  dut?: { addresses: readonly string[] };
  /**
   * Of a capture that has lost nothing: addresses of the ends at whose ports it was taken, none: of all. `timeout`: the 5-bit
   * code of their ACK timers, if known.
   */
  complete?: { addresses: readonly string[]; timeout?: number };
  /** of a capture, what opcodes 0xc0 to 0xdf mean: those of docs/reference/out-of-order.md; absent: nothing that is judged */
  vendorOpcodes?: 'ooo';
  /** maximum number of the device's READ/ATOMIC resources etc. */
  limits?: {
    maxDestRdAtomic: number;
    /** smallest effective code of the Local ACK Timeout, default 1 */
    minTimeout?: number;
    /** longest message that it takes, in bytes */
    maxMessageBytes?: number;
  };
  /** congestion control of the DUT as it declares it; absent: only what holds for every device is judged */
  congestion?: CongestionProfile;
  /** the switch that events `hop` tell of; absent: they are not judged */
  path?: SwitchPlan;
  /** out-of-order QPs of the DUT as it declares them */
  outOfOrder?: OutOfOrderProfile;
  /**
   * How well times are known, in nanoseconds; absent: upper bounds of times cannot be judged. `responseTime`: a
   * conformant answer that waits for no timer has been seen by then. `jitter`: the time of a packet from the DUT may be
   * late by as much, so that a gap between two such packets may look shorter by it, and what came after it may stand before it.
   * A gap from a packet to the DUT until one from it never looks shorter than it was.
   */
  timing?: { responseTime: number; jitter: number };
}

/**
 * A verbs call that succeeded, with what it returned. Failed calls are `call-failed`. Handles are those of the adapter.
 * `start` is the time before the call was made, `t` the time it had returned: its effect lies between. Calls are
 * placed in the trace by `t`. Only `post_send` and `req_notify_cq` are placed where they were made, with `t` equal to `start`,
 * since packets of the DUT, or a completion event, may be seen before they return. A list of work requests that one call has posted
 * stands here as a call for each that the device has taken, with `listed`.
 */
export type VerbsCall =
  | {
      call: 'reg_mr';
      pd: number;
      mr: number;
      addr: bigint;
      length: number;
      lkey: number;
      rkey: number;
      access: AccessFlag[];
    }
  | { call: 'dereg_mr'; mr: number }
  /** what is absent stays; `length`: the region has moved to other memory of zeros. `addr` and keys: those that it has then */
  | {
      call: 'rereg_mr';
      mr: number;
      pd?: number;
      access?: AccessFlag[];
      length?: number;
      addr: bigint;
      lkey: number;
      rkey: number;
    }
  /** `type` absent: of type 2 */
  | { call: 'alloc_mw'; pd: number; mw: number; rkey: number; type?: 'IBV_MW_TYPE_1' }
  | { call: 'dealloc_mw'; mw: number }
  | { call: 'write_memory'; mr: number; offset: number; bytes: Uint8Array }
  /** `cqe`: what the device has made room for, and `asked` what was asked for; absent: the device does not tell what it has made */
  | { call: 'create_cq'; cq: number; cqe: number; asked?: number }
  /** `cqe`: what there is room for now, of a refused call what was asked for */
  | { call: 'resize_cq'; cq: number; cqe: number; asked: number }
  | { call: 'req_notify_cq'; cq: number; solicited_only: boolean }
  | {
      call: 'create_srq';
      pd: number;
      srq: number;
      max_wr: number;
      max_sge?: number;
      srq_limit?: number;
      /** as of `create_cq` */
      asked?: { max_wr: number; max_sge: number };
    }
  | { call: 'modify_srq'; srq: number; attr: { max_wr?: number; srq_limit?: number } }
  | { call: 'query_srq'; srq: number; attr: SrqAttr }
  | { call: 'create_ah'; pd: number; ah: number; attr: AhAttr }
  | { call: 'query_port'; attr: PortAttr }
  /** GIDs of the port by index, 32 hex digits each, 0 where an entry is not used */
  | { call: 'query_gid'; gids: string[] }
  | { call: 'query_pkey'; index: number; pkey: number }
  | { call: 'post_srq_recv'; srq: number; wr: RecvWr; listed?: boolean }
  | {
      call: 'create_qp';
      pd: number;
      qp: number;
      qp_num: number;
      qp_type: QpType;
      send_cq: number;
      recv_cq: number;
      srq?: number;
      max_recv_wr: number;
      max_send_wr: number;
      max_send_sge?: number;
      max_recv_sge?: number;
      max_inline_data?: number;
      sq_sig_all?: boolean;
      ooo?: boolean;
      /** as of `create_cq` */
      asked?: QpCap;
    }
  | { call: 'modify_qp'; qp: number; attr: QpAttr }
  | { call: 'query_qp'; qp: number; attr: QpAttr }
  | { call: 'query_device'; attr: DeviceAttr }
  | { call: 'destroy_qp'; qp: number }
  | { call: 'destroy_cq'; cq: number }
  | { call: 'destroy_srq'; srq: number }
  | { call: 'dealloc_pd'; pd: number }
  | { call: 'post_send'; qp: number; wr: SendWr; listed?: boolean }
  | { call: 'post_recv'; qp: number; wr: RecvWr; listed?: boolean };

/** One thing seen at the DUT. `t` in nanoseconds since the start of the trace, never decreasing. */
export type TraceEvent =
  | {
      kind: 'packet';
      t: number;
      direction: 'to-dut' | 'from-dut' | 'unknown';
      packet: Packet;
      number: number;
    }
  /**
   * A frame that is no RoCEv2 packet which a port would take: something in front of the transport headers is wrong
   * (`frameFault` of wire/ says what). From the DUT: only where it is aimed at the port of RoCEv2.
   */
  | { kind: 'frame'; t: number; direction: 'to-dut' | 'from-dut'; frame: Uint8Array }
  | ({ kind: 'call'; t: number; start: number } & VerbsCall)
  | {
      kind: 'call-failed';
      t: number;
      start: number;
      call: string;
      qp?: number;
      errno: number;
      attempted?: VerbsCall;
      /**
       * A list of work requests was to be posted; those in front of `bad_wr` stand before it as calls. `attempted` is the refused one, or
       * the first where the device names none of them. `wr_ids`: of all of them; `bad_wr`: place of the refused one, from 0.
       */
      list?: { wr_ids: number[]; bad_wr?: number };
      /** of rereg_mr: the region is as before; absent: it is not to be used any more */
      kept?: boolean;
    }
  /** `taken`: when it was taken from its CQ, where a judge makes it count from later on; never in a trace */
  | { kind: 'completion'; t: number; cq: number; wc: Wc; taken?: number }
  /** `polled`: when every CQ had been polled empty since; absent: nobody looked before something else happened */
  | { kind: 'async'; t: number; event: AsyncEvent; polled?: number }
  /** a second user context of the device, which owns no object, received an event */
  | { kind: 'second-context'; t: number; event: AsyncEvent }
  /** a completion event of a CQ, as ibv_get_cq_event gives it */
  | { kind: 'cq-event'; t: number; cq: number }
  /** the link of the DUT's port was taken down or up; `start` is the time before, `t` after it was done */
  | { kind: 'link'; t: number; start: number; up: boolean }
  /** the DUT's port was given one more address, or it was taken away; `start` and `t` as of `link` */
  | { kind: 'gid'; t: number; start: number; gid: string; present: boolean }
  /** the DUT's reaction point tells the rate of a QP */
  | { kind: 'rate'; t: number; record: RateRecord }
  /**
   * A packet met the switch on the path. `queued`: bytes in the queue when it came; `ecnIn`, `ecnOut`: its ECN bits before and
   * behind; `paused`: the switch holds its inputs from now on
   */
  | {
      kind: 'hop';
      t: number;
      queued: number;
      bytes: number;
      ecnIn: number;
      ecnOut: number;
      fate: 'forwarded' | 'dropped';
      paused: boolean;
    }
  /** bytes read back from the device's memory; below offset 0 and beyond the region's length: guard bytes, zero at first */
  | { kind: 'memory'; t: number; mr: number; offset: number; bytes: Uint8Array }
  /**
   * The recorder waited until everything that a conformant device still owes without waiting for a timer has been seen:
   * answers on the wire, completions (every CQ was polled empty) and events.
   */
  | { kind: 'settled'; t: number }
  /**
   * From `t` to `until` the device or the recorder may have stood still. What was seen in that time may have happened at any
   * earlier moment of it, and whatever is due by then may be late by as much. Stands in front of all that was seen in it.
   */
  | { kind: 'stall'; t: number; until: number }
  /** the device itself died of what it was given, in the words of the adapter; nothing follows */
  | { kind: 'gone'; t: number; reason: string }
  /** the recorder lost sight (adapter stall, dropped packets): what happened here is unknown */
  | { kind: 'gap'; t: number; reason: string };

/** A trace as the oracle takes it: events may stream. */
export interface Trace {
  header: TraceHeader;
  events: Iterable<TraceEvent>;
}

/** One divergence from one rule. `event` is the index of the event that broke it, in the trace. */
export interface Violation {
  rule: string;
  event: number;
  t: number;
  qp: string;
  expected: string;
  observed: string;
}

/** What judging a trace yields. */
export interface Judgement {
  violations: Violation[];
  /** how often each rule decided something; rules never reached are absent */
  exercised: Map<string, number>;
  /**
   * Of the rules that leave a choice: how often the device was seen to take which, by rule id and in words, e.g.
   * "Acknowledge" and "no response". The last one counts whatever was not seen to go another way.
   */
  observed: Map<string, ReadonlyMap<string, number>>;
  /** what could not be judged, and why, e.g. "receive queue: verbs calls not seen" -> count */
  notJudged: Map<string, number>;
  /** reasons for which a possible violation was not called one */
  inconclusive: string[];
  packets: number;
}
