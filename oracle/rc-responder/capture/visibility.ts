import { KeptHeaders } from '../../../wire/capture/kept-headers.ts';
import { requestShape } from '../../device/packet/opcode-shape.ts';
import { psnDiff } from '../../../wire/psn.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import type { Unmet } from '../responses/demands.ts';
import type { ResponderState } from '../state.ts';
import { beyondDoubt, endOf, fallsBelow, possibleMsns } from './bounds.ts';
import { farAway, lacksRequests, lateSpan, strayCount } from './late.ts';
import { detachNewest } from '../entry.ts';
import type { RequestEntry } from '../entry.ts';
import type { Elsewhere } from './late.ts';
import { ownReason } from './own-reason.ts';

/** Why some responses are not judged. */
export const copies = 'responses that repeat an earlier one, which may be copies of it';
/** Why others are not. */
export const otherConnection = 'responses that may be of another connection than those before';
export const repetitions = 'responses that may answer repetitions of requests from before the capture';
export const moreSince = 'responses to repeated requests, behind newer ones that the capture may lack';
export const malformed = 'responses to requests that no conformant requester sends';
export const overtaken = 'responses that later ones may have overtaken on the way';
const sinceLimit = 2048;

/** What a capture shows of one connection's requests, and what it may lack. */
export class CaptureVisibility {
  /** the newest requests before the window */
  readonly #passed = new KeptHeaders(lateSpan);
  newestPsn = -1;
  /** PSN of the newest READ, and the bytes that it asks for */
  #newestRead: { psn: number; announced: number | undefined } | undefined;
  /** the newest requests may be of another connection, and no response has shown yet that they are not */
  mayBeginAnew = false;
  /** and they do not go on where those before ended, behind a pause */
  leaps = false;
  /** two different requests since the last certain point have one PSN */
  contested = false;
  /** no conformant requester has sent all of the requests since then */
  mistrusted = false;
  /** first request seen since sight was (re)gained; -1 none */
  #firstPsn = -1;
  #synced = false;
  #certain: ResponderState | undefined;
  /** the response with the greatest PSN since then */
  #answer: { psn: number; msn: number } | undefined;
  /** MSNs have grown since then, by no more than PSNs have */
  #carriesOut = false;
  /** the greatest PSN that was answered, whether sight was regained since or not; -1 none */
  #reached = -1;
  /** requests since the last certain point */
  #since: RequestEntry[] = [];
  #copies: readonly RequestEntry[] = [];

  readonly #capabilities: ReadonlySet<string> | undefined;

  constructor(capabilities: ReadonlySet<string> | undefined) {
    this.#capabilities = capabilities;
  }

  /** Requests that are not in the window. */
  get elsewhere(): Elsewhere {
    return { earlier: this.#earlier, copies: this.#copies };
  }

  get #earlier(): readonly RequestEntry[] {
    return this.#passed.list().map((entry) => ({ kind: 'request', ...entry }));
  }

  /** A request was seen once more that may be a copy which was made on the way. */
  sawCopy(entry: RequestEntry): void {
    this.#copies = [...this.#copies.slice(1 - strayCount), entry];
  }

  /** Whether the request belongs to another connection than those before it. */
  isFar(psn: number): boolean {
    return this.newestPsn >= 0 && Math.abs(psnDiff(psn, this.newestPsn)) > farAway;
  }

  saw(entry: RequestEntry): void {
    const { psn, info } = entry.packet;
    if (this.#since.length < sinceLimit) this.#since.push(entry);
    else this.#certain = undefined;
    if (this.#firstPsn < 0) this.#firstPsn = psn;
    // a packet that is no request leaves its PSN to one that is
    if (info?.service !== 'RC') return;
    if (this.newestPsn < 0 || this.isFar(psn) || psnDiff(psn, this.newestPsn) > 0) this.newestPsn = psn;
    if (requestShape(entry.packet.opcode).family === 'read')
      this.#newestRead = { psn, announced: entry.packet.reth?.dmaLen };
  }

  /** Whether a response answers what came before the capture. */
  precedes(psn: number): boolean {
    if (this.#firstPsn < 0) return true;
    return !this.#synced && psnDiff(psn, this.#firstPsn) < 0;
  }

  /** Why the response may refuse any request, where nobody has said what the device declares; `undefined`: it may not. */
  ownReason(seen: ObservedReply): string | undefined {
    return this.#capabilities === undefined ? ownReason(seen) : undefined;
  }

  /** Why the request that explains the response may be missing from the capture; `undefined`: it is not. */
  lacking(seen: ObservedReply, window: readonly RequestEntry[], state: ResponderState): string | undefined {
    if (state.ePsn < 0) return 'responses while the expected PSN was not known';
    const why = this.#lacked(seen, window, state);
    if (why !== undefined) this.#reaches(seen.psn);
    return why;
  }

  #lacked(seen: ObservedReply, window: readonly RequestEntry[], state: ResponderState): string | undefined {
    const read = this.#newestRead;
    const reach = (read?.psn === this.newestPsn ? endOf(read, state) : undefined) ?? this.newestPsn;
    const ahead = psnDiff(seen.psn, reach);
    if (ahead > 0 || lacksRequests([...this.#earlier, ...window].slice(-lateSpan), state))
      return 'responses to requests that the capture does not hold';
    if (ahead === 0 && seen.kind === 'sequence-nak')
      return 'a NAK of a request that the capture does not hold';
    return undefined;
  }

  /** Whether a demand is not met that nothing beyond the capture could explain. */
  beyondDoubt(unmet: readonly Unmet[], seen: ObservedReply): boolean {
    return beyondDoubt(unmet, seen, this.#certain, this.#since);
  }

  /** The MSNs that a response may have, where its own is none of them; `undefined` where it is, or that is unknown. */
  possibleMsns(seen: ObservedReply): string | undefined {
    return possibleMsns(seen, this.#certain, this.#since);
  }

  /** The MSN that had been reached for sure, where the response counts less, whatever the capture lacks. */
  fallsBelow(seen: ObservedReply): number | undefined {
    return fallsBelow(seen, this.#certain);
  }

  /** Whether a response has acknowledged the newest request, and the state is certain. */
  caughtUp({ ePsn }: ResponderState): boolean {
    return this.#certain !== undefined && ePsn >= 0 && psnDiff(ePsn, this.newestPsn) === 1;
  }

  #reaches(psn: number): void {
    if (this.#reached < 0 || psnDiff(psn, this.#reached) > 0) this.#reached = psn;
  }

  /** The response has been explained; `again`: as one to a request that was carried out before, as another connection may have one too. */
  answered(seen: ObservedReply, again: boolean): void {
    const { psn, msn } = seen;
    const before = this.#reached >= 0 && psnDiff(psn, this.#reached) <= 0;
    if (!again && !before) this.mayBeginAnew = this.leaps = false;
    this.#reaches(psn);
    const newest = this.#answer;
    if (msn < 0 || (newest !== undefined && psnDiff(psn, newest.psn) <= 0)) return;
    const grown = newest === undefined ? 0 : psnDiff(msn, newest.msn);
    // by more where requests were carried out that the capture lacks; a READ may be counted only with its last response
    const exact = seen.kind !== 'read-response' || seen.position !== 'first';
    if (newest !== undefined && exact && grown > 0 && grown <= psnDiff(psn, newest.psn))
      this.#carriesOut = true;
    this.#answer = { psn, msn };
  }

  /**
   * Whether what was answered since sight was (re)gained may have been carried out before, so that its requests were repetitions, and this one
   * may be as well: the MSN has stayed what it was, or has grown by less than to `counted`. Of a repetition no fatal NAK is sent.
   */
  mayRepeat({ kind, psn, msn }: ObservedReply, counted: number): boolean {
    const newest = this.#answer;
    if (this.#carriesOut || kind === 'fatal-nak') return false;
    if (newest === undefined) return true;
    if (psnDiff(psn, newest.psn) <= 0) return false;
    return msn < 0 || msn === newest.msn || (psnDiff(msn, newest.msn) > 0 && psnDiff(msn, counted) < 0);
  }

  /** Whether one that was sent later has come before it. */
  overtaken({ psn, msn }: ObservedReply): boolean {
    const newest = this.#answer;
    return newest !== undefined && msn >= 0 && psnDiff(psn, newest.psn) < 0 && psnDiff(msn, newest.msn) < 0;
  }

  passed(window: readonly RequestEntry[]): void {
    for (const entry of window) this.#passed.push(entry);
  }

  /** What is kept of packets holds no part of the capture that they are from. */
  detach(): void {
    detachNewest(this.#since);
    detachNewest(this.#copies);
  }

  /** Every way agrees on this state. */
  certainAt(state: ResponderState | undefined): void {
    this.#synced = true;
    this.contested = this.mistrusted = false;
    this.#certain = state;
    const ePsn = state?.ePsn ?? -1;
    // one that was seen too early may be taken yet
    this.#since = this.#since.filter(({ packet }) => ePsn >= 0 && psnDiff(packet.psn, ePsn) >= 0);
  }

  restart(): void {
    if (this.mayBeginAnew) this.#reached = -1;
    this.mayBeginAnew = this.leaps = this.contested = this.mistrusted = false;
    this.#answer = undefined;
    this.#carriesOut = false;
    this.#firstPsn = -1;
    this.#synced = false;
    this.#certain = undefined;
    this.#since = [];
    this.#copies = [];
  }
}
