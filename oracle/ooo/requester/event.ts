import type { Packet } from '../../../wire/packet.ts';
import { answerOf } from '../../device/packet/answer.ts';
import type { AnswerKind } from '../../device/packet/answer.ts';
import { requestShape } from '../../device/packet/opcode-shape.ts';
import { targetOf } from '../../device/queues/request-target.ts';
import { QpEvent } from '../event.ts';
import { causeOf } from '../packet.ts';
import type { OooInputs, OooValue } from '../variables.ts';
import type { Sender } from './send-queue.ts';
import type { SentWork } from './work.ts';

/** What is known of an event besides the registers and the lists. */
interface Parts {
  /** a response that came, or a request that was sent */
  packet?: Packet;
  /** PSN of a request packet; that of `packet` if it is not given */
  psn?: number;
  work?: SentWork | undefined;
  /** a work request may wait to be retired though nothing is open */
  waits?: boolean;
  /** whether the next work request waits for others */
  held?: () => boolean;
}

/** PSNs of the open packets of which a value is true. */
export function openThat(sender: Sender, value: OooValue, now: number): number[] {
  return [...sender.allOpen()].filter((psn) => isTrue(sender, value, now, psn));
}

function isTrue(sender: Sender, value: OooValue, now: number, psn: number): boolean {
  return sender.registers.is(value, new RequesterEvent(sender, now, { psn }));
}

/** What the expressions of the machine may ask of one event of a requester. */
export class RequesterEvent extends QpEvent {
  readonly #sender: Sender;
  readonly #parts: Parts;
  readonly now: number;
  readonly slack = 0;
  #flight: Flight | undefined;
  #sent: Sent | undefined;

  constructor(sender: Sender, now: number, parts: Parts = {}) {
    super(sender.qp, sender.device, parts.packet);
    this.#sender = sender;
    this.#parts = parts;
    this.now = now;
  }

  readonly ran = (since: number): number => this.now - since;

  /** Of a request that is sent, when it may have been handed to the port. A response reaches the requester later. */
  get earliest(): number {
    const { packet, psn } = this.#parts;
    return packet !== undefined && psn === undefined
      ? 0
      : this.device.port.handedOver(this.now) - this.device.jitter;
  }

  get posted(): boolean {
    return this.#parts.work !== undefined;
  }

  get work(): SentWork {
    const { work } = this.#parts;
    if (work === undefined) throw new RangeError('the event has no work request');
    return work;
  }

  get opcode(): OooInputs['opcode'] {
    const { kind, immediate } = this.work;
    const ends = this.#sender.registers.is('last', this);
    return { family: kind, immediate: immediate && ends, starts: this.sent.psn === this.work.psn, ends };
  }

  /** What the opcode of the packet says, where `opcode` is what its work request calls for. */
  get shape(): OooInputs['shape'] {
    return requestShape(this.packet.opcode);
  }

  get target(): OooInputs['target'] {
    return targetOf(this.packet, this.work.posted);
  }

  get response(): OooInputs['response'] & { kind: AnswerKind } {
    const { kind, wait } = answerOf(this.packet);
    const cause = causeOf(this.packet);
    const selected = cause?.selective === true ? cause.trigger : -1;
    const again = this.#sender.packets.selected.has(selected);
    const acknowledges =
      kind === 'ack' || kind === 'read-response' || kind === 'atomic-ack' ? 'through' : 'before';
    return { kind, acknowledges, wait, msn: this.packet.aeth?.msn ?? -1, selected, again };
  }

  get flight(): OooInputs['flight'] {
    return (this.#flight ??= new Flight(this.#sender, this.now, this.#parts));
  }

  get sent(): OooInputs['sent'] {
    const { psn = this.packet.psn, work } = this.#parts;
    return (this.#sent ??= new Sent(this.#sender, this.now, psn, work));
  }
}

/** Packets under way, and the work request that may be sent next. */
class Flight {
  readonly #sender: Sender;
  readonly #now: number;
  readonly #parts: Parts;

  constructor(sender: Sender, now: number, parts: Parts) {
    this.#sender = sender;
    this.#now = now;
    this.#parts = parts;
  }

  get open(): number {
    let count = 0;
    for (const _psn of this.#sender.allOpen()) count++;
    return count;
  }

  get lost(): boolean {
    for (const psn of this.#sender.allOpen())
      if (isTrue(this.#sender, 'lostOnce', this.#now, psn)) return true;
    return false;
  }

  get held(): boolean {
    return this.#parts.held?.() ?? false;
  }

  get waits(): boolean {
    const { waits, work } = this.#parts;
    return waits ?? (work !== undefined && this.#sender.waits(work));
  }
}

/** One request packet that was sent. */
class Sent {
  readonly #sender: Sender;
  readonly #now: number;
  readonly psn: number;
  readonly #work: SentWork | undefined;

  constructor(sender: Sender, now: number, psn: number, work: SentWork | undefined) {
    this.#sender = sender;
    this.#now = now;
    this.psn = psn;
    this.#work = work;
  }

  get selected(): boolean {
    return this.#sender.packets.selected.has(this.psn);
  }

  get overtaken(): boolean {
    return this.#sender.packets.overtaken(this.psn);
  }

  get again(): boolean {
    return this.#sender.packets.again(this.psn);
  }

  get open(): boolean {
    const work = this.#work ?? this.#sender.find(this.psn);
    return work !== undefined && this.#sender.open(this.psn, work);
  }

  get late(): boolean {
    return this.#sender.packets.late(this.psn, this.#now);
  }

  get oldest(): boolean {
    return this.#sender.allOpen().next().value === this.psn;
  }

  get refused(): boolean {
    return this.#sender.packets.refused(this.psn, this.#now, false);
  }

  get refusedOnce(): boolean {
    return this.#sender.packets.refused(this.psn, this.#now, true);
  }
}
