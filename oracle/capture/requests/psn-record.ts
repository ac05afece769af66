import { leastPathMtu } from '../../../spec/constants.ts';
import { psnAdd, psnDiff } from '../../../wire/psn.ts';
import { packetsOf } from '../../packets-of.ts';
import { RequestRows, none } from './request-rows.ts';
import { copyOf, startsMessage } from './seen-request.ts';
import type { SeenMessage, SeenRequest } from './seen-request.ts';

/** Packets that are remembered at least: more than are under way on any path. */
const packetsKept = 1024;
const readsKept = 256;
/** A READ of more responses is no READ that anybody sends. */
export const mostResponses = 0x400000;

/** Of so many packets in a row that lie further apart, the PSNs may wrap. */
const farApart = 2 ** 21 / packetsKept;

/** A READ and the number of its responses. */
export interface WholeRead {
  readonly read: SeenRequest;
  readonly count: number;
}

/** What each PSN of a connection stands for, of the newest ones. */
export class PsnRecord {
  /** bytes of a full packet; 0: not known */
  mtu = 0;
  /** PSN of the packet that goes on behind the newest pause; -1: there was none */
  #resumed = -1;
  #mtuBefore = false;
  readonly #rows = new RequestRows();
  /** how many of them are not READs alone that are remembered for longer */
  #count = 0;
  /** places of READs among the rows: the newest, and that with the greatest PSN; -1: none */
  #lastRead = none;
  #farthestRead = none;
  /** READs that are remembered */
  #reads = 0;
  #message: SeenMessage | undefined;
  /** place of the request with the greatest PSN, and that PSN: nothing is looked up that is beyond it */
  #top = none;
  #topPsn = none;
  /** PSNs lie so far apart that one beyond the greatest may be the oldest */
  #wide = false;
  /** the greatest PSN that was answered; -1 none */
  #answered = -1;

  at(psn: number): SeenRequest | undefined {
    if (this.#top >= 0 && !this.#wide) {
      const ahead = psnDiff(psn, this.#topPsn);
      if (ahead === 0) return this.#rows.at(this.#top);
      if (ahead > 0) return undefined;
    }
    const index = this.#rows.find(psn);
    return index < 0 ? undefined : this.#rows.at(index);
  }

  /** The message that the PSN surely belongs to: that of the packet before it goes on, or the RETH of the newest covers it. */
  messageAt(psn: number): SeenMessage | undefined {
    const before = this.at(psnAdd(psn, -1));
    if (before !== undefined)
      return before.position === 'last' || startsAlone(before) ? undefined : before.message;
    const message = this.#message;
    if (message?.bytes === undefined || this.mtu === 0) return undefined;
    const index = psnDiff(psn, message.psn);
    return index > 0 && index < packetsOf(message.bytes, this.mtu) ? message : undefined;
  }

  add(request: SeenRequest): void {
    const { psn } = request;
    const isRead = request.family === 'read';
    const index = this.#rows.add(request, isRead ? this.#lastRead : none);
    this.#count++;
    const ahead = this.#top < 0 ? 1 : psnDiff(psn, this.#topPsn);
    if (ahead >= 0) {
      this.#top = index;
      this.#topPsn = psn;
    }
    if (Math.abs(ahead) > farApart) this.#wide = true;
    if (isRead) {
      this.#lastRead = index;
      const farthest = this.#farthestRead;
      if (farthest < 0 || psnDiff(psn, this.#rows.psn(farthest)) > 0) this.#farthestRead = index;
      if (++this.#reads > 2 * readsKept) this.#reads = readsKept;
    } else if (startsMessage(request)) this.#message = request.message;
    if (this.#count > 2 * packetsKept) this.#dropOldest();
  }

  /** Keeps the newest packets, and the newest READs whether they are among them or not. */
  #dropOldest(): void {
    const rows = this.#rows;
    let surplus = this.#count - packetsKept;
    const reads = new Set(this.#readsBack());
    for (const special of [this.#top, this.#farthestRead]) if (special >= 0) reads.add(special);
    const moved = rows.drop((index) => {
      if (rows.isHidden(index) || surplus > 0) {
        if (!rows.isHidden(index)) surplus--;
        return reads.has(index) ? 'hidden' : 'no';
      }
      return 'visible';
    });
    this.#count = packetsKept;
    this.#top = moved[this.#top] ?? none;
    this.#lastRead = moved[this.#lastRead] ?? none;
    this.#farthestRead = moved[this.#farthestRead] ?? none;
  }

  /** The READs that are remembered, the newest first. */
  *#readsBack(): Generator<number> {
    let index = this.#lastRead;
    for (let left = this.#reads; left > 0 && index >= 0; left--) {
      yield index;
      index = this.#rows.readBefore(index);
    }
  }

  /** The whole READ to whose responses the PSN belongs, with their number. */
  readAt(psn: number, mtu: number): WholeRead | undefined {
    const farthest = this.#farthestRead;
    if (farthest < 0) return undefined;
    const rows = this.#rows;
    if (psnDiff(psn, rows.psn(farthest)) >= 0) return covers(rows.at(farthest), psn, mtu);
    let index = this.#lastRead;
    for (let left = this.#reads; left > 0 && index >= 0; left--) {
      const found = covers(rows.at(index), psn, mtu);
      if (found !== undefined) return found;
      index = rows.readBefore(index);
    }
    return undefined;
  }

  /** Whether the PSN may belong to the responses of a READ, of which nobody can say how many they are where the path MTU is not known (0). */
  mayBeOfRead(psn: number, mtu: number): boolean {
    const open = (read: SeenRequest): boolean =>
      responsesTo(read, mtu) === undefined && psnDiff(psn, read.psn) >= 0;
    if (this.readAt(psn, mtu) !== undefined) return true;
    if (mtu === 0) for (const index of this.#readsBack()) if (open(this.#rows.at(index))) return true;
    return false;
  }

  /**
   * Whether a packet in front of the request, which was seen once, may have reached the responder later or not at all: the PSN before it was not seen,
   * unless it is the oldest, or seen behind it. The responder may then have taken what was sent in its place, and not the request.
   */
  mayHaveOvertaken(request: SeenRequest): boolean {
    if (request.sights > 1) return false;
    const psn = psnAdd(request.psn, -1);
    const before = this.at(psn) ?? this.readAt(psn, this.mtu)?.read;
    if (before !== undefined) return before.lastSeen > request.lastSeen;
    return request.psn !== this.#oldest();
  }

  /** Whether a response may belong to a repeated request: one with its PSN or a later one came before. From now on this one has. */
  answeredAgain(psn: number): boolean {
    const ahead = this.#answered < 0 ? 1 : psnDiff(psn, this.#answered);
    if (ahead > 0) this.#answered = psn;
    return ahead <= 0;
  }

  /** Behind a pause, from this PSN on, packets may be of another connection, with another path MTU. */
  resume(psn: number): void {
    this.#resumed = psn;
    this.#mtuBefore = this.mtu !== 0;
  }

  /** Takes the path MTU from a full packet; 0: it is one of two lengths. */
  learn(mtu: number): void {
    this.mtu = mtu;
    this.#mtuBefore = false;
  }

  /** Whether what its length is held against stems from before the pause: the path MTU, or the beginning of its message. */
  heldAgainstBefore({ message }: SeenRequest): boolean {
    return (
      this.#mtuBefore ||
      (this.#resumed >= 0 && message !== undefined && psnDiff(message.psn, this.#resumed) < 0)
    );
  }

  /** ATOMICs of which the answer was seen. */
  answeredAtomics(): SeenRequest[] {
    const found: SeenRequest[] = [];
    for (const [psn, { original }] of this.#rows.more) {
      const index = original === undefined ? none : this.#rows.find(psn);
      if (index >= 0) found.push(copyOf(this.#rows.at(index)));
    }
    return found;
  }

  /** PSN of the packet that came first; -1: there is none. */
  #oldest(): number {
    const rows = this.#rows;
    for (let index = 0; index < rows.length; index++) if (!rows.isHidden(index)) return rows.psn(index);
    return none;
  }

  clear(): void {
    this.mtu = 0;
    this.#resumed = -1;
    this.#mtuBefore = false;
    this.#answered = -1;
    this.#rows.clear();
    this.#count = 0;
    this.#reads = 0;
    this.#lastRead = this.#farthestRead = none;
    this.#message = undefined;
    this.#top = this.#topPsn = none;
    this.#wide = false;
  }
}

/** Responses that a READ calls for; `undefined` where the path MTU is not known (0), or nobody can send as many. */
function responsesTo({ reth }: SeenRequest, mtu: number): number | undefined {
  const bytes = reth?.dmaLen ?? 0;
  // such a READ is answered by one packet whatever the path MTU
  const count = bytes <= leastPathMtu ? 1 : mtu === 0 ? undefined : packetsOf(bytes, mtu);
  return count === undefined || count > mostResponses ? undefined : count;
}

function covers(read: SeenRequest, psn: number, mtu: number): WholeRead | undefined {
  const count = responsesTo(read, mtu);
  const index = psnDiff(psn, read.psn);
  return count !== undefined && index >= 0 && index < count ? { read, count } : undefined;
}

function startsAlone({ position }: SeenRequest): boolean {
  return position === 'only';
}
