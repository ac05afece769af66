import type { QpAttr, RecvWr, SendWr, Sge } from '../../spec/verbs.ts';
import type { VerbsCall } from '../trace.ts';
import { usable } from '../device/memory.ts';
import type { Memory } from '../device/memory.ts';
import type { QpStateName } from '../device/qp-state.ts';

export type Service = 'RC' | 'UC' | 'UD';

/** Receive WQEs that wait, of one QP or shared by several. */
export interface ReceiveWqes {
  waiting: RecvWr[];
  shared: boolean;
}

/** A work request that has not completed yet. */
export interface PostedSend {
  wr: SendWr;
  signaled: boolean;
  /** the message's bytes as they stood when it was posted; `undefined` where the list may not be used */
  data: Uint8Array | undefined;
  event: number;
  t: number;
}

/** One QP of a device whose packets nobody sees. */
export interface EffectsEnd {
  name: string;
  qp: number;
  qpNumber: number;
  service: Service;
  pd: number;
  state: QpStateName;
  attr: QpAttr;
  receives: ReceiveWqes;
  sends: PostedSend[];
  signalAll: boolean;
}

export function endOf(
  call: Extract<VerbsCall, { call: 'create_qp' }>,
  srqs: ReadonlyMap<number, ReceiveWqes>,
): EffectsEnd | undefined {
  const service = call.qp_type.slice('IBV_QPT_'.length);
  if (service !== 'RC' && service !== 'UC' && service !== 'UD') return undefined;
  return {
    name: `qp 0x${call.qp_num.toString(16).padStart(6, '0')}`,
    qp: call.qp,
    qpNumber: call.qp_num,
    service,
    pd: call.pd,
    state: 'RESET',
    attr: {},
    receives: (call.srq === undefined ? undefined : srqs.get(call.srq)) ?? { waiting: [], shared: false },
    sends: [],
    signalAll: call.sq_sig_all === true,
  };
}

/** Whether a list may be used by a QP of this PD; `write`: data are to be placed there. */
export function allUsable(memory: Memory, pd: number, list: readonly Sge[], write: boolean): boolean {
  return list.every((sge) => sge.length === 0 || usable(memory.byLkey(sge.lkey), pd, sge, write));
}
