import { CompleteConnections } from '../capture/complete/connections.ts';
import type { CaptureFindings } from '../capture/findings.ts';
import type { Note } from '../device/notes.ts';
import { SenderQueue } from '../capture/sender-queue.ts';
import { ConnectionSetups } from '../capture/setups.ts';
import { Stamps } from '../device/packet/stamps.ts';
import { CapturedOutOfOrder } from '../capture/ooo/connections.ts';
import { CapturedUnreliable } from '../capture/unreliable.ts';
import type { Packet } from '../../wire/packet.ts';
import { Frames } from '../device/frames.ts';
import { reservedOf } from '../device/packet/header.ts';
import type { Objects } from '../device/objects.ts';
import { observeReply } from '../device/packet/observed-reply.ts';
import type { Observer } from '../device/observer.ts';
import { isResponse, requestShape } from '../device/packet/opcode-shape.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { When } from '../spot.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import { CapturedAnswers } from './captured-answers.ts';
import { FoundConnections } from './found-connections.ts';
import type { Found } from './found-connections.ts';
import type { ReliableRules } from './rules.ts';

/**
 * The connections of a capture. A response that may be from several responders judges none of them.
 */
export class CapturedConnections implements Observer {
  readonly #found: FoundConnections;
  readonly #answers: CapturedAnswers;
  readonly #ledger: Ledger;
  readonly #frames: Frames;
  readonly #sight: TraceHeader['sight'];
  readonly #stamps = new Stamps();
  readonly #share: boolean;
  readonly #setups = new ConnectionSetups();
  readonly #unreliable: CapturedUnreliable;
  readonly #outOfOrder: CapturedOutOfOrder | undefined;
  readonly #complete: CompleteConnections | undefined;

  /** `share`: it judges some of the connections, and gets by notes what it has to know of the others. */
  constructor(
    { sight, vendorOpcodes }: TraceHeader,
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
    this.#ledger = ledger;
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
    if (vendorOpcodes === 'ooo') this.#outOfOrder = new CapturedOutOfOrder(rules.captured.outOfOrder, ledger);
    const complete = this.#complete;
    this.#found = new FoundConnections(rules, {
      ledger,
      copies: seenTwice,
      stamps: this.#stamps,
      complete,
      capabilities,
      share,
    });
    this.#answers = new CapturedAnswers(this.#found, rules, ledger, findings);
  }

  see(event: TraceEvent, index: number): 'mine' {
    switch (event.kind) {
      case 'packet':
        this.#frames.packet(event);
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
        this.#outOfOrder?.forget();
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
    if (info?.service === 'ORC' && this.#outOfOrder !== undefined)
      return this.#outOfOrder.packet(packet, when);
    const reserved = reservedOf(packet);
    if (reserved === 'UC' || reserved === 'UD') return this.#unreliable.reserved(packet, reserved, when);
    if (reserved !== undefined) this.#ledger.skip('packets with a reserved opcode');
    if (reserved === 'another') return;
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
      if (requester.malformed) judge.mistrust();
      complete?.request(entry, requester, found.agreement?.psn);
      if (copy) {
        this.#ledger.skip('requests that may be copies of earlier ones');
        judge.sawCopy(entry);
      } else judge.push(entry);
      return this.#found.retire(when.t);
    }
    const seen = observeReply(packet);
    if (seen !== undefined) this.#answers.see(seen, when);
  }

  /** An operation that no rule is about (IBTA annex A19). What the responder has carried out with it, responses to what follows tell. */
  #ofAnnex(found: Found, operation: string): void {
    this.#ledger.skip(`${operation} requests`);
    found.judge.startUnknown();
    found.complete = undefined;
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
