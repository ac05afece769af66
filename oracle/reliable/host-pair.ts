import { psnDiff, psnMask } from '../../wire/psn.ts';

/** What is known of a connection by the packets to one of its QPs. */
export interface Responder {
  /** PSN of the newest request */
  newestPsn: number;
  /** number of the reverse QP, once known */
  peer: number | undefined;
}

/** PSNs behind the newest request that a response may still carry and be told apart by. */
const behindMost = 4096;
/** READ responses lie ahead of the request that asks for them. */
const aheadMost = 2 * behindMost;
/** PSNs that share a bucket. */
const bucketBits = 12;
const buckets = 1 << (24 - bucketBits);
/** Connections that one reverse QP may have had; which of more a response is from is not asked. */
const mostOfPeer = 16;
/** Connections that are looked at for one response; with more of them, it may be from several. */
const mostLookedAt = 1024;

/** What a response is from: the one connection, or one of none or several; `suspects`: of those it may be from that have its QP. */
interface Answerer<T> {
  only: T | undefined;
  several: boolean;
  suspects: readonly T[];
}

/**
 * The responders at one address that another one sends to. BTHs name the destination QP alone, so a response tells its responder only by
 * PSN: the one whose newest requests hold it. However many there are, that takes the same time.
 */
export class HostPair<T extends Responder> {
  readonly byNumber = new Map<number, T>();
  /** those whose reverse QP is not known, by the PSN of their newest request */
  readonly #unpaired = new Map<number, Set<T>>();
  /** by reverse QP, newest last */
  readonly #byPeer = new Map<number, T[]>();
  /** Responses that were from one of several. */
  ambiguous = 0;
  /** place in the trace of the first request: pairs are gone through in its order */
  readonly first: number;

  constructor(first = 0) {
    this.first = first;
  }

  add(number: number, responder: T): void {
    this.byNumber.set(number, responder);
    this.#put(responder);
  }

  remove(number: number, responder: T): void {
    this.byNumber.delete(number);
    const { peer } = responder;
    if (peer === undefined) return this.#take(responder);
    const others = (this.#byPeer.get(peer) ?? []).filter((one) => one !== responder);
    if (others.length === 0) this.#byPeer.delete(peer);
    else this.#byPeer.set(peer, others);
  }

  /** A request to it has this PSN. */
  requested(responder: T, psn: number): void {
    const ahead = psnDiff(psn, responder.newestPsn);
    if (ahead <= 0 && ahead >= -behindMost) return;
    const moves = responder.peer === undefined && bucketOf(psn) !== bucketOf(responder.newestPsn);
    if (moves) this.#take(responder);
    responder.newestPsn = psn;
    if (moves) this.#put(responder);
  }

  /**
   * Whose response to a QP it is that has this PSN. Where there are several connections, `answers` says of one whose reverse QP is not known
   * whether the response fits what was asked of it: else it may be from one whose requests nobody has seen.
   */
  answerer(peer: number, psn: number, answers: (responder: T) => boolean = () => true): Answerer<T> {
    const known = this.#byPeer.get(peer) ?? [];
    const newest = known.at(-1);
    if (newest !== undefined && isPlausible(newest, psn))
      return { only: newest, several: false, suspects: [] };
    const several = { only: undefined, several: true, suspects: known };
    if (known.length >= mostOfPeer) return several;
    const only = this.#only(known, psn);
    if (only === 'several') {
      this.ambiguous++;
      return several;
    }
    const unsure = only !== undefined && only.peer !== peer && this.byNumber.size > 1 && !answers(only);
    if (unsure) this.ambiguous++;
    else if (only !== undefined) this.#pair(only, peer);
    return { only: unsure ? undefined : only, several: false, suspects: known };
  }

  /** The only one that the PSN fits, among these and those whose reverse QP is not known. */
  #only(known: readonly T[], psn: number): T | 'several' | undefined {
    let only: T | undefined;
    for (const one of known) {
      if (!isPlausible(one, psn)) continue;
      if (only !== undefined) return 'several';
      only = one;
    }
    for (const one of this.#near(psn)) {
      if (one === 'more') return 'several';
      if (!isPlausible(one, psn)) continue;
      if (only !== undefined) return 'several';
      only = one;
    }
    return only;
  }

  /** Those whose reverse QP is not known and that the PSN fits; not all of them where they are many. */
  unpaired(psn: number): T[] {
    return [...this.#near(psn)].filter((one): one is T => one !== 'more' && isPlausible(one, psn));
  }

  /** Those whose reverse QP is not known and whose PSNs are near; `more` behind the last that is looked at. */
  *#near(psn: number): Generator<T | 'more'> {
    let looked = 0;
    const last = bucketOf(psn + behindMost);
    for (let bucket = bucketOf(psn - aheadMost); ; bucket = (bucket + 1) % buckets) {
      for (const one of this.#unpaired.get(bucket) ?? []) {
        if (++looked > mostLookedAt) return yield 'more';
        yield one;
      }
      if (bucket === last) return;
    }
  }

  #pair(responder: T, peer: number): void {
    if (responder.peer === undefined) this.#take(responder);
    responder.peer = peer;
    const others = (this.#byPeer.get(peer) ?? []).filter((one) => one !== responder);
    this.#byPeer.set(peer, [...others, responder]);
  }

  #put(responder: T): void {
    const bucket = bucketOf(responder.newestPsn);
    const there = this.#unpaired.get(bucket);
    if (there === undefined) this.#unpaired.set(bucket, new Set([responder]));
    else there.add(responder);
  }

  #take(responder: T): void {
    const bucket = bucketOf(responder.newestPsn);
    const there = this.#unpaired.get(bucket);
    there?.delete(responder);
    if (there?.size === 0) this.#unpaired.delete(bucket);
  }
}

function bucketOf(psn: number): number {
  return (psn & psnMask) >>> bucketBits;
}

function isPlausible({ newestPsn }: Responder, psn: number): boolean {
  const behind = psnDiff(newestPsn, psn);
  return behind < behindMost && behind > -aheadMost;
}
