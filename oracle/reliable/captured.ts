import { anotherConnection, doubted, orAnew } from '../capture/anew.ts';
import { judgeAnswer } from '../capture/answers.ts';
import type { AnswerVerdict } from '../capture/answers.ts';
import { CompleteConnections } from '../capture/complete/connections.ts';
import { wrongPad } from '../capture/lengths.ts';
import type { CaptureFindings } from '../capture/findings.ts';
import type { Note } from '../device/notes.ts';
import { SenderQueue } from '../capture/sender-queue.ts';
import { ConnectionSetups } from '../capture/setups.ts';
import { Stamps } from '../device/packet/stamps.ts';
import { CapturedUnreliable } from '../capture/unreliable.ts';
import type { Packet } from '../../wire/packet.ts';
import { Frames } from '../device/frames.ts';
import type { Objects } from '../device/objects.ts';
import { observeReply } from '../device/packet/observed-reply.ts';
import type { ObservedReply } from '../device/packet/observed-reply.ts';
import type { Observer } from '../device/observer.ts';
import { isResponse, requestShape } from '../device/packet/opcode-shape.ts';
import { copies } from '../rc-responder/capture/visibility.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { When } from '../spot.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import { FoundConnections, lackedRequests } from './found-connections.ts';
import type { Found } from './found-connections.ts';
import type { ReliableRules } from './rules.ts';

/**
 * The connections of a capture. A response that may be from several responders judges none of them.
 */
export class CapturedConnections implements Observer {
  readonly #found: FoundConnections;
  readonly #rules: ReliableRules;
  readonly #ledger: Ledger;
  readonly #frames: Frames;
  readonly #sight: TraceHeader['sight'];
  readonly #findings: CaptureFindings;
  readonly #stamps = new Stamps();
  readonly #share: boolean;
  readonly #setups = new ConnectionSetups();
  readonly #unreliable: CapturedUnreliable;
  readonly #complete: CompleteConnections | undefined;

  /** `share`: it judges some of the connections, and gets by notes what it has to know of the others. */
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
    this.#share = share;
    this.#rules = rules;
    this.#ledger = ledger;
    this.#findings = findings;
    this.#frames = new Frames(rules.device, ledger, {
      all: () => [],
      byNumber: () => undefined,
    });
    const { ports, held, copies: seenTwice } = findings;
    this.#complete = ports && new CompleteConnections(ports, held, this.#stamps, rules, capabilities);
    this.#unreliable = new CapturedUnreliable(
      rules.captured.unreliable,
      ledger,
      seenTwice,
      this.#complete,
      share ? undefined : new SenderQueue(),
    );
    const complete = this.#complete;
    this.#found = new FoundConnections(rules, {
      ledger,
      copies: seenTwice,
      stamps: this.#stamps,
      complete,
      capabilities,
      share,
    });
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
        for (const { judge } of this.#found.all()) judge.settle(event.t);
        break;
      case 'gap':
        for (const { judge } of this.#found.all()) judge.loseSight(event.reason);
        for (const { complete } of this.#found.all()) complete?.restart();
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
      case 'second-context':
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
    if (!this.#share) this.#stamps.saw(when.t);
    const { info } = packet;
    if (info?.service === 'UC' || info?.service === 'UD') {
      if (!this.#share) for (const agreed of this.#setups.saw(packet)) this.#found.agreed(agreed);
      return this.#unreliable.packet(packet, info.service, when);
    }
    if (info === undefined) this.#ledger.skip('packets with a reserved opcode');
    if (info !== undefined && info.service !== 'RC' && this.#sight.packets === 'mid-path')
      return this.#ledger.skip(`${info.service} packets`);
    if (!isResponse(packet.opcode)) {
      const found = this.#found.request(packet, when);
      const { judge, requester, complete } = found;
      if (info !== undefined && requestShape(packet.opcode).family === 'other')
        return this.#ofAnnex(found, info.operation);
      const entry = { kind: 'request', event: when.event, t: when.t, packet } as const;
      const copy = requester.request(packet, when);
      if (requester.renewed) this.#found.renewed(packet, found);
      if (requester.unsettles) judge.mayBeginAnew(requester.leaps);
      if (requester.succeeds) judge.beginAnew();
      else if (requester.disputes) judge.contest();
      complete?.request(entry, requester);
      if (copy) {
        this.#ledger.skip('requests that may be copies of earlier ones');
        judge.sawCopy(entry);
      } else judge.push(entry);
      return this.#found.retire(when.t);
    }
    const seen = observeReply(packet);
    if (seen === undefined) return;
    const found = this.#found.response(seen);
    if (found === undefined) return;
    const { requester, judge, complete } = found;
    requester.noteResponse(seen, when.t);
    if (this.#found.unsure(found)) return this.#ofAnother(found, seen, when);
    if (!requester.uncertain) return this.#reply(found, seen, when);
    const look = (): void => {
      this.#reply(found, seen, when);
    };
    if (!doubted(this.#ledger, look)) return;
    requester.beginAnew();
    judge.mayBeginAnew();
    complete?.restart();
  }

  /** An operation that no rule is about (IBTA annex A19). What the responder has carried out with it, responses to what follows tell. */
  #ofAnnex(found: Found, operation: string): void {
    this.#ledger.skip(`${operation} requests`);
    found.judge.startUnknown();
    found.complete = undefined;
  }

  /** A response of a QP that may be that of another connection, whose requests the capture lacks. */
  #ofAnother(found: Found, seen: ObservedReply, when: When): void {
    const { requester, judge } = found;
    const fits = !seen.packet.icrcOk || requester.asked.isAnsweredBy(seen);
    const look = (): void => {
      if (fits) this.#reply(found, seen, when);
      else this.#judgeAnswer(found, seen, when);
    };
    const wrong = this.#ledger.tentatively(look);
    for (const one of wrong) {
      // which holds of every response
      if (one.rule === this.#rules.captured.idleBits?.id) this.#ledger.violate(one);
      else this.#ledger.doubt(orAnew(one, anotherConnection));
    }
    if (wrong.length > 0 && fits) judge.mayBeginAnew();
    if (wrong.length === 0 && !fits) this.#ledger.skip(lackedRequests);
  }

  #reply(found: Found, seen: ObservedReply, when: When): void {
    const { packet } = seen;
    if (packet.icrcOk && this.#answersWrongly(found, seen, when)) return found.complete?.forget();
    const copy = packet.icrcOk && found.requester.answered.again(seen);
    if (copy && this.#findings.copies.between(packet.addressKey)) this.#ledger.skip(copies);
    else found.judge.push({ kind: 'reply', event: when.event, t: when.t, seen, copy });
    found.complete?.reply(seen, when, found.judge, found.requester.repeats);
  }

  /** Whether the response is wrong by the request alone that it answers, which has been reported where that is certain. */
  #answersWrongly(found: Found, seen: ObservedReply, when: When): boolean {
    found.requester.reply(seen, when.t);
    this.#anotherValue(found, seen, when);
    return this.#judgeAnswer(found, seen, when);
  }

  /** A rule that the response breaks whatever the responder makes of the requests, and how. */
  #wrongAnswer({ requester }: Found, seen: ObservedReply, { t }: When): AnswerVerdict | undefined {
    const { captured } = this.#rules;
    const verdict = judgeAnswer(captured, requester.asked, seen);
    const ended = requester.afterEnd(seen, t);
    const pad = wrongPad(seen.packet.payloadLength, seen.packet.padCount);
    if (captured.header !== undefined && pad !== undefined) return { rule: captured.header, wrong: pad };
    if (verdict?.wrong !== undefined) return verdict;
    return ended && captured.ended && { rule: captured.ended, wrong: ended };
  }

  /** Where nothing was lost, an ATOMIC that comes again behind a pause is known to be of the same connection. */
  #anotherValue({ judge, requester }: Found, seen: ObservedReply, when: When): void {
    const rule = this.#rules.captured.atomicValue;
    const wrong = requester.anotherValue(seen);
    if (rule === undefined || wrong === undefined) return;
    const { ledger } = this.#findings.held;
    ledger.exercise([rule]);
    ledger.violate({ rule: rule.id, ...when, qp: judge.connection.name, ...wrong });
  }

  #judgeAnswer(found: Found, seen: ObservedReply, when: When): boolean {
    const { judge, requester } = found;
    const verdict = this.#wrongAnswer(found, seen, when);
    const { rule, wrong } = verdict ?? {};
    if (rule === undefined || wrong === undefined) return false;
    const why = requester.refused(seen.psn)
      ? 'responses to requests that a NAK has refused, and that the capture does not hold once more'
      : this.#found.another(found, seen)
        ? 'responses that fit several connections'
        : undefined;
    if (why !== undefined) {
      this.#ledger.skip(why);
      return true;
    }
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
      case 'finer':
        return this.#stamps.found(note.grain);
      case 'newest':
        return this.#complete?.reaches(note.t);
      case 'over':
        return this.#found.over(note, note.t);
      case 'agreed':
        return this.#found.agreed(note);
    }
  }

  finish(): void {
    for (const found of this.#found.all()) this.#complete?.over(found);
  }
}
