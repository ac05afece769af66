import { captureLatitude } from '../../spec/latitudes.ts';
import { psnDiff, psnMask } from '../../wire/psn.ts';

/** What is known of a connection by the packets to one of its QPs. */
export interface Responder {
  /** PSN of the newest request */
  newestPsn: number;
  /** number of the reverse QP, once known */
  peer: number | undefined;
  /** what responses of that QP show that answer what was asked of this connection, and of no other one whose reverse QP is not known for sure */
  fits: number;
  /** PSN of the newest of them; what comes twice is a copy of one */
  fitted: number;
  /** times of its first and of its newest request, nanoseconds */
  began: number;
  last: number;
}

/** What a response says of a connection that it may be from. */
export interface Fit<T> {
  /** whether it answers what was seen to be asked of it */
  answers: (responder: T) => boolean;
  /** the same, where nothing of it is left open */
  surelyAnswers: (responder: T) => boolean;
  /** whether its UDP source port is that of the newest request to it, as many NICs have it */
  sharesPort: (responder: T) => boolean;
  /** whether what it answers may still be unanswered */
  open: (responder: T) => boolean;
  /** the capture lacks no request, so that a response that fits none is from the only one that it may be from */
  lossless: boolean;
}

/** PSNs behind the newest request that a response may still carry and be identified by. */
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
/** So much shows that a reverse QP is that of a connection, and not of one whose requests the capture lacks. */
const enough = 4;
/** What a response that fits shows: more where no other connection has such PSNs. */
const shown = { alone: 2, amongOthers: 1 };

/** Whether the reverse QP is surely that of the connection. */
export function surelyPaired({ fits }: Pick<Responder, 'fits'>): boolean {
  return fits >= enough;
}

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
  /** those whose reverse QP is known, and not for sure */
  readonly #unsure = new Set<T>();
  /** by reverse QP, newest last */
  readonly #byPeer = new Map<number, T[]>();
  /** when the newest of them began */
  #began = Number.NEGATIVE_INFINITY;
  /** Responses that were from one of several. */
  ambiguous = 0;
  /** place in the trace of the first request: pairs are gone through in its order */
  readonly first: number;

  constructor(first = 0) {
    this.first = first;
  }

  add(number: number, responder: T): void {
    this.byNumber.set(number, responder);
    this.#began = Math.max(this.#began, responder.began);
    this.#put(responder);
  }

  remove(number: number, responder: T): void {
    this.byNumber.delete(number);
    this.#part(responder);
    this.#take(responder);
  }

  /** Both ends have said that its reverse QP is this one. */
  agreed(responder: T, peer: number): void {
    if (responder.peer !== peer) this.#part(responder);
    this.#pair(responder, peer, responder.newestPsn);
    responder.fits = enough;
    this.#unsure.delete(responder);
  }

  /** Its newest request may be the first of another connection. */
  begins(responder: T): void {
    responder.began = responder.last;
    this.#began = Math.max(this.#began, responder.began);
  }

  /** It is another connection now, of which nobody has said what its reverse QP is. */
  renewed(responder: T): void {
    if (responder.peer === undefined) return;
    responder.fits = 0;
    this.#unsure.add(responder);
  }

  /** Its reverse QP is another one than that which it was paired with. */
  #part(responder: T): void {
    const { peer } = responder;
    if (peer === undefined) return;
    responder.peer = undefined;
    responder.fits = 0;
    this.#unsure.delete(responder);
    this.#put(responder);
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

  /** The responder that is surely paired with the QP, where a response to it may have this PSN, and another has not begun since: then no other is asked. */
  sure(peer: number, psn: number): T | undefined {
    const newest = this.#byPeer.get(peer)?.at(-1);
    if (newest === undefined || !surelyPaired(newest) || !isPlausible(newest, psn)) return undefined;
    return this.#mayBeOver(newest) ? undefined : newest;
  }

  /** Whether another connection has begun behind a pause in which nothing was asked of this one, whose QP may serve that one now. */
  #mayBeOver({ last }: T): boolean {
    return beganBehind(this.#began, last);
  }

  /** Those that have begun since, and that the PSN fits. */
  #successors(newest: T, known: readonly T[], psn: number): T[] {
    if (!this.#mayBeOver(newest)) return [];
    return [...known, ...this.unpaired(psn)].filter(
      (one) => one !== newest && beganBehind(one.began, newest.last) && isPlausible(one, psn),
    );
  }

  /**
   * Whose response it is where others have begun since anything was asked of the one that its QP is paired with: of that one only if it
   * is the only one to have asked for it.
   */
  #succeeded(newest: T, successors: readonly T[], { answers, sharesPort, open }: Fit<T>): T | 'several' {
    const fitting = successors.filter(answers);
    const [only, another] = fitting.length === 1 ? fitting : fitting.filter(sharesPort);
    if (open(newest)) return fitting.length === 0 ? newest : 'several';
    return only === undefined || another !== undefined ? 'several' : only;
  }

  /**
   * Whose response to a QP it is that has this PSN. Where there are several connections, it is paired with none that it does not fit: it may
   * be from one whose requests nobody has seen. Of several that it fits, it is from the one that has its UDP source port.
   */
  answerer(peer: number, psn: number, fit: Fit<T> = fitsAll): Answerer<T> {
    const known = this.#byPeer.get(peer) ?? [];
    const newest = known.at(-1);
    if (newest !== undefined && isPlausible(newest, psn)) {
      const successors = this.#successors(newest, known, psn);
      const succeeds = successors.length === 0 ? newest : this.#succeeded(newest, successors, fit);
      if (succeeds === 'several') {
        this.ambiguous++;
        return { only: undefined, several: true, suspects: known };
      }
      if (succeeds !== newest) {
        this.#pair(succeeds, peer, psn, fit.surelyAnswers(succeeds));
        return { only: succeeds, several: false, suspects: [] };
      }
      const other = surelyPaired(newest) ? undefined : this.#weigh(newest, psn, fit);
      if (other !== undefined) {
        this.#part(newest);
        this.#part(other);
        this.#pair(other, peer, psn);
      }
      return { only: other ?? newest, several: false, suspects: [] };
    }
    const several = { only: undefined, several: true, suspects: known };
    if (known.length >= mostOfPeer) return several;
    const only = this.#only(known, psn, fit);
    if (only === 'several') {
      this.ambiguous++;
      return several;
    }
    const answers = only !== undefined && fit.answers(only);
    const unsure =
      only !== undefined && only.peer !== peer && this.byNumber.size > 1 && !answers && !fit.lossless;
    if (unsure) this.ambiguous++;
    else if (only !== undefined) this.#pair(only, peer, psn, fit.surelyAnswers(only));
    return { only: unsure ? undefined : only, several: false, suspects: known };
  }

  /** Notes whether a response fits the connection that its QP may be paired with. Gives the one that it is from instead, if only that fits. */
  #weigh(paired: T, psn: number, { answers, surelyAnswers, sharesPort }: Fit<T>): T | undefined {
    const maybe = [...firstOf(this.#unsure)].filter((one) => one !== paired && isPlausible(one, psn));
    const others = [...maybe, ...this.unpaired(psn)].filter(answers);
    if (answers(paired)) {
      const alone = others.length === 0 || (sharesPort(paired) && !others.some(sharesPort));
      if (alone && surelyAnswers(paired) && psn !== paired.fitted) paired.fits += this.#shows(psn);
      paired.fitted = psn;
      if (surelyPaired(paired)) this.#unsure.delete(paired);
      return undefined;
    }
    paired.fits = 0;
    return others.length === 1 ? others[0] : undefined;
  }

  /** The only one that the PSN fits, among these and those whose reverse QP is not known. */
  #only(known: readonly T[], psn: number, { answers, sharesPort }: Fit<T>): T | 'several' | undefined {
    const all = known.filter((one) => isPlausible(one, psn));
    for (const one of this.#near(psn)) {
      if (one === 'more') return 'several';
      if (isPlausible(one, psn)) all.push(one);
    }
    if (all.length <= 1) return all[0];
    const fitting = all.filter(answers);
    const [only, another] = fitting.length === 1 ? fitting : fitting.filter(sharesPort);
    return only === undefined || another !== undefined ? 'several' : only;
  }

  /** Those whose reverse QP is not known and that the PSN fits; not all of them where they are many. */
  unpaired(psn: number): T[] {
    return [...this.#near(psn)].filter((one): one is T => one !== 'more' && isPlausible(one, psn));
  }

  /** All that the PSN fits, whether their reverse QP is known or not; not all of them where they are many. */
  *plausible(psn: number): Generator<T> {
    for (const one of firstOf(this.byNumber.values())) if (isPlausible(one, psn)) yield one;
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

  #pair(responder: T, peer: number, psn: number, fits = true): void {
    if (responder.peer !== peer) {
      responder.fits = fits ? this.#shows(psn) : 0;
      responder.fitted = psn;
      this.#unsure.add(responder);
    }
    if (responder.peer === undefined) this.#take(responder);
    responder.peer = peer;
    const others = (this.#byPeer.get(peer) ?? []).filter((one) => one !== responder);
    this.#byPeer.set(peer, [...others, responder]);
  }

  #shows(psn: number): number {
    const [, another] = this.plausible(psn);
    return another === undefined ? shown.alone : shown.amongOthers;
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

/** Of a response of which the PSN alone is known. */
const fitsAll = {
  answers: () => true,
  surelyAnswers: () => true,
  sharesPort: () => false,
  open: () => false,
  lossless: false,
};

/** Not more of them than are looked at for one response. */
function* firstOf<T>(all: Iterable<T>): Generator<T> {
  let looked = 0;
  for (const one of all) {
    if (++looked > mostLookedAt) return;
    yield one;
  }
}

/** Whether the time is behind the other one by more than a QP is connected anew in. */
function beganBehind(began: number, last: number): boolean {
  return began - last >= captureLatitude().times.pause;
}

function bucketOf(psn: number): number {
  return (psn & psnMask) >>> bucketBits;
}

function isPlausible({ newestPsn }: Responder, psn: number): boolean {
  const behind = psnDiff(newestPsn, psn);
  return behind < behindMost && behind > -aheadMost;
}
