/** Generated from spec/machines/srq/machine.yaml by `npm run generate`; do not edit. */

/** State of the machine srq; `start` of the machine gives every variable its first value. */
export class SrqVariables {
  /** no limit is armed; one is; its event was raised; the trace does not tell */
  limitState: 'unset' | 'armed' | 'raised' | 'open' = 'unset';
  /** limit that software set last */
  limit: number = -1;
  /** the WQEs may have been below the limit when it was armed */
  lowWhenArmed: boolean = false;
  /** the WQEs have been below the limit since */
  fell: boolean = false;
  /** since then, as many as the limit says have been left for sure (undefined: unknown) */
  enough: boolean | undefined = undefined;
  /** they have, and have been below it since (undefined: unknown) */
  fellFromEnough: boolean | undefined = undefined;
  /** the WQEs may have been below the limit since all was last at rest (undefined: unknown) */
  passed: boolean | undefined = undefined;
  /** the event of a limit that was set before may still come */
  formerDue: boolean = false;
  /** IBV_EVENT_SRQ_ERR has come */
  inError: boolean = false;
  /** place of the first work request that was posted behind it (-1: unknown) */
  lostFrom: number = -1;
  /** limit whose event has come, before completions show why (-1: unknown) */
  unexplained: number = -1;
}

/** What its expressions read of an event. */
export interface SrqInputs {
  readonly srq: {
    /** WQEs that it has room for */
    readonly size: number;
    /** elements that a WQE of it has room for */
    readonly maxSge: number;
    /** it was made with a limit */
    readonly limitedAtFirst: boolean;
  };
  readonly queue: {
    /** WQEs posted, and not completed as far as completions tell */
    readonly posted: number;
    /** of these, those that a QP may hold; unknown where it may be all (-1: unknown) */
    readonly mayBeTaken?: number | undefined;
    /** likewise, where a message that one packet holds has let go of its WQE once all is at rest (-1: unknown) */
    readonly mayBeBegun?: number | undefined;
  };
  readonly wr: {
    /** elements of a receive work request */
    readonly elements: number;
  };
  readonly attr: {
    /** limit of ibv_modify_srq or ibv_query_srq (-1: unknown) */
    readonly srq_limit?: number | undefined;
    /** size that ibv_modify_srq asks for (-1: unknown) */
    readonly max_wr?: number | undefined;
  };
  readonly call: {
    /** the call failed */
    readonly refused: boolean;
  };
  readonly device: {
    /** the device has IBV_DEVICE_SRQ_RESIZE (undefined: unknown) */
    readonly resizes?: boolean | undefined;
  };
  readonly work: {
    /** place in the trace at which a work request of it was posted */
    readonly index: number;
    /** it completed with success */
    readonly succeeded: boolean;
  };
  readonly event: {
    /** IBV_EVENT_SRQ_LIMIT_REACHED has come */
    readonly raised: boolean;
    /** it is a completion, which may be seen after the event that it calls for */
    readonly completion: boolean;
  };
}

/** What happens to it that no rule decides. */
export type SrqStep =
  'modified' | 'posted' | 'rested' | 'completed' | 'limitReached' | 'missed' | 'failed' | 'postedInError';

/** Its named values. */
export type SrqValue =
  'least' | 'hasRoom' | 'mayBeLow' | 'surelyEnough' | 'mayHavePassed' | 'filled' | 'explains';
