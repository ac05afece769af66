/** Generated from spec/machines/cq-event/machine.yaml by `npm run generate`; do not edit. */

/** State of the machine cq-event; `start` of the machine gives every variable its first value. */
export class CqEventVariables {
  /** software has asked for an event */
  asked: boolean = false;
  /** events that may still come */
  left: number = -1;
  /** one has come since everything was last at rest */
  raised: boolean = false;
  /** it may have been armed for any completion since then */
  widely: boolean = false;
  /** it is armed for certain, from some moment on, or since before all that is under way; unknown: perhaps not (undefined: unknown) */
  armed: 'now' | 'before' | undefined = undefined;
  /** completions that the last call asks for (undefined: unknown) */
  waitsFor: 'any' | 'solicited' | undefined = undefined;
  /** a completion came since everything was last at rest that may call for an event */
  came: boolean = false;
  /** one of those may be solicited */
  cameSolicited: boolean = false;
  /** completion that calls for an event: one of a CQ that is armed for any, one with an error, a solicited one */
  due: 'none' | 'any' | 'failed' | 'solicited' = 'none';
}

/** What its expressions read of an event. */
export interface CqEventInputs {
  readonly call: {
    /** ibv_req_notify_cq asks for solicited completions alone */
    readonly solicitedOnly: boolean;
    /** nothing was under way, so that no completion can have come before the call */
    readonly quiet: boolean;
  };
  readonly work: {
    /** the work request that has completed was posted after the last call */
    readonly later: boolean;
  };
  readonly wc: {
    /** status of the completion */
    readonly status: 'IBV_WC_SUCCESS' | 'IBV_WC_RETRY_EXC_ERR' | 'IBV_WC_RNR_RETRY_EXC_ERR' | 'other';
    /** whether it is of a message whose sender asked for an event; open: that is unknown */
    readonly solicited: 'yes' | 'no' | 'open';
  };
  readonly messages: {
    /** each message that ended since everything was last at rest has completed */
    readonly complete: boolean;
    /** one of those was solicited */
    readonly solicited: boolean;
  };
  readonly event: {
    /** a completion event has come since everything was last at rest */
    readonly raised: boolean;
  };
}

/** What happens to it that no rule decides. */
export type CqEventStep = 'called' | 'completed' | 'counted' | 'removed' | 'notified' | 'rested';

/** Its named values. */
export type CqEventValue = 'inError' | 'timed' | 'waited' | 'follows';
