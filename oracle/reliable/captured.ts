import { doubted } from '../capture/anew.ts';
import { judgeAnswer } from '../capture/answers.ts';
import { CompleteConnections } from '../capture/complete/connections.ts';
import type { CompleteConnection } from '../capture/complete/connections.ts';
import type { Copies } from '../capture/copies.ts';
import { CapturedRequester } from '../capture/requester.ts';
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
  /** time of the newest packet, nanoseconds */
  last: number;
}

/** Connections that are followed at a time; those that are quiet for longest are followed no further. */
const mostFollowed = 0x4000;

/**
 * The connections of a capture. A response that may be from several responders judges none of them.
 */
export class CapturedConnections implements Observer {
  readonly #pairs = new Map<string, HostPair<Found>>();
  #followed = 0;
  readonly #rules: ReliableRules;
  readonly #ledger: Ledger;
  readonly #frames: Frames;
  readonly #surroundings: QpSurroundings;
  readonly #sight: TraceHeader['sight'];
  readonly #copies: Copies;
  readonly #unreliable: CapturedUnreliable;
  readonly #complete: CompleteConnections | undefined;

  constructor(
    { sight, complete }: TraceHeader,
    rules: ReliableRules,
    {
      ledger,
      copies: seenTwice,
      objects: { capabilities },
    }: { ledger: Ledger; copies: Copies; objects: Objects },
  ) {
    this.#sight = sight;
    this.#rules = rules;
    this.#ledger = ledger;
    this.#copies = seenTwice;
    this.#frames = new Frames(rules.device, ledger, {
      all: () => [],
      byNumber: () => undefined,
    });
    this.#complete = complete && new CompleteConnections(complete, rules, ledger, capabilities);
    this.#unreliable = new CapturedUnreliable(
      rules.captured.unreliable,
      ledger,
      this.#copies,
      this.#complete,
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
        for (const judge of this.#all()) judge.settle(event.t);
        break;
      case 'gap':
        for (const judge of this.#all()) judge.loseSight(event.reason);
        for (const { complete } of this.#connections()) complete?.restart();
        this.#unreliable.forget();
        break;
      case 'call':
      case 'call-failed':
      case 'completion':
      case 'async':
      case 'link':
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
      const { judge, requester, complete } = this.#request(packet, when.t);
      const entry = { kind: 'request', event: when.event, t: when.t, packet } as const;
      const copy = requester.request(packet, when);
      if (requester.unsettles) judge.mayBeginAnew();
      complete?.request(entry, requester);
      // the responder may take any packet twice, seen or not
      if (copy) return this.#ledger.skip('requests that may be copies of earlier ones');
      return judge.push(entry);
    }
    const seen = observeReply(packet);
    if (seen === undefined) return;
    const found = this.#response(packet);
    if (found === undefined) return;
    found.last = when.t;
    const { requester, judge, complete } = found;
    const look = (): void => {
      this.#reply(found, seen, when);
    };
    if (!requester.repeats) return look();
    if (!doubted(this.#ledger, look)) return;
    requester.beginAnew();
    judge.mayBeginAnew();
    complete?.restart();
  }

  #reply(found: Found, seen: ObservedReply, when: When): void {
    const { packet } = seen;
    if (packet.icrcOk && this.#answersWrongly(found, seen, when)) return found.complete?.forget();
    const copy = packet.icrcOk && found.requester.answered.again(seen);
    if (copy && this.#copies.found) this.#ledger.skip(copies);
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

  finish(): void {
    this.#copies.finish();
    this.#complete?.finish(this.#connections());
  }

  #request(packet: Packet, t: number): Found {
    const { addressKey, destQp, psn } = packet;
    let pair = this.#pairs.get(addressKey);
    if (pair === undefined) this.#pairs.set(addressKey, (pair = new HostPair()));
    const known = pair.byNumber.get(destQp);
    const found = known ?? this.#begin(packet, pair.ambiguous);
    found.last = t;
    if (known !== undefined) {
      const { connection } = known.judge;
      if (!samePartition(connection, packet)) {
        connection.anyPartition = true;
        known.complete = undefined;
      }
      pair.requested(found, psn);
    } else {
      pair.add(destQp, found);
      if (++this.#followed > mostFollowed) this.#retire();
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
      copies: this.#copies,
      name,
    };
    const requester = new CapturedRequester(around);
    const complete = this.#complete?.connection(packet, judge, requester, name);
    return { judge, requester, complete, newestPsn: psn, peer: undefined, ambiguous, last: 0 };
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

  /** Follows the half of the connections that have been quiet for longest no further. */
  #retire(): void {
    const times = this.#connections().map(({ last }) => last);
    const limit = times.toSorted((a, b) => a - b)[times.length >>> 1] ?? Infinity;
    for (const [key, pair] of this.#pairs) {
      for (const [number, found] of pair.byNumber) {
        if (found.last > limit) continue;
        this.#complete?.over(found);
        pair.remove(number, found);
        this.#followed--;
        this.#ledger.skip(
          `connections that were quiet for longest, from where ${mostFollowed} others were open`,
        );
      }
      if (pair.byNumber.size === 0) this.#pairs.delete(key);
    }
  }

  #all(): ResponderJudge[] {
    return this.#connections().map(({ judge }) => judge);
  }

  #connections(): Found[] {
    return [...this.#pairs.values()].flatMap(({ byNumber }) => [...byNumber.values()]);
  }

  #qp({ destQp, dstIp, srcIp, pkey }: Packet): Qp {
    const qp = seenQp(destQp, this.#surroundings, { name: `${qpName(destQp)} at ${dstIp}`, pkey, attr: {} });
    qp.peerAddress = srcIp;
    return qp;
  }
}
