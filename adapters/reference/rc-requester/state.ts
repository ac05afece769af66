import type { SendWr, WcStatus } from '../../../spec/verbs.ts';
import type { Timer } from '../../adapter.ts';
import type { Destination } from '../device/path.ts';

/** A send WQE on its way. PSNs are given to it when it is launched. */
export interface SendWqe {
  readonly wr: SendWr;
  /** `local`: it changes this device, and no packet goes out */
  readonly kind: 'send' | 'write' | 'read' | 'atomic' | 'local';
  readonly length: number;
  readonly signaled: boolean;
  /** data of an inline WR, copied when it was posted */
  readonly inline: Uint8Array | undefined;
  /** why it cannot be carried out: it completes with this when its turn comes */
  defect: WcStatus | undefined;
  /** destination and Q_Key of a datagram; the others go to the QP's peer */
  readonly to: Destination | undefined;
  readonly qkey: number;
  psn: number;
  packets: number;
  launched: boolean;
  /** PSNs with which requests of a READ have begun: the response there may be a First or Only */
  starts: number[];
}

export interface RequesterState {
  /** posted and not yet completed, oldest first */
  queue: SendWqe[];
  /** oldest PSN that is not acknowledged */
  una: number;
  /** next PSN to send; behind `una` where a retry begins with the first packet of a message */
  next: number;
  /** behind the newest PSN ever sent, READ responses included */
  end: number;
  /** newest PSN sent that must be answered; `undefined` if none is outstanding */
  askedUpTo: number | undefined;
  /** messages sent since one asked for an ACK */
  unasked: number;
  retriesLeft: number;
  rnrLeft: number;
  /** ACK timer: runs while there is a deadline, and looks at it when it fires */
  timer: Timer | undefined;
  deadline: number | undefined;
  /** instant that the deadline counts from, nanoseconds */
  timedFrom: number;
  /** when the timer fires, where there is one */
  firesAt: number;
  rnrTimer: Timer | undefined;
  /** PSN of the newest RNR NAK */
  rnrPsn: number;
  /** PSN of the newest answer behind a gap, since something was gained or sent again */
  gapPsn: number | undefined;
  /** nothing has been gained since the last retry */
  recovering: boolean;
  /** PSN that the last retry was for */
  retryPsn: number;
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
    unasked: 0,
    retriesLeft: 0,
    rnrLeft: 0,
    timer: undefined,
    deadline: undefined,
    timedFrom: 0,
    firesAt: 0,
    rnrTimer: undefined,
    rnrPsn: 0,
    gapPsn: undefined,
    recovering: false,
    retryPsn: 0,
    scheduled: false,
    drainNotified: false,
  };
}

export function stopAckTimer(q: RequesterState): void {
  q.deadline = undefined;
  q.timer?.cancel();
  q.timer = undefined;
}
