import { frameFault } from '../../wire/frame-fault.ts';
import type { FrameFault } from '../../wire/frame-fault.ts';
import { decode } from '../../wire/decode.ts';
import type { Packet } from '../../wire/packet.ts';
import { isResponse } from '../device/opcode-shape.ts';
import type { ResponderJudge } from '../rc-responder/judge.ts';
import { demanding } from '../rulebook/outcome.ts';
import type { Branch } from '../rulebook/outcome.ts';
import type { When } from '../spot.ts';
import type { TraceEvent } from '../trace.ts';
import type { ReliableBook } from './rules.ts';

/** The responders of a device that may have to do with a frame. */
export interface Responders {
  all(): Iterable<ResponderJudge>;
  byNumber(qpNumber: number): ResponderJudge | undefined;
}

/** Judges frames that are no packets: nothing may come of one that the device receives, and it sends none itself. */
export class Frames {
  readonly #book: ReliableBook;
  readonly #responders: Responders;

  constructor(book: ReliableBook, responders: Responders) {
    this.#book = book;
    this.#responders = responders;
  }

  frame({ t, direction, frame }: Extract<TraceEvent, { kind: 'frame' }>, event: number): void {
    const fault = frameFault(frame);
    if (fault === undefined) return;
    if (direction === 'from-dut') return this.sent(fault, { event, t });
    const rules = this.#book.decide('frame-received', { frame: fault });
    const [rule] = rules;
    if (rule === undefined) return;
    const decoded = fault === 'oversized' ? decode(frame) : undefined;
    if (decoded?.kind === 'packet') return this.#perhaps(decoded.packet, { event, t });
    this.vain({ rules, rule, outcome: rule.outcomes[0] ?? {} }, { event, t });
  }

  /** A packet that the port may have taken or not. */
  #perhaps(packet: Packet, when: When): void {
    if (isResponse(packet.opcode)) return this.#book.skip('oversized frames with a response');
    this.#responders.byNumber(packet.destQp)?.push({ kind: 'request', ...when, packet, mayBeLost: true });
  }

  /** Of something that reached the device comes what `branch` says, at the QP that it was for, or at all of them. */
  vain(branch: Branch, { event, t }: When, qpNumber?: number): void {
    const only = qpNumber === undefined ? undefined : this.#responders.byNumber(qpNumber);
    for (const responder of only === undefined ? this.#responders.all() : [only])
      responder.push({ kind: 'frame', event, t, branch });
  }

  /** A frame that left the device. */
  sent(frame: FrameFault | 'sound', { event, t }: When): void {
    const rules = this.#book.decide('frame-sent', { frame });
    if (frame === 'sound') return;
    const [only, other] = [...this.#responders.all()].map((judge) => judge.connection.name);
    const qp = only !== undefined && other === undefined ? only : 'the device';
    this.#book.violate(
      demanding(rules, 'mustFrame', 'sound'),
      { event, t, qp },
      'a well-formed RoCEv2 packet',
      `a frame with a fault: ${frame}`,
    );
  }
}
