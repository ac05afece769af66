import type { Wc } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import { keep } from '../device/keep.ts';
import { requestShape } from '../device/opcode-shape.ts';
import type { Rule } from '../rules.ts';

const discardsKept = 64;

/** A packet that was discarded, and by which rule. */
interface Discard {
  rule: Rule;
  /** the rule that says what software is to see of it */
  reportedBy?: Rule | undefined;
  packet: Packet;
}

/** The newest packets that were discarded since the device last had time to settle. */
export class Discards {
  readonly #front: number;
  #all: Discard[] = [];

  /** `front`: bytes in front of the payload in a receive buffer */
  constructor(front: number) {
    this.#front = front;
  }

  add(discard: Discard): void {
    keep(this.#all, discard, discardsKept);
  }

  get any(): boolean {
    return this.#all.length > 0;
  }

  get newest(): Discard | undefined {
    return this.#all.at(-1);
  }

  forget(): void {
    this.#all = [];
  }

  /** The rule by which a packet was discarded that would explain the completion if it had not been. */
  violatedRule(wc: Wc): Rule | undefined {
    const ends = this.#all.filter(({ packet }) => {
      const { position, family, immediate } = requestShape(packet.opcode);
      return (position === 'last' || position === 'only') && (family === 'send' || immediate);
    });
    const fits = ends.findLast(({ packet }) => wc.byte_len === packet.payloadLength + this.#front);
    if (wc.status === 'IBV_WC_SUCCESS') return (fits ?? ends.at(-1) ?? this.newest)?.rule;
    return this.newest?.reportedBy ?? this.newest?.rule;
  }
}
