import type { SendWr } from '../../../spec/verbs.ts';
import type { Timer } from '../../adapter.ts';

/** A send WQE on its way. PSNs are given to it when it is launched. */
export interface SendWqe {
  readonly wr: SendWr;
  readonly kind: 'send' | 'write' | 'read' | 'atomic';
  readonly length: number;
  readonly signaled: boolean;
  /** data of an inline WR, copied when it was posted */
  readonly inline: Uint8Array | undefined;
  psn: number;
  packets: number;
  launched: boolean;
  /** PSN with which the newest request of a READ started: its response is a First or Only */
  requestPsn: number;
}

export interface RequesterState {
  /** posted and not yet completed, oldest first */
  queue: SendWqe[];
  /** oldest PSN that is not acknowledged */
  una: number;
  /** next PSN to send */
  next: number;
  /** behind the newest PSN ever sent, READ responses included */
  end: number;
  /** newest PSN sent that must be answered; `undefined` if none is outstanding */
  askedUpTo: number | undefined;
  retriesLeft: number;
  rnrLeft: number;
  /** ACK timer: fires no earlier than its deadline */
  timer: Timer | undefined;
  deadline: number;
  rnrTimer: Timer | undefined;
  /** an implied NAK has been acted upon and nothing has been gained since */
  impliedNak: boolean;
  /** a pump is due */
  scheduled: boolean;
  drainNotified: boolean;
}

export function makeRequester(): RequesterState {
  return {
    queue: [],
    una: 0,
    next: 0,
    end: 0,
    askedUpTo: undefined,
    retriesLeft: 0,
    rnrLeft: 0,
    timer: undefined,
    deadline: 0,
    rnrTimer: undefined,
    impliedNak: false,
    scheduled: false,
    drainNotified: false,
  };
}
