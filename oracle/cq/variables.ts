/** Generated from spec/machines/cq/machine.yaml by `npm run generate`; do not edit. */

/** State of the machine cq; `start` of the machine gives every variable its first value. */
export class CqVariables {
  /** place of IBV_EVENT_CQ_ERR in the trace (-1: unknown) */
  errorAt: number = -1;
  /** completions seen since everything was last at rest */
  taken: number = -1;
  /** completions seen at one moment of an exact clock */
  together: number = -1;
  /** that moment (nanoseconds; -1: unknown) */
  togetherAt: number = -1;
  /** it was found to have overflowed without an event */
  overflowed: boolean = false;
}

/** What its expressions read of an event. */
export interface CqInputs {
  readonly cq: {
    /** completions that it has room for */
    readonly entries: number;
  };
  readonly event: {
    /** place of an event in the trace */
    readonly index: number;
    /** when it was (nanoseconds) */
    readonly at: number;
    /** IBV_EVENT_CQ_ERR has come */
    readonly raised: boolean;
  };
  readonly sight: {
    /** the clock does not move while software takes completions */
    readonly exact: boolean;
  };
  readonly completions: {
    /** completions that it must have taken together */
    readonly due: number;
    /** those that it may have taken */
    readonly possible: number;
    /** those that it surely holds, of work that has had its time to be flushed */
    readonly held: number;
  };
  readonly call: {
    /** completions that ibv_resize_cq asks room for */
    readonly asked: number;
    /** those that it has room for behind the call */
    readonly given: number;
    /** the call failed */
    readonly refused: boolean;
  };
  readonly work: {
    /** place of the post in the trace */
    readonly index: number;
    /** the CQ gave its completion */
    readonly completed: boolean;
  };
}

/** What happens to it that no rule decides. */
export type CqStep = 'gave' | 'failed' | 'overflows' | 'rested';

/** Its named values. */
export type CqValue = 'spilled' | 'full';
