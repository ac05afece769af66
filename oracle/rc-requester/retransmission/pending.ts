import { psnDiff } from '../../../wire/psn.ts';
import type { RetransmitCause } from '../state.ts';
import type { RcRequesterInputs } from '../variables.ts';

/** What is known of a packet that goes back to what was sent before. Each is asked for where it matters. */
export interface WayBack {
  goesBack?: boolean;
  /** whether the ACK timer may or must have run out */
  expiry?: () => RcRequesterInputs['timer']['expiry'];
  /** an RNR NAK that going back would answer waits for its time */
  early?: () => boolean;
  /** an RNR NAK whose time runs keeps the device from sending the packet */
  heldBack?: () => boolean;
}

/** RNR NAKs among causes of retransmission. */
export function rnrNaks(causes: readonly RetransmitCause[]): readonly RetransmitCause[] {
  return causes.filter(({ cause }) => cause === 'rnr-nak');
}

/** What an event may ask of the causes that nothing has been sent again for. `from`: the PSN that the cause of the event names. */
export class Pending {
  readonly any = true;
  readonly #causes: readonly RetransmitCause[];
  readonly #cause: string | undefined;
  readonly #from: () => number;
  readonly #back: WayBack | undefined;

  constructor(
    causes: readonly RetransmitCause[],
    cause: string | undefined,
    from: () => number,
    back: WayBack | undefined,
  ) {
    this.#causes = causes;
    this.#cause = cause;
    this.#from = from;
    this.#back = back;
  }

  get rnr(): boolean {
    return rnrNaks(this.#causes).length > 0;
  }

  get early(): boolean {
    return this.#back?.early?.() === true;
  }

  get holdsBack(): boolean {
    return this.#back?.heldBack?.() === true;
  }

  get rnrBefore(): boolean {
    return rnrNaks(this.#causes).some(({ psn }) => psnDiff(psn, this.#from()) <= 0);
  }

  get same(): boolean {
    return this.#causes.some((known) => known.cause === this.#cause && known.psn === this.#from());
  }
}

export const nothingPending: RcRequesterInputs['pending'] = {
  any: false,
  rnr: false,
  rnrBefore: false,
  same: false,
  early: false,
  holdsBack: false,
};
