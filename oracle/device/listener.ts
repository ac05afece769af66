import type { AccessFlag, DeviceAttr, PortAttr, QpAttr, RecvWr, SendWr, SrqAttr } from '../../spec/verbs.ts';
import type { CallSpan, When } from '../spot.ts';
import type { Region } from './memory.ts';
import type { PostedSend } from './queues/posted-send.ts';
import type { QpStateName } from './qp-state.ts';
import type { Cq, Qp, Srq } from './qp.ts';
import type { Room } from './objects/room.ts';

/** What ibv_modify_qp changed; `to`: the state asked for, if one was. */
export interface QpChange {
  attr: QpAttr;
  from: QpStateName;
  to: QpStateName | undefined;
}

export interface SrqChange {
  max_wr?: number;
  srq_limit?: number;
}

/** What is known of the number of a new QP: whether there are `others`, and whether it is that of one of them. */
export interface Numbering {
  others: boolean;
  taken: boolean;
}

/** ibv_resize_cq: entries asked for, and either those that there are now or the number of the error. */
export interface Resizing {
  asked: number;
  given?: number;
  errno?: number;
}

/** What software asks of a region by ibv_rereg_mr. */
export interface Reregistration {
  mr: number;
  /** rights that the region is to have */
  access: readonly AccessFlag[];
  /** it is to lie in other memory */
  moves: boolean;
  /** no source says whether the device takes it */
  doubtful: boolean;
}

/** What ibv_rereg_mr has done to a region. */
export interface Reregistered {
  /** of the region before and now */
  pds: readonly number[];
  /** what the region is now is known */
  certain: boolean;
  /** what the keys of before opened until then is known still */
  traced: boolean;
}

/** An object that is to be destroyed; `used`: others that the trace has made still need it. `name`: as reports name it. */
export interface Destruction {
  object: 'qp' | 'cq' | 'srq' | 'mr' | 'mw' | 'pd';
  used: boolean;
  name: string;
}

/** A work request that could not be posted. */
export type RefusedPost =
  | { queue: 'send'; qp: Qp; wr: SendWr }
  | { queue: 'receive'; qp: Qp; wr: RecvWr }
  | { queue: 'shared'; srq: Srq; wr: RecvWr };

/** Ids of a list of work requests of which one was refused; `bad_wr`: place of that one, where the device names one of them. */
export interface RefusedList {
  wr_ids: readonly number[];
  bad_wr?: number;
}

/**
 * What a machine is notified of, once the device's objects have changed; what it leaves out does not concern it. Calls on objects that
 * the trace never made are left out.
 */
export interface ObjectListener {
  /** Software has asked for a memory region with these rights; `errno`: the device has refused it. */
  registered?(access: readonly AccessFlag[], errno: number | undefined, when: When): void;
  /** Software has asked for a change of a memory region; `errno`: the device has refused it. */
  reregistrationAsked?(asked: Reregistration, errno: number | undefined, when: When): void;
  created?(qp: Qp, when: When): void;
  /** The same, with what is known of its number. */
  qpNumbered?(numbering: Numbering, qp: Qp, when: When): void;
  /** The device tells what room it has made in the object of this name. */
  roomMade?(rooms: readonly Room[], name: string, when: When): void;
  /** Software has asked for the end of an object; `errno`: the device has refused it. */
  destroyAsked?(asked: Destruction, errno: number | undefined, when: When): void;
  cqResized?(cq: Cq, resizing: Resizing, when: CallSpan): void;
  modified?(qp: Qp, change: QpChange, when: When): void;
  modifyRefused?(qp: Qp, attr: QpAttr, errno: number, when: CallSpan): void;
  queried?(qp: Qp, attr: QpAttr, when: When): void;
  /** it is found by number and handle no more */
  destroyed?(qp: Qp, when: When): void;
  /** `listed`: in one call with others, as for the two that follow */
  sendPosted?(qp: Qp, send: PostedSend, when: When, listed: boolean): void;
  /** Likewise of a work request of which no packet goes out. */
  localPosted?(qp: Qp, wr: SendWr, when: When, listed: boolean): void;
  /** to the QP's own queue, which it does not look at where it is on an SRQ */
  receivePosted?(qp: Qp, wr: RecvWr, when: When, listed: boolean): void;
  sharedPosted?(srq: Srq, wr: RecvWr, when: When, listed: boolean): void;
  /** Where it is of a list, the device has named it. */
  postRefused?(post: RefusedPost, errno: number, when: When): void;
  /** One of a list was refused: `post`, if the device names one of them. */
  listRefused?(post: RefusedPost, list: RefusedList, when: When): void;
  /** Software asked for a completion event. */
  notificationAsked?(cq: Cq, solicitedOnly: boolean, when: When): void;
  srqModified?(srq: Srq, attr: SrqChange, when: When): void;
  srqRefused?(srq: Srq, attr: SrqChange, errno: number, when: When): void;
  srqQueried?(srq: Srq, attr: SrqAttr, when: When): void;
  portQueried?(attr: PortAttr, when: When): void;
  /** by index, 32 hex digits each */
  gidsQueried?(gids: readonly string[], when: When): void;
  /** `pkey`: what the entry holds; `undefined`: the device has refused the call */
  pkeyQueried?(index: number, pkey: number | undefined, when: When): void;
  deviceQueried?(attr: DeviceAttr, when: When): void;
  /** Software has written to memory. */
  written?(region: Region, range: { offset: number; length: number }, when: When): void;
  deregistered?(region: Region, when: When): void;
  /** ibv_rereg_mr has changed a region; `region`: as it is found by the keys of before. */
  reregistered?(region: Region, how: Reregistered, when: When): void;
  /** Software has given back a memory window of this PD. */
  windowClosed?(pd: number, when: When): void;
  /** The call was given to all listeners. */
  heard?(): void;
}

/** Says to a machine what a call has done. */
export type Notice = (machine: ObjectListener) => void;
