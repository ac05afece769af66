import { doubted } from '../capture/anew.ts';
import { judgeAnswer } from '../capture/answers.ts';
import { CompleteConnections } from '../capture/complete/connections.ts';
import type { CompleteConnection } from '../capture/complete/connections.ts';
import type { CaptureFindings } from '../capture/findings.ts';
import type { Note } from '../device/notes.ts';
import { CapturedRequester } from '../capture/requester.ts';
import { mostFollowed, Roster } from '../capture/roster.ts';
import type { Seat } from '../capture/roster.ts';
import { SenderQueue } from '../capture/sender-queue.ts';
import { CapturedUnreliable } from '../capture/unreliable.ts';
import { reversedKey } from '../../wire/address-key.ts';
import type { Packet } from '../../wire/packet.ts';
import { Frames } from '../device/frames.ts';
import { Memory } from '../device/memory.ts';
import { samePartition } from '../device/packet/header.ts';
import type { Objects } from '../device/objects.ts';
import { observeReply } from '../device/packet/observed-reply.ts';
import type { ObservedReply } from '../device/packet/observed-reply.ts';
import type { Observer } from '../device/observer.ts';
import { isResponse } from '../device/packet/opcode-shape.ts';
import { qpName, seenQp, type Qp, type QpSurroundings } from '../device/qp.ts';
import { copies } from '../rc-responder/capture/visibility.ts';
import { ResponderJudge } from '../rc-responder/judge.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { When } from '../spot.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import { HostPair } from './host-pair.ts';
import type { Responder } from './host-pair.ts';
import type { ReliableRules } from './rules.ts';

/** A responder found in a capture, the requester that it answers, and what pairs it with the QP that its responses go to. */
interface Found extends Responder {
  judge: ResponderJudge;
  requester: CapturedRequester;
  /** judges what can be said of it if nothing was lost; `undefined` where something may be */
  complete: CompleteConnection | undefined;
  /** responses between the two addresses that could not be tied to a connection before it was known */
  ambiguous: number;
  seat: Seat | undefined;
}

const noSeats: readonly Seat[] = [];

/**
 * The connections of a capture. A response that may be from several responders judges none of them.
 */
export class CapturedConnections implements Observer {
  readonly #pairs = new Map<string, HostPair<Found>>();
  /** `undefined` where somebody else says who is followed no further */
  readonly #roster: Roster | undefined;
  readonly #rules: ReliableRules;
  readonly #ledger: Ledger;
  readonly #frames: Frames;
  readonly #surroundings: QpSurroundings;
  readonly #sight: TraceHeader['sight'];
  readonly #findings: CaptureFindings;
  readonly #unreliable: CapturedUnreliable;
  readonly #complete: CompleteConnections | undefined;

  /** `share`: it judges some of the connections, and is told by notes what it has to know of the others. */
  constructor(
    { sight }: TraceHeader,
    rules: ReliableRules,
    {
      ledger,
      findings,
      objects: { capabilities },
      share = false,
    }: { ledger: Ledger; findings: CaptureFindings; objects: Objects; share?: boolean },
  ) {
    this.#sight = sight;
    this.#rules = rules;
    this.#ledger = ledger;
    this.#findings = findings;
    this.#roster = share ? undefined : new Roster();
    this.#frames = new Frames(rules.device, ledger, {
      all: () => [],
      byNumber: () => undefined,
    });
    const { ports, held, copies: seenTwice } = findings;
    this.#complete = ports && new CompleteConnections(ports, held, rules, capabilities);
    this.#unreliable = new CapturedUnreliable(
      rules.captured.unreliable,
      ledger,
      seenTwice,
      this.#complete,
      share ? undefined : new SenderQueue(),
    );
    this.#surroundings = { memory: new Memory(), atDevice: false, verbs: false, capabilities };
  }

  see(event: TraceEvent, index: number): 'mine' {
    switch (event.kind) {
      case 'packet':
        this.#packet(event.packet, { event: index, t: event.t });
        break;
      case 'frame':
        this.#frames.frame(event, index);
        break;
      case 'settled':
        for (const { judge } of this.#connections()) judge.settle(event.t);
        break;
      case 'gap':
        for (const { judge } of this.#connections()) judge.loseSight(event.reason);
        for (const { complete } of this.#connections()) complete?.restart();
        this.#unreliable.forget();
        break;
      case 'call':
      case 'call-failed':
      case 'completion':
      case 'async':
      case 'link':
      case 'gid':
      case 'rate':
      case 'cq-event':
      case 'hop':
      case 'memory':
      case 'stall':
      case 'gone':
    }
    return 'mine';
  }

  #packet(packet: Packet, when: When): void {
    this.#ledger.packets++;
    this.#complete?.saw(packet, when.t);
    const { info } = packet;
    if (info?.service === 'UC' || info?.service === 'UD')
      return this.#unreliable.packet(packet, info.service, when);
    if (info !== undefined && info.service !== 'RC' && this.#sight.packets === 'mid-path')
      return this.#ledger.skip(`${info.service} packets`);
    if (!isResponse(packet.opcode)) {
      const { judge, requester, complete } = this.#request(packet, when);
      const entry = { kind: 'request', event: when.event, t: when.t, packet } as const;
      const copy = requester.request(packet, when);
      if (requester.unsettles) judge.mayBeginAnew();
      complete?.request(entry, requester);
      // the responder may take any packet twice, seen or not
      if (copy) this.#ledger.skip('requests that may be copies of earlier ones');
      else judge.push(entry);
      return this.#retire(when.t);
    }
    const seen = observeReply(packet);
    if (seen === undefined) return;
    const found = this.#response(packet);
    if (found === undefined) return;
    const { requester, judge, complete } = found;
    if (!requester.repeats) return this.#reply(found, seen, when);
    const look = (): void => {
      this.#reply(found, seen, when);
    };
    if (!doubted(this.#ledger, look)) return;
    requester.beginAnew();
    judge.mayBeginAnew();
    complete?.restart();
  }

  #reply(found: Found, seen: ObservedReply, when: When): void {
    const { packet } = seen;
    if (packet.icrcOk && this.#answersWrongly(found, seen, when)) return found.complete?.forget();
    const copy = packet.icrcOk && found.requester.answered.again(seen);
    if (copy && this.#findings.copies.between(packet.addressKey)) this.#ledger.skip(copies);
    else found.judge.push({ kind: 'reply', event: when.event, t: when.t, seen, copy });
    found.complete?.reply(seen, when, found.judge, found.requester.repeats);
  }

  /** Whether the response is wrong by the request alone that it answers, which has been reported. */
  #answersWrongly({ judge, requester }: Found, seen: ObservedReply, when: When): boolean {
    requester.reply(seen, when.t);
    const verdict = judgeAnswer(this.#rules.captured, requester.record, requester.mtu, seen);
    if (verdict === undefined) return false;
    const { rule, wrong } = verdict;
    if (wrong === undefined) return false;
    this.#ledger.exercise([rule]);
    this.#ledger.violate({ rule: rule.id, ...when, qp: judge.connection.name, ...wrong });
    return true;
  }

  /** What is to be known of connections that others judge. */
  note(note: Note): void {
    switch (note.kind) {
      case 'left':
        return this.#unreliable.leave(note.sender);
      case 'migrated':
        return this.#complete?.migrated(note.destQp ?? 'all');
      case 'newest':
        return this.#complete?.reaches(note.t);
      case 'over':
        return this.#over(note, note.t);
    }
  }

  finish(): void {
    for (const found of this.#connections()) this.#complete?.over(found);
  }

  #request(packet: Packet, { event, t }: When): Found {
    const { addressKey, destQp, psn } = packet;
    let pair = this.#pairs.get(addressKey);
    if (pair === undefined) this.#pairs.set(addressKey, (pair = new HostPair(event)));
    const known = pair.byNumber.get(destQp);
    const found = known ?? this.#begin(packet, pair.ambiguous);
    if (found.seat !== undefined) found.seat.last = t;
    if (known !== undefined) {
      const { connection } = known.judge;
      if (!samePartition(connection, packet)) {
        connection.anyPartition = true;
        known.complete = undefined;
      }
      pair.requested(found, psn);
    } else {
      pair.add(destQp, found);
      found.seat = this.#roster?.add(addressKey, destQp, t);
    }
    return found;
  }

  #begin(packet: Packet, ambiguous: number): Found {
    const { destQp, psn, srcIp } = packet;
    const judge = new ResponderJudge(this.#qp(packet), this.#rules, this.#ledger);
    judge.startUnknown();
    const name = (): string => {
      const peer = judge.connection.peerQpNumber;
      return peer === undefined ? `sender to ${qpName(destQp)} at ${srcIp}` : `${qpName(peer)} at ${srcIp}`;
    };
    const around = {
      rules: this.#rules.captured.requester,
      ledger: this.#ledger,
      copies: this.#findings.copies,
      name,
    };
    const requester = new CapturedRequester(around);
    const complete = this.#complete?.connection(packet, judge, requester, name);
    return { judge, requester, complete, newestPsn: psn, peer: undefined, ambiguous, seat: undefined };
  }

  /** The responder that sent the response; `undefined` where that cannot be told. */
  #response({ addressKey, destQp, psn }: Packet): Found | undefined {
    const pair = this.#pairs.get(reversedKey(addressKey));
    const answerer = pair?.answerer(destQp, psn);
    const found = answerer?.only;
    if (pair === undefined || answerer === undefined || found === undefined) {
      for (const { complete } of answerer?.suspects ?? []) complete?.forget();
      this.#ledger.skip(
        answerer?.several === true
          ? 'responses that fit several connections'
          : 'responses to requests that the capture does not hold',
      );
      return undefined;
    }
    const { judge, complete } = found;
    if (judge.connection.peerQpNumber !== destQp) {
      judge.connection.set({ dest_qp_num: destQp });
      // one of the others may have been its
      if (pair.ambiguous > found.ambiguous) complete?.forget();
    }
    return found;
  }

  /** Follows those that are quiet for longest no further, where there are too many. */
  #retire(t: number): void {
    for (const seat of this.#roster?.over() ?? noSeats) this.#over(seat, t);
  }

  #over({ addressKey, destQp }: Pick<Seat, 'addressKey' | 'destQp'>, t: number): void {
    const pair = this.#pairs.get(addressKey);
    const found = pair?.byNumber.get(destQp);
    if (pair === undefined || found === undefined) return;
    this.#complete?.over(found, t);
    pair.remove(destQp, found);
    if (pair.byNumber.size === 0) this.#pairs.delete(addressKey);
    this.#ledger.skip(`connections that were quiet for longest, from where ${mostFollowed} others were open`);
  }

  /** All of them; what is told meanwhile belongs to the one that it was given. */
  *#connections(): Generator<Found> {
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
