import { CapturedRequester } from '../capture/requester.ts';
import type { CompleteConnection, CompleteConnections } from '../capture/complete/connections.ts';
import type { Copies } from '../capture/copies.ts';
import type { Agreement } from '../capture/setups.ts';
import { mostFollowed, Roster } from '../capture/roster.ts';
import type { Seat } from '../capture/roster.ts';
import type { Stamps } from '../device/packet/stamps.ts';
import { reversedKey } from '../../wire/address-key.ts';
import type { ObservedReply } from '../device/packet/observed-reply.ts';
import type { Packet } from '../../wire/packet.ts';
import { Memory } from '../device/memory.ts';
import { samePkey } from '../device/packet/header.ts';
import { qpName, seenQp, type Qp, type QpSurroundings } from '../device/qp.ts';
import { ResponderJudge } from '../rc-responder/judge.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { When } from '../spot.ts';
import { Agreements, isAmongFirst } from './agreements.ts';
import { HostPair, surelyPaired } from './host-pair.ts';
import type { Responder } from './host-pair.ts';
import type { ReliableRules } from './rules.ts';

/** A responder found in a capture, the requester that it answers, and what pairs it with the QP that its responses go to. */
export interface Found extends Responder {
  judge: ResponderJudge;
  requester: CapturedRequester;
  /** judges what can be said of it if nothing was lost; `undefined` where something may be */
  complete: CompleteConnection | undefined;
  /** responses between the two addresses that could not be tied to a connection before it was known */
  ambiguous: number;
  seat: Seat | undefined;
  /** what both ends said of it before it began, where that was seen */
  agreement: Agreement | undefined;
  /** UDP source port of the newest request */
  port: number;
  /** requests have come since what is kept of them was last detached from the capture */
  attached: boolean;
  /** of its requests; unsure: of one, which may be wrong; several: which one is that of the QP is unknown */
  partition: 'unsure' | 'sure' | 'several';
}

/** Why some responses are not judged. */
export const lackedRequests = 'responses to requests that the capture does not hold';
/** Requests after which what is kept of them is detached from the capture. */
const stretch = 2048;
const noSeats: readonly Seat[] = [];

/** The RC connections that a capture shows, by addresses and QP numbers: which one a packet belongs to, and which are followed no further. */
export class FoundConnections {
  readonly #pairs = new Map<string, HostPair<Found>>();
  readonly #agreements = new Agreements();
  #requests = 0;
  #attached: Found[] = [];
  /** `undefined` where somebody else says who is followed no further */
  readonly #roster: Roster | undefined;
  readonly #rules: ReliableRules;
  readonly #ledger: Ledger;
  readonly #copies: Copies;
  readonly #stamps: Stamps;
  readonly #complete: CompleteConnections | undefined;
  readonly #surroundings: QpSurroundings;

  constructor(
    rules: ReliableRules,
    {
      ledger,
      copies,
      stamps,
      complete,
      capabilities,
      share,
    }: {
      ledger: Ledger;
      copies: Copies;
      stamps: Stamps;
      complete: CompleteConnections | undefined;
      capabilities: ReadonlySet<string> | undefined;
      share: boolean;
    },
  ) {
    this.#rules = rules;
    this.#ledger = ledger;
    this.#copies = copies;
    this.#stamps = stamps;
    this.#complete = complete;
    this.#roster = share ? undefined : new Roster();
    this.#surroundings = { memory: new Memory(), atDevice: false, verbs: false, capabilities, stamps };
  }

  /** The connection that a request belongs to, which may begin with it. */
  request(packet: Packet, { event, t }: When): Found {
    const { addressKey, destQp, psn } = packet;
    let pair = this.#pairs.get(addressKey);
    if (pair === undefined) this.#pairs.set(addressKey, (pair = new HostPair(event)));
    const known = pair.byNumber.get(destQp);
    const found = known ?? this.#begin(packet, pair.ambiguous, t);
    found.last = t;
    if (found.seat !== undefined) found.seat.last = t;
    found.port = packet.srcPort;
    if (known !== undefined) {
      const { connection } = known.judge;
      if (!samePkey(connection.pkey, packet.pkey)) {
        known.partition = 'several';
        known.complete = undefined;
      } else if (known.partition === 'unsure' && psn !== known.newestPsn) known.partition = 'sure';
      connection.anyPartition = known.partition !== 'sure';
      pair.requested(found, psn);
    } else {
      pair.add(destQp, found);
      found.seat = this.#roster?.add(addressKey, destQp, t);
    }
    this.#agree(packet, found, pair);
    if (!found.attached) this.#attached.push(found);
    found.attached = true;
    if (++this.#requests % stretch === 0) this.#detach();
    return found;
  }

  /** A quiet connection holds nothing of the capture, which would stay in memory otherwise. */
  #detach(): void {
    for (const found of this.#attached) {
      found.judge.detach();
      found.attached = false;
    }
    this.#attached = [];
  }

  /** Both ends of a connection that has not begun have said which two QPs it connects. */
  agreed(agreement: Agreement): void {
    this.#agreements.add(agreement);
  }

  #agree(packet: Packet, found: Found, pair: HostPair<Found>): void {
    const agreement = this.#agreements.take(packet);
    if (agreement === undefined) return;
    found.agreement = agreement;
    pair.agreed(found, agreement.peer);
    this.#answersTo(found, agreement.peer);
  }

  /** The request is the first of another connection than those before it to its QP. */
  renewed(request: Packet, found: Found): void {
    this.#pairs.get(request.addressKey)?.begins(found);
    if (found.agreement === undefined || isAmongFirst(request, found.agreement)) return;
    found.agreement = undefined;
    this.#pairs.get(request.addressKey)?.renewed(found);
  }

  #begin(packet: Packet, ambiguous: number, t: number): Found {
    const { destQp, psn, srcIp, srcPort: port } = packet;
    const judge = new ResponderJudge(this.#qp(packet), this.#rules, this.#ledger);
    judge.startUnknown();
    const name = (): string => {
      const peer = judge.connection.peerQpNumber;
      return peer === undefined ? `sender to ${qpName(destQp)} at ${srcIp}` : `${qpName(peer)} at ${srcIp}`;
    };
    const around = {
      rules: this.#rules.captured.requester,
      ledger: this.#ledger,
      copies: this.#copies,
      stamps: this.#stamps,
      lossy: this.#complete === undefined,
      name,
    };
    const requester = new CapturedRequester(around);
    const complete = this.#complete?.connection(packet, judge, requester, name);
    judge.connection.anyPartition = true;
    const unknown = { peer: undefined, fits: 0, fitted: -1, partition: 'unsure' } as const;
    const later = { agreement: undefined, seat: undefined, attached: false, began: t, last: t };
    return { judge, requester, complete, newestPsn: psn, port, ambiguous, ...unknown, ...later };
  }

  /** The responder that sent the response; `undefined` where that is not certain. */
  response(seen: ObservedReply): Found | undefined {
    const { addressKey, destQp, psn } = seen.packet;
    const pair = this.#pairs.get(reversedKey(addressKey));
    const found = pair && (pair.sure(destQp, psn) ?? this.#answerer(pair, seen));
    if (pair === undefined) this.#ledger.skip(lackedRequests);
    if (pair === undefined || found === undefined) return undefined;
    // one of the others may have been its
    if (this.#answersTo(found, destQp) && pair.ambiguous > found.ambiguous) found.complete?.forget();
    return found;
  }

  #answerer(pair: HostPair<Found>, seen: ObservedReply): Found | undefined {
    const { destQp, psn, srcPort } = seen.packet;
    const { only, several, suspects } = pair.answerer(destQp, psn, {
      answers: ({ requester }) => requester.asked.isAnsweredBy(seen),
      surelyAnswers: ({ requester }) => requester.asked.isSurelyAnsweredBy(seen),
      sharesPort: ({ port }) => port === srcPort,
      open: ({ requester }) => requester.awaits(seen),
      // where nothing was lost, one that fits no request is wrong
      lossless: this.#complete !== undefined,
    });
    if (only !== undefined) return only;
    for (const { complete } of suspects) complete?.forget();
    this.#ledger.skip(several ? 'responses that fit several connections' : lackedRequests);
    return undefined;
  }

  /** Notes which QP its responses go to; gives whether that is news. */
  #answersTo({ judge }: Found, peer: number): boolean {
    const { connection } = judge;
    if (connection.peerQpNumber === peer) return false;
    // answers of another one may have been taken for its own
    if (connection.peerQpNumber !== undefined) judge.mayBeginAnew();
    connection.set({ dest_qp_num: peer });
    return true;
  }

  /** Whether the response may be of a connection whose requests the capture lacks: too few have shown that its QP is that of this one. */
  unsure(found: Found): boolean {
    return !surelyPaired(found);
  }

  /** Whether another connection of the two addresses has asked for such a response. */
  another(found: Found, seen: ObservedReply): boolean {
    const pair = this.#pairs.get(reversedKey(seen.packet.addressKey));
    const lossy = this.#complete === undefined;
    for (const one of pair?.plausible(seen.psn) ?? [])
      if (one !== found && (lossy || one.peer === undefined) && one.requester.asked.mayBeAnsweredBy(seen))
        return true;
    return false;
  }

  /** Follows those that are quiet for longest no further, where there are too many. */
  retire(t: number): void {
    for (const seat of this.#roster?.over() ?? noSeats) this.over(seat, t);
  }

  /** It is followed no further. */
  over({ addressKey, destQp }: Pick<Seat, 'addressKey' | 'destQp'>, t: number): void {
    const pair = this.#pairs.get(addressKey);
    const found = pair?.byNumber.get(destQp);
    if (pair === undefined || found === undefined) return;
    this.#complete?.over(found, t);
    pair.remove(destQp, found);
    if (pair.byNumber.size === 0) this.#pairs.delete(addressKey);
    this.#ledger.skip(`connections that were quiet for longest, from where ${mostFollowed} others were open`);
  }

  /** All of them. What is reported while one is handed out counts as its own. */
  *all(): Generator<Found> {
    const { now } = this.#ledger;
    for (const { byNumber, first } of this.#pairs.values()) {
      now.place = first;
      yield* byNumber.values();
    }
    now.place = 0;
  }

  #qp({ destQp, dstIp, srcIp, pkey }: Packet): Qp {
    const qp = seenQp(destQp, this.#surroundings, { name: `${qpName(destQp)} at ${dstIp}`, pkey, attr: {} });
    qp.peerAddress = srcIp;
    return qp;
  }
}
