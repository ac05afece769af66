import { captureLatitude } from '../../spec/latitudes.ts';
import { psnAdd, psnDiff } from '../../wire/psn.ts';

/** PSNs further apart than any window: the QP number serves a new connection. */
const { packets, times } = captureLatitude();

/**
 * Finds out when the number of a QP may have begun to serve another connection, so that nothing seen before holds for what comes: far
 * PSNs, or after a pause any but the next one. A packet that was answered with a NAK, or is the oldest unanswered one of a
 * connection that has got somewhere, is surely sent again. The sender may also go back to the first packet at once; then nothing is certain.
 */
export class ConnectionLife {
  #first = -1;
  #next = -1;
  /** behind the newest packet */
  #cursor = -1;
  /** behind the newest packet of the newest connection before this one that was answered; -1: there was none */
  #former = -1;
  #una = -1;
  #awaited = -1;
  /** whether a NAK has ended the connection, so that nothing is sent again */
  #ended = false;
  #last = 0;
  /** when the newest packet of either direction was seen */
  #newest = 0;
  /** Whether there was a pause, and behind it a response that nothing waited for, and no packet of the connection since. */
  silent = false;
  /** Whether the newest packet, if it is of the same connection as those before, had been acknowledged. */
  passed = false;
  /** Whether the newest packet is behind a pause, and hundreds of PSNs beyond the next one. */
  leaps = false;
  /**
   * Whether it is behind a pause, and further from those before than any window. Not where it goes back to the PSNs before these: packets
   * of the same connection may have had wrong ones.
   */
  far = false;
  /** Whether the newest packets begin at the first PSN once more, or before any other where nothing is sent again: they may be of another connection. */
  repeats = false;
  /** Whether the newest packet goes on behind a pause: it may be of another connection, of which the capture lacks the first packets. */
  resumes = false;
  /** Whether PSNs are missing in front of the newest packet: the capture lacks them, or it is of another connection. */
  skips = false;
  /** Whether the newest packet begins another connection, since a NAK has ended the one before. */
  succeeds = false;
  readonly #resends: boolean;
  readonly #lossy: boolean;
  /** whether packets are missing between those that were seen, or were answered that were not */
  #lacks = false;
  /** PSN behind those that the newest request may stand for, where nobody can count them; -1: they are counted */
  #mayReach = -1;
  /** PSN of the packet with which it went on behind a pause, until something behind it is answered; -1: none */
  #resumedAt = -1;
  /** the same, whether the capture lacks packets or not: those before it may have been lost in front of it */
  #wentOnAt = -1;
  /** the same, however far it is from the first one, or behind PSNs that are missing */
  #pausedAt = -1;
  /** PSN behind those before that pause, of which the first one of another connection may be any up to there */
  #pausedBehind = -1;

  /**
   * `resends`: the sender sends again what is lost. The packets of one that does not go back only where the network has changed their order, the
   * QP has been connected anew, or another QP sends to the same number.
   * `lossy`: the capture may lack packets, so that one that is awaited, or goes on, may be of another connection that has begun near the first PSN.
   */
  constructor({ resends, lossy }: { resends: boolean; lossy: boolean }) {
    this.#resends = resends;
    this.#lossy = lossy;
  }

  /**
   * Whether the packet may be of another connection than those before it. Of that one, the capture may lack the first packets. `differs`: it is
   * another request than that which had its PSN.
   */
  isNew(psn: number, t: number, differs: boolean): boolean {
    const paused = t - this.#last >= times.pause;
    this.#last = t;
    this.#newest = t;
    this.silent = false;
    const known = this.#next >= 0;
    const behind = this.#next;
    const ahead = known ? psnDiff(psn, this.#next) : 0;
    const follows = ahead === 0 || (ahead > 0 && this.#mayReach >= 0 && psnDiff(psn, this.#mayReach) <= 0);
    this.#mayReach = -1;
    const fresh =
      !known || Math.abs(ahead) > packets.far || (paused && !follows && !this.#awaits(psn, differs));
    this.skips = known && !fresh && ahead > 0 && !follows;
    if (this.skips) this.#lacks = true;
    const returns = this.#former >= 0 && Math.abs(psnDiff(psn, this.#former)) <= packets.far;
    this.far = known && paused && Math.abs(ahead) > packets.far && !returns;
    this.leaps = fresh && ahead > packets.lacking;
    this.passed = this.#una >= 0 && psnDiff(psn, this.#una) < 0;
    this.succeeds = fresh && this.#ended;
    if (fresh) {
      if (this.#una !== this.#first) this.#former = this.#next;
      this.#begin(psn);
    } else if (ahead >= 0) this.repeats = false;
    else this.#goesBack(psn, paused);
    this.#cursor = psnAdd(psn, 1);
    if (fresh || ahead >= 0) this.#next = this.#cursor;
    this.resumes = paused && !fresh && ahead >= 0;
    const beyond = fresh && known && paused && ahead > 0 && ahead <= packets.lacking;
    if (this.resumes || beyond) {
      this.#pausedAt = psn;
      this.#pausedBehind = behind;
    } else if (fresh) this.#pausedAt = -1;
    if (fresh) this.#resumedAt = this.#wentOnAt = -1;
    else if (this.resumes && this.#isNearFirst(psn)) {
      this.#wentOnAt = psn;
      if (this.#mayHaveBegun(psn)) this.#resumedAt = psn;
    }
    return fresh;
  }

  /** A response was seen; `asked`, which is called behind a pause: whether a request that it may answer was seen too. */
  heard(psn: number, t: number, asked: () => boolean): void {
    const paused = t - this.#newest >= times.pause;
    this.#newest = t;
    const reached = this.#mayReach < 0 ? this.#next : this.#mayReach;
    if (reached >= 0 && psnDiff(psn, reached) >= 0) this.#lacks = true;
    if (paused && !(psnDiff(psn, this.#una) >= 0 && asked())) this.silent = true;
  }

  /** The newest packet is the first one of another connection. */
  beginAnew(): void {
    this.#next = this.#cursor;
    this.#begin(psnAdd(this.#cursor, -1));
  }

  #begin(psn: number): void {
    this.#first = psn;
    this.#una = psn;
    this.#awaited = -1;
    this.#ended = false;
    this.repeats = false;
  }

  /** A NAK has ended the connection. Where nothing was lost, what comes again nevertheless is what it was, or of another connection. */
  ends(): void {
    this.#ended = true;
  }

  /** Whether packets behind a pause may be of another connection, as far as nothing is answered that shows the contrary. */
  get resumed(): boolean {
    return this.#resumedAt >= 0;
  }

  /** Whether the PSN may be one of another connection with the same first PSN, or nearly, of which the packets before it are missing. */
  #mayHaveBegun(psn: number): boolean {
    return this.#lossy && this.#lacks && this.#isNearFirst(psn);
  }

  #isNearFirst(psn: number): boolean {
    return psnDiff(psn, this.#first) <= packets.lacking;
  }

  /** Whether a NAK PSN sequence error with this PSN may ask for packets of another connection, of which the newest request behind a pause is the first in sight. */
  mayAskFor(psn: number): boolean {
    return this.#wentOnAt >= 0 && psnDiff(psn, this.#wentOnAt) < 0;
  }

  /** Whether the PSN is the first one, which was acknowledged: who expects it has been connected anew, however soon. */
  mayBeginAt(psn: number): boolean {
    return psn === this.#first && this.#una !== this.#first;
  }

  /** Whether a response may be of another connection, whose first PSN is behind those before a pause: it counts what came since, and no more. */
  mayCountAnew({ psn, msn }: { psn: number; msn: number }): boolean {
    if (this.#pausedAt < 0 || msn < 0) return false;
    const since = psnDiff(psn, this.#pausedBehind);
    return since >= 0 && msn <= since + 1;
  }

  /** Whether a response has acknowledged the PSN. */
  isAcknowledged(psn: number): boolean {
    return this.#una >= 0 && psnDiff(psn, this.#una) < 0;
  }

  #goesBack(psn: number, paused: boolean): void {
    const back = psnDiff(this.#cursor, psn);
    const first = psnDiff(psn, this.#first) <= 0;
    if (!this.#resends) this.repeats ||= first || back > packets.swapped;
    else if (back > 0) this.repeats = first || (paused && this.#mayHaveBegun(psn));
  }

  /** PSNs up to here, exclusive, belong to the newest request. */
  reaches(psn: number): void {
    if (psnDiff(psn, this.#next) > 0) this.#next = psn;
  }

  /** The newest request stands for PSNs up to here at most, exclusive. */
  mayReach(psn: number): void {
    this.#mayReach = psn;
  }

  /** A response has acknowledged everything before this PSN; `refused`: and asks for it once more. */
  answered(psn: number, refused: boolean): void {
    if (this.#resumedAt >= 0 && psnDiff(psn, this.#resumedAt) > 0) this.#resumedAt = -1;
    if (this.#wentOnAt >= 0 && psnDiff(psn, this.#wentOnAt) > 0) this.#wentOnAt = -1;
    if (this.#pausedAt >= 0 && psnDiff(psn, this.#pausedAt) > 0) this.#pausedAt = -1;
    if (this.#una < 0 || psnDiff(psn, this.#next) > 0) return;
    if (psnDiff(psn, this.#una) > 0) this.#una = psn;
    // of another connection it would acknowledge what has not been sent
    if (psnDiff(psn, this.#cursor) > 0) this.repeats = false;
    if (refused) this.#awaited = psn;
  }

  #awaits(psn: number, differs: boolean): boolean {
    if (this.#ended && (differs || this.#lossy)) return false;
    return psn !== this.#first && (psn === this.#una || psn === this.#awaited);
  }
}
