import type { Cause } from '../../../report/connections/shape.ts';
import { psnAdd, psnDiff } from '../../../wire/index.ts';
import { Gaps } from './gaps.ts';
import { Sights } from './sights.ts';

/** Times in which a mirror's copy of a packet comes, nanoseconds; without an identification to tell it by, much less. */
const copySpan = 10e6;
const copySpanWithoutId = 100e3;
/** No requester sends again so soon what nothing called for: packets overtook one another. */
const reorderSpan = 1e6;

/** PSNs further behind are of another connection that the QP number serves. */
const farAway = 0x10000;

/** What the sequence of requests says of one of them. */
export type Sight = 'first' | 'copy' | 'reordered' | Cause;

/**
 * A request for it to judge. `count`: PSNs that it takes, as far as known; `slack`: so many more, if the path MTU is as small as can be;
 * `id`: IPv4 identification or -1.
 */
export interface Asked {
  psn: number;
  count: number;
  slack: number;
  id: number;
  t: number;
}

/** The requests of one flow in the order of the capture, and what the responses to them said: tells why one comes again. */
export class Requests {
  readonly gaps = new Gaps();
  /** of the newest request, if it begins what is sent again: nanoseconds since what it was sent again for */
  waited: number | undefined;
  readonly #sights = new Sights();
  #next = -1;
  #slack = 0;
  /** when the newest request came */
  #newest = 0;
  #acked = -1;
  #nak = { psn: -1, t: -1 };
  #rnr = { psn: -1, t: -1 };
  /** what goes on where a repetition has begun */
  #burst: { next: number; cause: Cause } | undefined;

  take(asked: Asked): Sight {
    const { psn, count, id, t } = asked;
    const seen = this.#sights.timeOf(psn);
    const sight = this.#judge(asked);
    this.waited = this.#burst?.next === psn ? undefined : this.#sinceCause(sight, asked, seen);
    this.#sights.add(psn, t, id);
    this.#newest = t;
    const end = psnAdd(psn, count);
    if (sight === 'first' || this.#next < 0 || psnDiff(end, this.#next) > 0) {
      this.#next = end;
      this.#slack = asked.slack;
    }
    if (sight === 'first') this.#burst = undefined;
    else if (sight !== 'copy' && sight !== 'reordered') this.#burst = { next: end, cause: sight };
    return sight;
  }

  /** A response to one of them came. `kind` of a NAK: of which sort. */
  answered(kind: 'answer' | 'sequence-nak' | 'rnr-nak' | 'fatal-nak', psn: number, t: number): void {
    if (kind === 'sequence-nak') this.#nak = { psn, t };
    if (kind === 'rnr-nak') this.#rnr = { psn, t };
    const upTo = kind === 'answer' ? psn : psnAdd(psn, -1);
    if (this.#acked < 0 || psnDiff(upTo, this.#acked) > 0) this.#acked = upTo;
  }

  /** How long ago the request with the PSN was sent last; `undefined` if it was not seen. */
  ageOf(psn: number, t: number): number | undefined {
    const seen = this.#sights.timeOf(psn);
    return seen === undefined ? undefined : t - seen;
  }

  #sinceCause(sight: Sight, { psn, t }: Asked, seen: number | undefined): number | undefined {
    // of what was lost in front of the point of capture, the NAK alone is seen
    if (sight === 'sequence-nak' || (sight === 'unseen' && this.#nak.psn === psn)) return t - this.#nak.t;
    if (sight === 'rnr-nak') return t - this.#rnr.t;
    return (sight === 'answered' || sight === 'silence') && seen !== undefined ? t - seen : undefined;
  }

  /** The QP number serves another connection. */
  #begin(psn: number): void {
    this.#next = psn;
    this.#acked = -1;
    this.#nak = { psn: -1, t: -1 };
    this.#rnr = { psn: -1, t: -1 };
  }

  #judge({ psn, count, id, t }: Asked): Sight {
    if (this.#next < 0) return 'first';
    const ahead = psnDiff(psn, this.#next);
    if (ahead < -farAway) {
      this.#begin(psn);
      return 'first';
    }
    if (ahead >= 0) {
      if (ahead > this.#slack) this.gaps.skip(this.#next, ahead, t);
      return 'first';
    }
    const seen = this.#sights.timeOf(psn);
    if (seen === undefined) return this.#late(psn, count, t);
    const called = this.#called(psn, seen);
    if (called !== undefined) return called;
    const sameId = this.#sights.idOf(psn) === id;
    if (sameId && t - seen < (id > 0 ? copySpan : copySpanWithoutId)) return 'copy';
    return this.#uncalled(psn);
  }

  /** Behind a later one, and not seen before. */
  #late(psn: number, count: number, t: number): Sight {
    const since = this.gaps.fill(psn, count);
    // the rest of a READ, or a packet of long ago
    if (since === undefined) return this.#called(psn, this.#newest) ?? this.#uncalled(psn);
    const soon = t - since < reorderSpan && this.#called(psn, since) === undefined;
    return soon && this.#burst?.next !== psn ? 'reordered' : 'unseen';
  }

  /** The NAK since then that calls for the packet. */
  #called(psn: number, since: number): Cause | undefined {
    const [nak, rnr] = [this.#nak, this.#rnr];
    const byNak = nak.t >= since && psnDiff(psn, nak.psn) >= 0;
    const byRnr = rnr.t >= since && psnDiff(psn, rnr.psn) >= 0;
    if (byNak && byRnr) return nak.t >= rnr.t ? 'sequence-nak' : 'rnr-nak';
    return byNak ? 'sequence-nak' : byRnr ? 'rnr-nak' : undefined;
  }

  #uncalled(psn: number): Cause {
    const burst = this.#burst;
    if (burst?.next === psn && burst.cause !== 'unseen') return burst.cause;
    return this.#acked >= 0 && psnDiff(this.#acked, psn) >= 0 ? 'answered' : 'silence';
  }
}
