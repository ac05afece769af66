import { leastPathMtu } from '../../../spec/constants.ts';
import { psnAdd, psnDiff } from '../../../wire/psn.ts';
import { packetsOf } from '../../packets-of.ts';
import { startsMessage } from './seen-request.ts';
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
  readonly #byPsn = new Map<number, SeenRequest>();
  #reads: SeenRequest[] = [];
  /** the READ with the greatest PSN */
  #newestRead: SeenRequest | undefined;
  #message: SeenMessage | undefined;
  /** the request with the greatest PSN: nothing is looked up that is beyond it */
  #top: SeenRequest | undefined;
  /** PSNs lie so far apart that one beyond the greatest may be the oldest */
  #wide = false;
  /** the greatest PSN that was answered; -1 none */
  #answered = -1;

  at(psn: number): SeenRequest | undefined {
    const top = this.#top;
    if (top !== undefined && !this.#wide) {
      const ahead = psnDiff(psn, top.psn);
      if (ahead === 0) return top;
      if (ahead > 0) return undefined;
    }
    return this.#byPsn.get(psn);
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
    this.#byPsn.set(request.psn, request);
    const ahead = this.#top === undefined ? 1 : psnDiff(request.psn, this.#top.psn);
    if (ahead >= 0) this.#top = request;
    if (Math.abs(ahead) > farApart) this.#wide = true;
    if (request.family === 'read') {
      this.#reads.push(request);
      const newest = this.#newestRead;
      if (newest === undefined || psnDiff(request.psn, newest.psn) > 0) this.#newestRead = request;
      if (this.#reads.length > 2 * readsKept) this.#reads = this.#reads.slice(-readsKept);
    } else if (startsMessage(request)) this.#message = request.message;
    if (this.#byPsn.size <= 2 * packetsKept) return;
    let surplus = this.#byPsn.size - packetsKept;
    for (const psn of this.#byPsn.keys()) {
      if (surplus-- <= 0) break;
      this.#byPsn.delete(psn);
    }
  }

  /** The whole READ to whose responses the PSN belongs, with their number. */
  readAt(psn: number, mtu: number): WholeRead | undefined {
    const newest = this.#newestRead;
    if (newest === undefined) return undefined;
    if (psnDiff(psn, newest.psn) >= 0) return covers(newest, psn, mtu);
    for (let i = this.#reads.length - 1; i >= 0; i--) {
      const read = this.#reads[i];
      const found = read && covers(read, psn, mtu);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Whether the PSN may belong to the responses of a READ, of which nobody can say how many they are where the path MTU is not known (0). */
  mayBeOfRead(psn: number, mtu: number): boolean {
    const open = (read: SeenRequest): boolean =>
      responsesTo(read, mtu) === undefined && psnDiff(psn, read.psn) >= 0;
    return this.readAt(psn, mtu) !== undefined || (mtu === 0 && this.#reads.some(open));
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
    const [oldest] = this.#byPsn.values();
    return request !== oldest;
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
    return [...this.#byPsn.values()].filter(({ original }) => original !== undefined);
  }

  clear(): void {
    this.mtu = 0;
    this.#resumed = -1;
    this.#mtuBefore = false;
    this.#answered = -1;
    this.#byPsn.clear();
    this.#reads = [];
    this.#newestRead = undefined;
    this.#message = undefined;
    this.#top = undefined;
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
