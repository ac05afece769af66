import type { AccessFlag, PortAttr, QpAttr, QpType, Sge } from '../../spec/verbs.ts';
import type { VerbsCall } from '../trace.ts';
import { addressOf, isOfGroup } from './packet/address.ts';
import { usable, type Memory, type ScatterPart } from './memory.ts';
import type { Stamps } from './packet/stamps.ts';
import type { QpStateName } from './qp-state.ts';
import { ReceiveQueue } from './queues/receive-queue.ts';
import type { Takers } from './queues/takers.ts';

/** Services that the rules speak of. */
export type Service = 'RC' | 'UC' | 'UD';

/** A service with its article, as a sentence needs it: "an RC". */
export function withArticle(service: string): string {
  return `${service.startsWith('R') ? 'an' : 'a'} ${service}`;
}
/** What judges a QP: its service, `ORC` for an out-of-order one of RC; `other`: nothing does. */
export type QpKind = Service | 'ORC' | 'other';

/** What all QPs of a device have in common. */
export interface QpSurroundings {
  readonly memory: Memory;
  /** the trace sees every packet at the device; otherwise any may have been lost beyond the capture */
  readonly atDevice: boolean;
  /** verbs calls, completions and events are in the trace */
  readonly verbs: boolean;
  readonly capabilities: ReadonlySet<string> | undefined;
  /** IP addresses that the device has, or has had; `undefined`: not known */
  readonly addresses?: ReadonlySet<string> | undefined;
  /** what ibv_query_port has said last */
  readonly port?: PortAttr | undefined;
  /** of a capture: how exact its times are */
  readonly stamps?: Stamps;
}

/** A completion queue as software made it. */
export interface Cq {
  readonly handle: number;
  /** infinite where the trace does not tell */
  entries: number;
  readonly qps: Set<Qp>;
}

/** A CQ of which nothing is known. */
export function unknownCq(handle: number): Cq {
  return { handle, entries: Number.POSITIVE_INFINITY, qps: new Set() };
}

/** A shared receive queue as software made it. */
export interface Srq {
  readonly handle: number;
  readonly pd: number;
  /** WQEs that it has room for */
  size: number;
  readonly maxSge: number;
  /** the device has reported these numbers */
  readonly roomReported: boolean;
  /** it was made with a limit */
  readonly limitedAtFirst: boolean;
  readonly posted: ReceiveQueue;
  readonly qps: Set<Qp>;
  /** QPs that were ever on it */
  users: number;
  readonly takers: Takers<Qp>;
}

type CreateQp = Extract<VerbsCall, { call: 'create_qp' }>;

/** What is known of a QP where it does not come from the call that made it. */
interface QpOrigin {
  name?: string;
  pkey?: number;
  attr?: QpAttr;
}

/** Before software says otherwise. */
const nothingGranted: QpAttr = { qp_access_flags: [], max_dest_rd_atomic: 0 };

/**
 * A queue pair as software made and set it. What a machine finds out besides, such as a state that the QP went to by itself, the
 * machine keeps.
 */
export class Qp {
  readonly handle: number;
  /** negative for one that stands for numbers which the device does not have */
  readonly qpNumber: number;
  /** how reports name it, e.g. "qp 0x000011" */
  readonly name: string;
  readonly kind: QpKind;
  readonly type: QpType;
  readonly pd: number;
  /** PD of the memory that its receive WQEs name: that of its SRQ, where it is on one */
  readonly receivePd: number;
  readonly sendCq: Cq;
  readonly receiveCq: Cq;
  readonly srq: Srq | undefined;
  /** work requests, elements and inline bytes that it takes; infinite where the trace does not tell */
  readonly most: { send: number; receive: number; sendSge: number; receiveSge: number; inline: number };
  /** the device has reported these numbers */
  readonly roomReported: boolean;
  /** every send work request asks for a completion */
  readonly signalsAll: boolean;
  /** receive WQEs: those of its SRQ, or its own */
  readonly posted: ReceiveQueue;
  // attributes as software set them last, in this life or before a RESET; undefined, or 0: not seen
  /** number of the QP at the far end, as far as software or packets have shown */
  peerQpNumber: number | undefined;
  access: readonly AccessFlag[] | undefined;
  /** bytes; 0 where none was set, as of UD */
  pmtu = 0;
  qkey: number | undefined;
  maxDestRdAtomic: number | undefined;
  minRnrTimer: number | undefined;
  /** READs and ATOMICs that it may have under way; `undefined`: software has not said */
  maxRdAtomic: number | undefined;
  /** code of the ACK timeout; 0: no timer */
  timeout = 0;
  retryCnt = 0;
  rnrRetry = 0;
  /** state that software put it into last */
  state: QpStateName = 'RESET';
  /** of the far end on the primary path */
  peerAddress: string | undefined;
  /** software has given it an alternate path, in this life or before a RESET */
  mayMigrate = false;
  readonly pkey: number;
  /** a capture does not tell its own: it has one request for it, or some of several partitions */
  anyPartition = false;
  readonly #surroundings: QpSurroundings;

  constructor(
    call: CreateQp,
    surroundings: QpSurroundings,
    queues: Pick<Qp, 'sendCq' | 'receiveCq' | 'srq'>,
    { name = qpName(call.qp_num), pkey = 0xffff, attr = nothingGranted }: QpOrigin = {},
  ) {
    const unknown = Number.POSITIVE_INFINITY;
    this.handle = call.qp;
    this.qpNumber = call.qp_num;
    this.name = name;
    this.kind = kindOf(call);
    this.type = call.qp_type;
    this.pd = call.pd;
    this.sendCq = queues.sendCq;
    this.receiveCq = queues.receiveCq;
    this.srq = queues.srq;
    this.receivePd = queues.srq?.pd ?? call.pd;
    this.most = {
      send: call.max_send_wr,
      receive: call.max_recv_wr,
      sendSge: call.max_send_sge ?? unknown,
      receiveSge: call.max_recv_sge ?? unknown,
      inline: call.max_inline_data ?? unknown,
    };
    this.roomReported = call.asked !== undefined;
    this.signalsAll = call.sq_sig_all === true;
    this.posted = queues.srq?.posted ?? new ReceiveQueue();
    this.pkey = pkey;
    this.#surroundings = surroundings;
    this.set(attr);
  }

  /** Its SRQ, where other QPs take WQEs from it as well, so that nothing but completions tells who has got which. */
  get contested(): Srq | undefined {
    return this.srq !== undefined && this.srq.users > 1 ? this.srq : undefined;
  }

  /** Whether an element of a receive WQE names memory that it may write to. */
  mayReceiveInto(sge: Sge): boolean {
    return usable(this.memory.byLkey(sge.lkey), this.receivePd, sge, true);
  }

  /** Whether it may write to a part of an element, whatever the rest of that names. */
  mayReceiveAt({ sge, region, offset, length }: ScatterPart): boolean {
    return (
      region !== undefined && this.mayReceiveInto({ ...sge, addr: region.addr + BigInt(offset), length })
    );
  }

  /** Whether what becomes of a memory region of this PD may matter to it. */
  reaches(pd: number): boolean {
    return pd === this.pd || pd === this.receivePd;
  }

  get memory(): Memory {
    return this.#surroundings.memory;
  }

  get atDevice(): boolean {
    return this.#surroundings.atDevice;
  }

  get verbs(): boolean {
    return this.#surroundings.verbs;
  }

  get capabilities(): ReadonlySet<string> | undefined {
    return this.#surroundings.capabilities;
  }

  /** Whether an IP address may be one of the device; one of a group may, and any of a version of IP of which none is known. */
  mayHave(address: string): boolean {
    const { addresses } = this.#surroundings;
    if (addresses === undefined || addresses.has(address) || isOfGroup(address)) return true;
    const six = address.includes(':');
    for (const own of addresses) if (own.includes(':') === six) return false;
    return true;
  }

  /** Bytes of the longest message, as the device has said; `undefined`: nobody has asked. */
  get maxMessage(): number | undefined {
    return this.#surroundings.port?.max_msg_sz;
  }

  /** By how much a time may have been longer than the stamps of a capture say, nanoseconds. */
  get slack(): number {
    return this.#surroundings.stamps?.slack ?? 0;
  }

  /** Takes over what ibv_modify_qp has set. */
  set(attr: QpAttr): void {
    this.peerQpNumber = attr.dest_qp_num ?? this.peerQpNumber;
    this.access = attr.qp_access_flags ?? this.access;
    this.pmtu = attr.path_mtu ?? this.pmtu;
    if (attr.qkey !== undefined) this.qkey = attr.qkey >>> 0;
    this.maxDestRdAtomic = attr.max_dest_rd_atomic ?? this.maxDestRdAtomic;
    this.minRnrTimer = attr.min_rnr_timer ?? this.minRnrTimer;
    this.maxRdAtomic = attr.max_rd_atomic ?? this.maxRdAtomic;
    this.timeout = attr.timeout ?? this.timeout;
    this.retryCnt = attr.retry_cnt ?? this.retryCnt;
    this.rnrRetry = attr.rnr_retry ?? this.rnrRetry;
    if (attr.alt_ah_attr !== undefined) this.mayMigrate = true;
    if (attr.ah_attr !== undefined) this.peerAddress = addressOf(attr.ah_attr.dgid);
  }
}

/** A QP of RC that no verbs call made. */
export function seenQp(qpNumber: number, surroundings: QpSurroundings, origin: QpOrigin = {}): Qp {
  const call = { call: 'create_qp', qp_type: 'IBV_QPT_RC', pd: 0, qp: -1, qp_num: qpNumber } as const;
  const cqs = { send_cq: -1, recv_cq: -1, max_send_wr: 0, max_recv_wr: 0 };
  return new Qp({ ...call, ...cqs }, surroundings, unseenQueues, origin);
}

/** Of QPs of which nobody has seen the call that made them: nothing is ever on these queues. */
const unseenQueues = { sendCq: unknownCq(-1), receiveCq: unknownCq(-1), srq: undefined };

/** How reports name a QP by its number, e.g. "qp 0x000011". */
export function qpName(number: number): string {
  return `qp 0x${number.toString(16).padStart(6, '0')}`;
}

function kindOf({ qp_type: type, ooo }: CreateQp): QpKind {
  switch (type) {
    case 'IBV_QPT_RC':
      return ooo === true ? 'ORC' : 'RC';
    case 'IBV_QPT_UC':
      return 'UC';
    case 'IBV_QPT_UD':
      return 'UD';
    case 'IBV_QPT_XRC_SEND':
    case 'IBV_QPT_XRC_RECV':
      return 'other';
  }
}

/** The service of a QP, whatever the order of its packets; `undefined`: none that the rules speak of. */
export function serviceOf({ kind }: Pick<Qp, 'kind'>): Service | undefined {
  return kind === 'ORC' ? 'RC' : kind === 'other' ? undefined : kind;
}
