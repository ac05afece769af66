/** Generated from spec/machines/rc-responder/machine.yaml by `npm run generate`; do not edit. */

/** State of the machine rc-responder; `start` of the machine gives every variable its first value. */
export class RcResponderVariables {
  /** expected PSN (PSN; -1: unknown) */
  ePsn: number = -1;
  /** messages completed since the trace began */
  msn: number = -1;
  /** the retryable NAK that is outstanding */
  nakState: 'none' | 'sequence' | 'rnr' = 'none';
}

/** What its expressions read of an event. */
export interface RcResponderInputs {
  readonly packet: {
    /** PSN of the request (PSN) */
    readonly psn: number;
  };
}

/** What happens to it that no rule decides. */
export type RcResponderStep = never;

/** Its named values. */
export type RcResponderValue = never;

/** Names of all its variables, in the order of the YAML. */
export const rcResponderVariables = ['ePsn', 'msn', 'nakState'] as const;
