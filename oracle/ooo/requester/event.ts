import type { Packet } from '../../../wire/packet.ts';
import { answerOf } from '../../device/answer.ts';
import type { AnswerKind } from '../../device/answer.ts';
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
  return [...sender.allOpen()].filter((psn) =>
    sender.registers.is(value, new RequesterEvent(sender, now, { psn })),
  );
}

/** What the expressions of the machine may ask of one event of a requester. */
export class RequesterEvent extends QpEvent {
  readonly #sender: Sender;
  readonly #parts: Parts;
  readonly now: number;
  readonly slack = 0;

  constructor(sender: Sender, now: number, parts: Parts = {}) {
    super(sender.qp, sender.device, parts.packet);
    this.#sender = sender;
    this.#parts = parts;
    this.now = now;
  }

  readonly ran = (since: number): number => this.now - since;

  /** Of a request that is sent, its time. What a response says is heard later. */
  get earliest(): number {
    const { packet, psn } = this.#parts;
    return packet !== undefined && psn === undefined ? 0 : this.now;
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
    return { family: kind, immediate: immediate && ends, ends };
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
    const { waits, held = () => false, work } = this.#parts;
    const [sender, now] = [this.#sender, this.now];
    return {
      get open() {
        return [...sender.allOpen()].length;
      },
      get lost() {
        return openThat(sender, 'lostOnce', now).length > 0;
      },
      get held() {
        return held();
      },
      get waits() {
        return waits ?? (work !== undefined && sender.waits(work));
      },
    };
  }

  get sent(): OooInputs['sent'] {
    const { psn = this.packet.psn, work = this.#sender.find(psn) } = this.#parts;
    const { now } = this;
    const sender = this.#sender;
    const { packets } = sender;
    return {
      psn,
      selected: packets.selected.has(psn),
      again: packets.again(psn),
      get open() {
        return work !== undefined && sender.open(psn, work);
      },
      get late() {
        return packets.late(psn, now);
      },
      get oldest() {
        return sender.allOpen().next().value === psn;
      },
      get refused() {
        return packets.refused(psn, now, false);
      },
      get refusedOnce() {
        return packets.refused(psn, now, true);
      },
    };
  }
}
