import type {
  AccessFlag,
  AsyncEvent,
  AhAttr,
  DeviceAttr,
  MwBind,
  MwType,
  PortAttr,
  QpAttr,
  QpCap,
  QpType,
  RecvWr,
  SendWr,
  SrqAttr,
  Wc,
} from '../spec/verbs.ts';

import type { SwitchFault } from './switch/faults.ts';
import type { CongestionProfile, RateRecord } from '../spec/congestion.ts';
import type { OutOfOrderProfile } from '../spec/out-of-order.ts';

export { AdapterBroken, AdapterUnavailable, DeviceDied, VerbsError } from './errors.ts';

/** What a device declares before the run. `capabilities` are the words that rules name in `requires:`. */
export interface Profile {
  name: string;
  /** e.g. kernel or firmware version, printed in reports */
  version?: string;
  capabilities: readonly Capability[];
  pathMtus: readonly (256 | 512 | 1024 | 2048 | 4096)[];
  ipVersions: readonly (4 | 6)[];
  /** `maxSge`: elements that a list of any of its queues may have, 4 at the least; absent: 16 */
  limits: { maxDestRdAtomic: number; maxMessageBytes: number; maxQps: number; maxSge?: number };
  clock: 'virtual' | 'real' | 'declared';
  /** `none`: benches have no wire, and only scenarios between two QPs of the device can be run */
  wire?: 'none';
  /** nanoseconds within which a conformant answer that waits for no timer has been seen, host stalls included */
  responseTime: number;
  /** smallest code of the Local ACK Timeout that has its own effect, 1..31; smaller ones act like it. Default 1 */
  minTimeout?: number;
  /**
   * nanoseconds by which the recorded departure of a packet of the DUT may be late, because of the recorder or of the way from
   * where the device makes packets to its port: gaps between two of them may look that much shorter than they were, and a packet
   * may be seen behind a call, a completion or a rate record that came after it. Default 0
   */
  wireJitter?: number;
  /** scenarios that may be in flight at a time */
  concurrency: number;
  /** its congestion control, where `capabilities` name `rcm` */
  congestion?: CongestionProfile;
  /** its out-of-order QPs, where `capabilities` name `ooo` */
  outOfOrder?: OutOfOrderProfile;
  /** vendor's documented choices, printed as such */
  choices?: Readonly<Record<string, string | number | boolean>>;
}

/** What a device may be able to do. Rules and properties that need a capability are judged only on devices that declare it. */
export type Capability =
  | 'rc'
  | 'uc'
  | 'ud'
  | 'xrc'
  | 'atomic'
  | 'srq'
  /** QPs of UC may be on an SRQ, which ibv_create_qp(3) lets a device refuse */
  | 'uc-srq'
  | 'apm'
  | 'rcm'
  | 'dcqcn'
  /** reports its rates, by `Bench.onRate`; without it nothing is asked of a reaction point but what other rules ask of a requester */
  | 'rate-reports'
  /** QPs that are created with `ooo` place packets out of order, in the format of docs/reference/out-of-order.md */
  | 'ooo'
  /** out-of-order QPs recover what is lost like IRN, with the cap and the timeouts of `outOfOrder`; without it the recovery is not judged */
  | 'irn'
  /** IBV_SEND_FENCE of out-of-order QPs waits for all earlier work requests; said by `outOfOrder.fencesAll` as well */
  | 'ooo-full-fence'
  | 'send-with-invalidate'
  /** takes a list of several elements for the result of an ATOMIC */
  | 'atomic-lists'
  /** `reg_mr` takes the address of the region */
  | 'iova'
  /** and the address may lie anywhere in a page */
  | 'iova-in-page'
  /** memory windows of type 2, by `alloc_mw` and IBV_WR_BIND_MW */
  | 'memory-windows'
  /** and besides, of type 1, by `bind_mw` */
  | 'memory-windows-1'
  /** `rereg_mr` may change the PD and the rights of a memory region */
  | 'rereg-mr'
  /** and may move it to other memory */
  | 'rereg-mr-translation'
  | 'flush'
  | 'atomic-write'
  /** may answer any request by an RNR NAK, e.g. since memory is paged in on demand */
  | 'rnr-any-request'
  /** raises ACK timeouts below a minimum of its own; said by `minTimeout` above 1 as well */
  | 'min-timeout'
  /** tells nobody how many READs and ATOMICs it takes at a time */
  | 'unknown-limits'
  /** takes more READs and ATOMICs at a time than it declares */
  | 'excess-limits'
  /** brings completion events as `req_notify_cq` asks for them */
  | 'cq-events'
  /** `resize_cq` may change the size of a CQ */
  | 'cq-resize'
  /** destroys QPs, CQs, SRQs and PDs when it is asked to, and not while others need them */
  | 'destroy-calls'
  /** tells what room it has made, by `cq_size`, `query_srq` and the `cap` that `create_qp` gives */
  | 'room-reports'
  /** posts lists of work requests in one call, and tells which one it refused */
  | 'wr-lists'
  /** reports IBV_EVENT_PORT_ACTIVE and IBV_EVENT_PORT_ERR */
  | 'port-events'
  /** reports IBV_EVENT_GID_CHANGE when the GID table of its port changes */
  | 'gid-events'
  /** a second user context, which owns no object, is open beside the one with the QPs, and the bench tells what it receives */
  | 'second-context'
  /** packets have the DSCP of the traffic class of their path */
  | 'traffic-class'
  /** packets have the hop limit of their path; the kernel of a host may set another */
  | 'hop-limit'
  /** IPv6 packets have the flow label of their path */
  | 'flow-label'
  /** the P_Key table of its port has more than one entry */
  | 'pkey-entries'
  /** ibv_modify_srq may change the size of an SRQ */
  | 'srq-resize'
  /** an SRQ of it may fail, which IBV_EVENT_SRQ_ERR reports; most devices never raise it */
  | 'srq-errors'
  /** completes an interrupted UC receive of an SRQ by IBV_WC_REM_ABORT_ERR, since it cannot give the WQE back */
  | 'srq-abort';

/** One device under test. Modules for `--adapter ./mine.ts` export one as default. */
export interface Adapter {
  readonly name: string;
  /**
   * Several devices may be open at a time on a real clock: `open` with `apart` gives one that shares nothing with the others. Says what
   * each takes of this machine, at most.
   */
  readonly apart?: { megabytes: number };
  describe(): Promise<Profile>;
  /** Throws AdapterUnavailable where the device cannot be had on this machine. */
  open(options: OpenOptions): Promise<Bench>;
  /** Ends what `describe` and `open` keep running beyond a bench, such as a process; more may be opened later. */
  close?(): Promise<void>;
}

/** What an adapter gets when its device is opened. */
export interface OpenOptions {
  /** one line of progress for people, e.g. "booting the guest" */
  log?: (line: string) => void;
  signal?: AbortSignal;
  /** others of this adapter are open at the same time */
  apart?: true;
}

/** A device opened for a run: its verbs, the wire that ends at its port, and the clock both are on. */
export interface Bench {
  readonly profile: Profile;
  readonly clock: Clock;
  readonly verbs: Verbs;
  /** absent where packets cannot be seen */
  readonly wire?: Wire;
  /** Takes the link of the DUT's port down or up; absent where the adapter cannot. */
  readonly setLink?: (up: boolean) => Promise<void>;
  /**
   * Gives the DUT's port one more address, or takes it away again; gives its GID, 32 hex digits. No connection uses it. Absent where
   * the adapter cannot.
   */
  readonly setGid?: (present: boolean) => Promise<string>;
  /**
   * Sends something along the way of the packets that the machine of the DUT answers at once, whatever the DUT does; resolves when
   * the answer is here, or that to a later call. Absent where there is no such thing. Tells a late device from a stalled machine.
   */
  readonly echo?: () => Promise<void>;
  /** Why the device can no longer be used; `undefined` while it can. Absent where only calls that fail tell. */
  readonly failure?: () => Error | undefined;
  /**
   * A line that the machine of the device logs, such as a warning of its kernel; `time`: of the clock, when it was read. Absent where its
   * log cannot be seen.
   */
  readonly onLog?: (listener: (text: string, time: number) => void) => void;
  /** What is wrong with the switch that paths of scenarios lead through; absent: it is sound. */
  readonly switchFault?: SwitchFault;
  /** The reaction point's own account of each QP's rate, as it changes; absent where the device keeps none. */
  readonly onRate?: (listener: (record: RateRecord, time: number) => void) => void;
  readonly dut: Endpoint;
  /** addresses that the peer on the wire should use; the device can already reach them */
  readonly peer: Endpoint;
  close(): Promise<void>;
}

/** Addresses of one end of the link. */
export interface Endpoint {
  mac: string;
  ipv4?: string;
  ipv6?: string;
  /** index of the GID of each IP version, for ah_attr.sgid_index */
  gidIndex: { ipv4?: number; ipv6?: number };
}

/** Nanoseconds since the bench opened. */
export interface Clock {
  readonly kind: 'virtual' | 'real';
  now(): number;
  /** Resolves when `ns` have passed; a virtual clock runs everything due until then first, in order. */
  sleep(ns: number): Promise<void>;
  /** Of a virtual clock that can tell: when the next timer fires, and nothing happens before; `undefined` if none is set. */
  nextTimer?(): number | undefined;
  setTimer(ns: number, fire: () => void): Timer;
}

/** A timer that is set. */
export interface Timer {
  cancel(): void;
}

/** Raw Ethernet frames to and from the device's port. */
export interface Wire {
  send(frame: Uint8Array): void;
  /** Frames that the device sent, with the clock's time. One listener; set it before anything is sent. */
  onFrame(listener: (frame: Uint8Array, time: number) => void): void;
}

/** Bytes on either side of every region that belong to nobody, so that a write beyond its bounds is seen. */
export const guardBytes = 64;

/** A memory region as ibv_reg_mr gives it. `mr` is its handle. */
export interface RegisteredMr {
  mr: number;
  addr: bigint;
  lkey: number;
  rkey: number;
}

/** What ibv_rereg_mr is to change of a memory region; what is absent stays. */
export interface MrChange {
  pd?: number;
  access?: AccessFlag[];
  /** the region moves to other memory of `length` bytes, zeroed, with `guardBytes` on either side; a region that moves leaves its old memory */
  length?: number;
}

/** A memory window as ibv_alloc_mw gives it. `mw` is its handle. */
export interface AllocatedMw {
  mw: number;
  rkey: number;
}

/**
 * The part of libibverbs that tests need, by its names. Objects are numbers chosen by the adapter. A call that libibverbs
 * would fail rejects with VerbsError. Memory belongs to the adapter: reg_mr allocates it, page-aligned and zeroed, with
 * `guardBytes` of its own on either side that are zeroed and not registered: read_memory shows them as offsets below 0 and
 * from `length` on.
 */
export interface Verbs {
  /** Absent where the adapter has no such call. */
  readonly query_device?: () => Promise<DeviceAttr>;
  /** Of the DUT's port. Absent where the adapter has no such call, as are the four that follow. */
  readonly query_port?: () => Promise<PortAttr>;
  /**
   * GIDs of the DUT's port by index, 32 hex digits each, as ibv_query_gid gives them; of a long table the first ones. An entry that is not
   * used is 0.
   */
  readonly query_gid?: () => Promise<string[]>;
  /** The P_Key that an entry of the port's table holds, 16 bits. Absent where the adapter has no such call. */
  readonly query_pkey?: (index: number) => Promise<number>;
  readonly query_srq?: (srq: number) => Promise<SrqAttr>;
  readonly create_ah?: (args: { pd: number; attr: AhAttr }) => Promise<number>;
  readonly destroy_ah?: (ah: number) => Promise<void>;
  alloc_pd(): Promise<number>;
  dealloc_pd(pd: number): Promise<void>;
  /**
   * `iova`: address by which work requests and packets name the region, as ibv_reg_mr_iova takes it; only where the device has the
   * capability `iova`. A multiple of 4096, unless it has `iova-in-page` as well: its memory then begins at the same place of a page. No inline data are asked for from such a region.
   */
  reg_mr(args: { pd: number; length: number; access: AccessFlag[]; iova?: bigint }): Promise<RegisteredMr>;
  dereg_mr(mr: number): Promise<void>;
  /**
   * Gives the place and the keys that the region has then. A refusal says by `VerbsError.kept` whether the region is as before; where
   * libibverbs says that the new region is valid (IBV_REREG_MR_ERR_DO_FORK_OLD), that is no refusal. Absent where the adapter has no such call.
   */
  readonly rereg_mr?: (mr: number, change: MrChange) => Promise<Omit<RegisteredMr, 'mr'>>;
  /** A memory window, not bound, with the R_Key that it has at first. Absent where the adapter has no such call. */
  readonly alloc_mw?: (pd: number, type: MwType) => Promise<AllocatedMw>;
  readonly dealloc_mw?: (mw: number) => Promise<void>;
  /**
   * Posts a request to bind a window of type 1, as ibv_bind_mw does; gives the R_Key that the window has when the request has completed. Absent
   * where the adapter has no such call.
   */
  readonly bind_mw?: (qp: number, bind: MwBind) => Promise<number>;
  read_memory(mr: number, offset: number, length: number): Promise<Uint8Array>;
  write_memory(mr: number, offset: number, bytes: Uint8Array): Promise<void>;
  /** Makes room for at least `cqe` completions. */
  create_cq(args: { cqe: number }): Promise<number>;
  /** How many completions the device has made room for. Absent where that is what was asked for. */
  readonly cq_size?: (cq: number) => Promise<number>;
  /** Makes room for at least `cqe` completions; gives how many there is room for now. Absent where the adapter has no such call. */
  readonly resize_cq?: (cq: number, cqe: number) => Promise<number>;
  destroy_cq(cq: number): Promise<void>;
  poll_cq(cq: number, max: number): Promise<Wc[]>;
  /**
   * Arms one CQ event: onCqEvent fires once when the next completion arrives; `solicitedOnly`: the next one that is an error, or the
   * receive of a message that was sent with IBV_SEND_SOLICITED.
   */
  req_notify_cq(cq: number, solicitedOnly?: boolean): Promise<void>;
  onCqEvent(listener: (cq: number, time: number) => void): void;
  create_srq(args: { pd: number; max_wr: number; max_sge: number; srq_limit?: number }): Promise<number>;
  modify_srq(srq: number, attr: { max_wr?: number; srq_limit?: number }): Promise<void>;
  destroy_srq(srq: number): Promise<void>;
  /** `next`: as for `post_send`. */
  post_srq_recv(srq: number, wr: RecvWr, next?: readonly RecvWr[]): Promise<void>;
  /** `cap`: the room that the device has made, at least what was asked for; absent where that is all. */
  create_qp(args: {
    pd: number;
    qp_type: QpType;
    send_cq: number;
    recv_cq: number;
    srq?: number;
    cap: QpCap;
    sq_sig_all?: boolean;
    /** places packets out of order; only where the device has the capability `ooo` */
    ooo?: boolean;
  }): Promise<{ qp: number; qp_num: number; cap?: QpCap }>;
  modify_qp(qp: number, attr: QpAttr): Promise<void>;
  query_qp(qp: number): Promise<QpAttr>;
  destroy_qp(qp: number): Promise<void>;
  /**
   * Posts a list: `wr`, and behind it those of `next`, which only a device with the capability `wr-lists` is given. The first one that
   * is refused ends it; `VerbsError.badWr` says which.
   */
  post_send(qp: number, wr: SendWr, next?: readonly SendWr[]): Promise<void>;
  /** `next`: as for `post_send`. */
  post_recv(qp: number, wr: RecvWr, next?: readonly RecvWr[]): Promise<void>;
  /** Async events of the device, as they come. */
  onAsyncEvent(listener: (event: AsyncEvent, time: number) => void): void;
  /** What a second user context receives, which owns no object. Absent where none is open. */
  readonly onSecondContextEvent?: (listener: (event: AsyncEvent, time: number) => void) => void;
}
