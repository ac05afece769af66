import { decode } from '../../wire/decode.ts';
import { frameFault } from '../../wire/frame-fault.ts';
import type { FrameFault } from '../../wire/frame-fault.ts';
import type { Packet } from '../../wire/packet.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { Met } from '../rulebook/machine-tables.ts';
import type { Branch } from '../rulebook/outcome.ts';
import type { When } from '../spot.ts';
import type { TraceEvent } from '../trace.ts';
import { deviceBook, newDevice } from './machine.ts';
import type { DeviceBook, DeviceRules } from './machine.ts';
import type { DeviceInputs, DeviceVariables } from './variables.ts';
import { hasFittingChecksum } from './packet/header.ts';
import { isResponse } from './packet/opcode-shape.ts';

/** What keeps a frame of the device from being a packet, in words; `undefined`: it is one. Nothing of such a frame is missing. */
function unreadableWhy(frame: Uint8Array): string | undefined {
  const decoded = decode(frame, frame.length);
  return decoded.kind === 'packet' ? undefined : decoded.reason;
}

/** An entry for a responder: a frame that reached the device. */
export type FrameEntry = When &
  /** `mayBeLost`: the port may not have taken it */
  ({ kind: 'request'; packet: Packet; mayBeLost: true } | { kind: 'frame'; branch: Branch });

/** A responder of the device. */
export interface FrameReceiver {
  readonly connection: { readonly name: string };
  push(entry: FrameEntry): void;
}

/** The responders of a device that may have to do with a frame. */
export interface FrameReceivers {
  all(): Iterable<FrameReceiver>;
  byNumber(qpNumber: number): FrameReceiver | undefined;
}

/**
 * Why it is no longer known what the device has sent: a frame that left it is no packet, and may be one that is missing; `undefined`
 * where it is none.
 */
export function unreadable(event: TraceEvent): string | undefined {
  if (event.kind !== 'frame' || event.direction !== 'from-dut') return undefined;
  const why = unreadableWhy(event.frame);
  return why === undefined ? undefined : `a frame that left the device is no packet: ${why}`;
}

/** Why the port may have discarded a packet that reached the device; `undefined`: it was to take it. */
export function mayBeDiscarded(event: TraceEvent): string | undefined {
  if (event.kind !== 'packet' || event.direction !== 'to-dut' || hasFittingChecksum(event.packet))
    return undefined;
  return 'a packet with a wrong UDP checksum, which a device may discard';
}

/** Judges frames that are no packets: nothing may come of one that the device receives, and it sends none itself. */
export class Frames {
  readonly #book: DeviceBook;
  readonly #receivers: FrameReceivers;
  /** a frame is judged whatever came before it */
  readonly #device: DeviceVariables;

  constructor(rules: DeviceRules, ledger: Ledger, receivers: FrameReceivers) {
    this.#book = deviceBook(rules, ledger);
    this.#receivers = receivers;
    this.#device = newDevice(rules);
  }

  frame({ t, direction, frame }: Extract<TraceEvent, { kind: 'frame' }>, event: number): void {
    const fault = frameFault(frame);
    if (fault === undefined) return;
    if (direction === 'from-dut') return this.sent(fault, { event, t }, unreadableWhy(frame));
    const rules = this.#book.decide('frame-received', this.#met(fault));
    const [rule] = rules;
    if (rule === undefined) return;
    const decoded = fault === 'oversized' ? decode(frame) : undefined;
    if (decoded?.kind === 'packet') return this.#perhaps(decoded.packet, { event, t });
    this.vain({ rules, rule, outcome: rule.outcomes[0] ?? {} }, { event, t });
  }

  /** Packets are judged elsewhere; here only whether the port may discard one. */
  packet({ direction, packet }: Extract<TraceEvent, { kind: 'packet' }>): void {
    if (direction !== 'from-dut' && !hasFittingChecksum(packet))
      this.#book.decide('frame-received', this.#met('udp-checksum'));
  }

  /** A packet that the port may have taken or not. */
  #perhaps(packet: Packet, when: When): void {
    if (isResponse(packet.opcode)) return this.#book.skip('oversized frames with a response');
    this.#receivers.byNumber(packet.destQp)?.push({ kind: 'request', ...when, packet, mayBeLost: true });
  }

  /** Of something that reached the device comes what `branch` says, at the QP that it was for, or at all of them. */
  vain(branch: Branch, { event, t }: When, qpNumber?: number): void {
    const only = qpNumber === undefined ? undefined : this.#receivers.byNumber(qpNumber);
    for (const receiver of only === undefined ? this.#receivers.all() : [only])
      receiver.push({ kind: 'frame', event, t, branch });
  }

  /** A frame that left the device; `why`: what keeps it from being a packet, in words. */
  sent(fault: FrameFault | 'sound', when: When, why?: string): void {
    for (const rule of this.#book.broken('frame-sent', 'mustFrame', this.#met(fault))) {
      const [only, other] = [...this.#receivers.all()].map(({ connection }) => connection.name);
      const at = only !== undefined && other === undefined ? { ...when, qp: only } : when;
      const observed = `a frame with a fault: ${fault}${why === undefined ? '' : ` (${why})`}`;
      this.#book.violate(rule, at, 'a well-formed RoCEv2 packet', observed);
    }
  }

  #met(fault: FrameFault | 'udp-checksum' | 'sound'): Met<DeviceVariables, DeviceInputs> {
    return { inputs: { frame: { fault } }, variables: this.#device };
  }
}
