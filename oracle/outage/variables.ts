/** Generated from spec/machines/outage/machine.yaml by `npm run generate`; do not edit. */

/** State of the machine outage; `start` of the machine gives every variable its first value. */
export class OutageVariables {
  /** link of the port */
  link: 'up' | 'down' = 'up';
  /** a packet of the QP was seen since the link went down */
  sent: boolean = false;
  /** an answer has come that was no NAK */
  answered: boolean = false;
  /** an answer may have passed over that to a READ or ATOMIC, which is an implied NAK */
  passed: boolean = false;
  /** a completion has said that the QP has failed */
  failed: boolean = false;
}

/** What its expressions read of an event. */
export interface OutageInputs {
  readonly attr: {
    /** retries after a timeout or NAK */
    readonly retry_cnt: number;
  };
  readonly path: {
    /** code of the ACK timeout */
    readonly timeout: number;
  };
  readonly device: {
    /** least code of the ACK timeout that the device takes */
    readonly minTimeout: number;
  };
  readonly begun: {
    /** retries that were left when it began, at least */
    readonly left: number;
    /** time since it began, at most (nanoseconds) */
    readonly lasts: number;
    /** no request was unanswered when it began */
    readonly idle: boolean;
  };
  readonly quiet: {
    /** how long the device has surely been running since the last post or answer (nanoseconds) */
    readonly ran: number;
  };
  readonly linked: {
    /** how long the device has surely been running since the link came up (nanoseconds) */
    readonly ran: number;
  };
  readonly event: {
    /** by how much what waits for nothing may be late (nanoseconds) */
    readonly slack: number;
  };
  readonly wait: {
    /** how long ago the RNR NAK came (nanoseconds) */
    readonly ran: number;
    /** how long it asks to wait (nanoseconds) */
    readonly least: number;
  };
  readonly work: {
    /** a work request has no answer and no completion */
    readonly some: boolean;
    /** a READ or ATOMIC has no completion */
    readonly reads: boolean;
    /** an answer to the work request has come that completes */
    readonly answered: boolean;
  };
  readonly wc: {
    /** status of the completion; retries: IBV_WC_RETRY_EXC_ERR; local: a local error, which the rules of the verbs decide on, as they do on what is flushed; other: an error that only a NAK or a bad answer brings */
    readonly status: 'success' | 'retries' | 'local' | 'flush' | 'other';
  };
}

/** What happens to it that no rule decides. */
export type OutageStep = 'linkUp' | 'linkDown' | 'packetSeen' | 'answerSeen' | 'completed';

/** Its named values. */
export type OutageValue = 'interval' | 'expiries' | 'failsAfter' | 'failedAfter' | 'resentAfter';
