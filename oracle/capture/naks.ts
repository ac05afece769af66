import { captureLatitude } from '../../spec/latitudes.ts';
import type { ObservedReply } from '../device/packet/observed-reply.ts';
import { psnDiff } from '../../wire/psn.ts';
import { reaction, TimerBase } from './complete/timer-base.ts';
import type { SeenRequest } from './requests/seen-request.ts';
import type { Stamps } from '../device/packet/stamps.ts';
import type { Unanswered } from './unanswered.ts';

/** The wait that an RNR NAK asked for. */
export interface Refusal {
  readonly psn: number;
  readonly since: number;
  readonly wait: number;
  /** RNR NAKs in a row that have refused it, each of them behind another sight of it */
  readonly times: number;
  /** An older READ or ATOMIC was not answered then. The NAK says that its response was lost, and calls for it at once, and for all behind it. */
  readonly overtakes: boolean;
}

/** The NAKs that a requester was sent last, and which of its requests they call for once more. */
export class Naks {
  #refusal: Refusal | undefined;
  #sequence = { psn: -1, t: 0 };
  readonly #stamps: Stamps;
  #timer: TimerBase;
  /** whether a request was seen since the newest response */
  #asked = false;

  constructor(stamps: Stamps) {
    this.#stamps = stamps;
    this.#timer = new TimerBase(stamps);
  }

  /** A request was seen. */
  asked(t: number): void {
    if (!this.#asked) this.#timer.start(t);
    this.#asked = true;
  }

  /** `before`: what the requester has sent with the PSN of the response; `unanswered`: the READs and ATOMICs that it waits for. */
  reply(
    { kind, psn, wait }: ObservedReply,
    before: SeenRequest | undefined,
    unanswered: Unanswered,
    t: number,
  ): void {
    this.#asked = false;
    if (kind !== 'rnr-nak') this.#timer.set(t);
    if (kind === 'sequence-nak') this.#sequence = { psn, t };
    if (kind !== 'rnr-nak') return;
    const known = this.#refusal;
    if (known?.psn === psn && before !== undefined && before.lastSeen <= known.since) {
      // a copy of the NAK does not make the wait begin anew, and one that asks for less may end it
      if (t + wait < known.since + known.wait) this.#refusal = { ...known, since: t, wait };
      return;
    }
    const times = known?.psn === psn ? known.times + 1 : 1;
    this.#refusal = { psn, since: t, wait, times, overtakes: unanswered.before(psn) };
  }

  /** Whether one of them is reason enough to send a request again. */
  callFor({ psn, lastSeen }: SeenRequest): boolean {
    const { psn: from, t } = this.#sequence;
    const refusal = this.#refusal;
    const nak = from >= 0 && t >= lastSeen && psnDiff(from, psn) <= 0;
    return nak || (refusal !== undefined && refusal.since >= lastSeen && psnDiff(refusal.psn, psn) <= 0);
  }

  /** The RNR NAK that has refused the request since it was sent. */
  refused({ psn, lastSeen }: SeenRequest): Refusal | undefined {
    const refusal = this.#refusal;
    return refusal?.psn === psn && lastSeen <= refusal.since ? refusal : undefined;
  }

  /** Whether what is sent again by the ACK timer at `t` may have been on its way before the refusal had come. */
  mayHaveCrossed({ since }: Refusal, t: number): boolean {
    return t - since < reaction(this.#stamps) && this.#timer.elapsed(t) >= captureLatitude().times.timer;
  }

  clear(): void {
    this.#timer = new TimerBase(this.#stamps);
    this.#asked = false;
    this.#refusal = undefined;
    this.#sequence = { psn: -1, t: 0 };
  }
}
