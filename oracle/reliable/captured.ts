import { judgeAnswer } from '../capture/answers.ts';
import { CompleteConnections } from '../capture/complete/connections.ts';
import type { CompleteConnection } from '../capture/complete/connections.ts';
import { Copies } from '../capture/copies.ts';
import { CapturedRequester } from '../capture/requester.ts';
import { psnDiff } from '../../wire/psn.ts';
import { reversedKey } from '../../wire/address-key.ts';
import type { Packet } from '../../wire/packet.ts';
import { Frames } from '../device/frames.ts';
import { Memory } from '../device/memory.ts';
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
import type { ReliableRules } from './rules.ts';

/** A responder found in a capture, the requester that it answers, and what pairs it with the QP that its responses go to. */
interface Found {
  judge: ResponderJudge;
  requester: CapturedRequester;
  /** judges what can be said of it if nothing was lost; `undefined` where something may be */
  complete: CompleteConnection | undefined;
  /** PSN of the newest request */
  newestPsn: number;
  /** number of the reverse QP, once known */
  peer: number | undefined;
}

/** PSNs behind the newest request that a response may still carry and be told apart by. */
const pairingSpan = 4096;

/**
 * The connections of a capture. BTHs name the destination QP alone, so a response tells its responder only by PSN: the
 * one responder between the two addresses whose newest requests hold that PSN. Where several do, none is judged by it.
 */
export class CapturedConnections implements Observer {
  readonly #found = new Map<string, Map<number, Found>>();
  readonly #paired = new Map<string, Map<number, Found>>();
  readonly #rules: ReliableRules;
  readonly #ledger: Ledger;
  readonly #frames: Frames;
  readonly #surroundings: QpSurroundings;
  readonly #sight: TraceHeader['sight'];
  readonly #copies: Copies;
  readonly #complete: CompleteConnections | undefined;

  constructor(
    { sight, complete }: TraceHeader,
    rules: ReliableRules,
    ledger: Ledger,
    { capabilities }: Objects,
  ) {
    this.#sight = sight;
    this.#rules = rules;
    this.#ledger = ledger;
    this.#copies = new Copies(ledger);
    this.#frames = new Frames(rules.device, ledger, {
      all: () => [],
      byNumber: () => undefined,
    });
    this.#complete = complete && new CompleteConnections(complete, rules, ledger, capabilities);
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
        break;
      case 'call':
      case 'call-failed':
      case 'completion':
      case 'async':
      case 'link':
      case 'rate':
      case 'hop':
      case 'memory':
      case 'stall':
      case 'gone':
    }
    return 'mine';
  }

  #packet(packet: Packet, when: When): void {
    this.#ledger.packets++;
    this.#complete?.now(when.t);
    const { info } = packet;
    if (info !== undefined && info.service !== 'RC' && this.#sight.packets === 'mid-path')
      return this.#ledger.skip(`${info.service} packets`);
    if (!isResponse(packet.opcode)) {
      const { judge, requester, complete } = this.#request(packet);
      const entry = { kind: 'request', event: when.event, t: when.t, packet } as const;
      const copy = requester.request(packet, when);
      complete?.request(entry, requester);
      // the responder may take any packet twice, seen or not
      if (copy) return this.#ledger.skip('requests that may be copies of earlier ones');
      return judge.push(entry);
    }
    const seen = observeReply(packet);
    if (seen === undefined) return;
    const found = this.#response(packet);
    if (found === undefined) return;
    if (packet.icrcOk && this.#answersWrongly(found, seen, when)) return found.complete?.forget();
    const copy = packet.icrcOk && found.requester.answered.again(seen);
    if (copy && this.#copies.found) this.#ledger.skip(copies);
    else found.judge.push({ kind: 'reply', event: when.event, t: when.t, seen, copy });
    found.complete?.reply(seen, when, found.judge);
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

  #request(packet: Packet): Found {
    const { addressKey, destQp, psn } = packet;
    let byNumber = this.#found.get(addressKey);
    if (byNumber === undefined) this.#found.set(addressKey, (byNumber = new Map()));
    let found = byNumber.get(destQp);
    if (found === undefined) {
      const judge = new ResponderJudge(this.#qp(packet), this.#rules, this.#ledger);
      judge.startUnknown();
      const { srcIp } = packet;
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
      found = { judge, requester, complete, newestPsn: psn, peer: undefined };
      byNumber.set(destQp, found);
    }
    const ahead = psnDiff(psn, found.newestPsn);
    if (ahead > 0 || ahead < -pairingSpan) found.newestPsn = psn;
    return found;
  }

  /** The responder that sent the response; `undefined` where that cannot be told. */
  #response(packet: Packet): Found | undefined {
    const key = reversedKey(packet.addressKey);
    let paired = this.#paired.get(key);
    if (paired === undefined) this.#paired.set(key, (paired = new Map()));
    const known = paired.get(packet.destQp);
    if (known !== undefined && this.#plausible(known, packet.psn)) return known;
    const candidates = [...(this.#found.get(key)?.values() ?? [])].filter(
      (f) => (f.peer === undefined || f.peer === packet.destQp) && this.#plausible(f, packet.psn),
    );
    const only = candidates[0];
    if (only === undefined || candidates.length > 1) {
      known?.complete?.forget();
      for (const { complete } of candidates) complete?.forget();
      this.#ledger.skip(
        only === undefined
          ? 'responses to requests that the capture does not hold'
          : 'responses that fit several connections',
      );
      return undefined;
    }
    only.peer = packet.destQp;
    only.judge.connection.set({ dest_qp_num: packet.destQp });
    paired.set(packet.destQp, only);
    return only;
  }

  #plausible(found: Found, psn: number): boolean {
    const behind = psnDiff(found.newestPsn, psn);
    // READ responses lie ahead of the request that asks for them
    return behind < pairingSpan && behind > -pairingSpan * 2;
  }

  #all(): ResponderJudge[] {
    return this.#connections().map(({ judge }) => judge);
  }

  #connections(): Found[] {
    return [...this.#found.values()].flatMap((byNumber) => [...byNumber.values()]);
  }

  #qp({ destQp, dstIp, srcIp, pkey }: Packet): Qp {
    const qp = seenQp(destQp, this.#surroundings, { name: `${qpName(destQp)} at ${dstIp}`, pkey, attr: {} });
    qp.peerAddress = srcIp;
    return qp;
  }
}
