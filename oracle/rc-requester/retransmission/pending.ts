import { psnDiff } from '../../../wire/psn.ts';
import type { RequesterEvent } from '../inputs.ts';
import type { RetransmitCause } from '../state.ts';
import type { RcRequesterInputs } from '../variables.ts';

/** What a packet or cause may ask of the NAKs that nothing has been sent again for. */
export class Pending {
  readonly any = true;
  readonly #event: RequesterEvent;
  readonly #rnr: readonly RetransmitCause[];

  constructor(event: RequesterEvent) {
    this.#event = event;
    this.#rnr = event.state.causes.filter(({ cause }) => cause === 'rnr-nak');
  }

  get #from(): number {
    const { parts, state } = this.#event;
    return parts.from ?? state.machine.resumesAt(this.#event, state);
  }

  get rnr(): boolean {
    return this.#rnr.length > 0;
  }

  get early(): boolean {
    return this.#event.parts.back?.early?.() === true;
  }

  get holdsBack(): boolean {
    return this.#event.parts.back?.heldBack?.() === true;
  }

  get rnrBefore(): boolean {
    return this.#rnr.some(({ psn }) => psnDiff(psn, this.#from) <= 0);
  }

  get same(): boolean {
    const { parts, state } = this.#event;
    return state.causes.some((known) => known.cause === parts.cause && known.psn === this.#from);
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
