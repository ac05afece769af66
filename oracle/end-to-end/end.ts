import type { RecvWr, Sge } from '../../spec/verbs.ts';
import { usable } from '../device/memory.ts';
import type { Memory } from '../device/memory.ts';
import type { PostedSend } from '../device/posted-send.ts';
import type { QpStateName } from '../device/qp-state.ts';
import type { Qp, Service } from '../device/qp.ts';

/** A work request that has not completed yet. */
export interface OpenSend extends PostedSend {
  /** the message's bytes as they stood when it was posted; `undefined` where the list may not be used */
  data: Uint8Array | undefined;
}

/** What is known of one QP of a device whose packets nobody sees, besides what software set. */
export interface EffectsEnd {
  readonly qp: Qp;
  readonly service: Service;
  /** as software asked for it, or as work that failed left it */
  state: QpStateName;
  /** receive WQEs that wait, shared by the QPs of an SRQ */
  receives: { waiting: RecvWr[] };
  sends: OpenSend[];
}

/** Whether a list may be used by a QP of this PD; `write`: data are to be placed there. */
export function allUsable(memory: Memory, pd: number, list: readonly Sge[], write: boolean): boolean {
  return list.every((sge) => sge.length === 0 || usable(memory.byLkey(sge.lkey), pd, sge, write));
}
