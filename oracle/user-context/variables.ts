/** Generated from spec/machines/user-context/machine.yaml by `npm run generate`; do not edit. */

/** State of the machine user-context; `start` of the machine gives every variable its first value. */
export class UserContextVariables {
  /** events that the first context has received since all was last at rest */
  atFirst: number = -1;
  /** events that the second context has received since then */
  atSecond: number = -1;
}

/** What its expressions read of an event. */
export interface UserContextInputs {
  readonly sight: {
    /** a second user context is open, and the trace shows what it receives */
    readonly both: boolean;
    /** the recorder has lost sight of the device */
    readonly lost: boolean;
  };
  readonly copy: {
    /** context that is asked after */
    readonly for: 'first' | 'second';
  };
  readonly event: {
    /** the event is there */
    readonly seen: boolean;
  };
}

/** What happens to it that no rule decides. */
export type UserContextStep = 'firstReceived' | 'secondReceived' | 'rested';

/** Its named values. */
export type UserContextValue = 'reached';
