import type { AsyncEvent, RecvWr, Sge, Wc } from '../../spec/verbs.ts';
import { usable } from '../device/memory.ts';
import type { Memory } from '../device/memory.ts';
import type { PostedSend } from '../device/queues/posted-send.ts';
import type { Qp, Service } from '../device/qp.ts';
import type { Rule } from '../rules.ts';
import { requestErrors } from '../event-word.ts';
import { EndToEndVariables } from './variables.ts';

/** A work request that has not completed yet. */
export interface OpenSend extends PostedSend {
  /** the message's bytes as they stood when it was posted; `undefined` where the list may not be used */
  data: Uint8Array | undefined;
}

/** A completion that was seen. */
export type Seen = { wc: Wc; event: number; t: number };

/** One QP of a device whose packets nobody sees, with what was seen of it and not yet explained. */
export class End extends EndToEndVariables {
  readonly qp: Qp;
  readonly service: Service;
  /** bytes in front of the data of what it receives */
  front = 0;
  /** receive WQEs that wait, shared by the QPs of an SRQ */
  receives: { waiting: RecvWr[] };
  sends: OpenSend[] = [];
  sendsSeen: Seen[] = [];
  receivesSeen: Seen[] = [];
  eventsSeen: { event: AsyncEvent; index: number; t: number }[] = [];
  /** it is judged no further */
  lost = false;
  /** the rule that last said what becomes of it */
  rule: Rule | undefined;

  constructor(qp: Qp, service: Service, receives: End['receives']) {
    super();
    this.qp = qp;
    this.service = service;
    this.receives = receives;
  }
}

/** Whether something not yet explained says that work has failed there. */
export function hasFailed({ sendsSeen, receivesSeen, eventsSeen }: End): boolean {
  const failed = ({ wc }: Seen): boolean => wc.status !== 'IBV_WC_SUCCESS';
  return (
    sendsSeen.some(failed) ||
    receivesSeen.some(failed) ||
    eventsSeen.some(({ event }) => requestErrors.has(event.event_type))
  );
}

/** Whether a list may be used by a QP of this PD; `write`: data are to be placed there. */
export function allUsable(memory: Memory, pd: number, list: readonly Sge[], write: boolean): boolean {
  return list.every((sge) => sge.length === 0 || usable(memory.byLkey(sge.lkey), pd, sge, write));
}
