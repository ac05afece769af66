import { describe } from '../../../wire/index.ts';
import type { Packet } from '../../../wire/packet.ts';
import { byteText } from '../../device/byte-text.ts';
import { endsOf } from '../../device/packet/opcode-shape.ts';
import { placeName } from '../../device/queues/send-queue.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import { demanding, outcomeWord } from '../../rulebook/outcome.ts';
import type { Rule } from '../../rules.ts';
import type { When } from '../../spot.ts';
import { firstWrong } from './arrivals.ts';
import type { Answer, Executed } from './arrivals.ts';
import type { OooResponderContext } from './context.ts';
import type { Executions } from './executions.ts';
import { attributesOf } from '../event.ts';
import { numbersOf } from '../packet.ts';
import type { PlacedPacket } from '../packet.ts';
import type { OooInputs } from '../variables.ts';

type Part = Pick<OooInputs, 'attr' | 'number' | 'reply' | 'answered'> & { packet: Packet };

/** Judges the READ responses and ATOMIC Acknowledges that an out-of-order QP sends. */
export class Answers {
  readonly #context: OooResponderContext;
  readonly #executions: Executions;

  constructor(context: OooResponderContext, executions: Executions) {
    this.#context = context;
    this.#executions = executions;
  }

  /** False where nothing can be said from here on. */
  judge(
    seen: ObservedReply,
    psn: number,
    kind: 'read-response' | 'atomic-ack',
    rules: readonly Rule[],
    when: When,
  ): boolean {
    const { book, registers, arrivals, pending } = this.#context;
    const { packet, msn } = seen;
    const executed = arrivals.find(psn);
    const offset = packet.ooeth?.offset ?? 0;
    const answer = executed && (this.#executions.answerAt(executed, offset) ?? executed.answers[0]);
    if (answer === undefined && this.#executions.isOpen(psn)) return true;
    const answered = this.#place(psn, executed, answer);
    const waits = executed !== undefined && !executed.answered && this.#executions.overtakes(executed);
    const facts = { answered, olderReads: answered === 'executed' && waits ? 'unanswered' : 'answered' };
    const { rule, outcome } = book.only('responder-answer', facts);
    if (arrivals.executed.some((other) => other !== executed && !other.answered))
      book.decide('responder-answer', { answered: 'executed', olderReads: 'unanswered' });
    if (outcomeWord(outcome, 'sends') === 'forbidden') {
      const waits = answered === 'waiting' && this.#executions.holds(psn);
      book.violate(rule, when, waits ? 'no answer before its turn' : 'no answer', describe(packet));
      return false;
    }
    if (executed === undefined || answer === undefined) return true;
    const word = executed.arrival.placed.work === 'atomic' ? 'atomic-ack' : 'read-response';
    if (word !== kind) {
      book.violate(answer.rule, when, word, describe(packet));
      return false;
    }
    const counted = demanding(rules, 'mustCount', 'executed');
    const event = this.#part(seen, executed, answer);
    if (counted !== undefined && registers.holds('mustCount', counted.outcomes[0] ?? {}, event) === false)
      book.violate(counted, when, `MSN ${executed.msn}..${registers.msn}`, `MSN ${msn}`);
    const sound = this.#fragment(rules, event, kind === 'atomic-ack', when);
    if (sound) this.#data(packet, executed, answer, rules, when);
    const { length } = packet.payload;
    const total = bytesOfAnswer(executed.arrival.placed);
    const whole = kind === 'atomic-ack' || answer.sent + length >= total;
    this.#executions.sent(executed, answer, length, whole);
    pending.acknowledged(psn, undefined);
    return sound;
  }

  /** What expressions may ask of a part of an answer. */
  #part(
    { packet, msn }: ObservedReply,
    { arrival: { placed }, msn: counted }: Executed,
    { sent }: Answer,
  ): Part {
    return {
      packet,
      attr: attributesOf(this.#context.qp),
      number: numbersOf(packet),
      reply: { msn, ...endsOf(packet.info?.position ?? 'only') },
      answered: {
        msn: counted,
        number: placed.readNumber ?? -1,
        length: bytesOfAnswer(placed),
        sent: placed.work === 'atomic' ? 0 : sent,
      },
    };
  }

  #place(psn: number, executed: Executed | undefined, answer: Answer | undefined): string {
    const { arrivals } = this.#context;
    if (executed === undefined) return arrivals.window.has(psn) ? 'waiting' : 'unasked';
    return answer === undefined ? 'unasked' : 'executed';
  }

  /** Number, offset, length and place of a part of an answer; true where nobody demands it otherwise. */
  #fragment(rules: readonly Rule[], event: Part, atomic: boolean, when: When): boolean {
    const { book, registers } = this.#context;
    const rule = demanding(rules, 'mustFragment', 'asked');
    if (rule === undefined || registers.holds('mustFragment', rule.outcomes[0] ?? {}, event) === true)
      return true;
    const { packet, answered: due, number } = event;
    const words = (name: string, n = -1, at = 0, bytes = 0): string =>
      `${name} number ${n < 0 ? 'none' : n} offset ${Math.max(0, at)} with ${bytes} bytes`;
    const part = registers.number('fragment', event);
    const place = placeName(due.sent === 0, due.sent + part >= due.length);
    const operation = atomic ? 'ATOMIC_ACKNOWLEDGE' : `RDMA_READ_RESPONSE_${place}`;
    const seen = words(packet.info?.operation ?? '?', number.read, number.offset, packet.payloadLength);
    book.violate(rule, when, words(operation, due.number, due.sent, part), seen);
    return false;
  }

  #data(packet: Packet, executed: Executed, answer: Answer, rules: readonly Rule[], when: When): void {
    const { book } = this.#context;
    const rule = demanding(rules, 'mustData', 'memory');
    const { first, arrival } = executed;
    if (arrival.placed.work === 'atomic') {
      const seen = packet.atomicOriginal;
      const want = answer.data && Buffer.from(answer.data).readBigUInt64LE();
      if (want === undefined || seen === undefined || want === seen) return;
      // a value that is another the second time is a matter of duplicates
      const broken = executed.answered ? answer.rule : rule;
      book.violate(broken, when, `original value 0x${want.toString(16)}`, `0x${seen.toString(16)}`);
      return;
    }
    const choices = [answer.data, first].filter((bytes) => bytes !== undefined);
    const unsure = (at: number): boolean => this.#unsure(executed, at);
    const wrong = firstWrong(packet.payload, choices, answer.sent, unsure);
    if (wrong < 0 || choices.length === 0) return;
    const at = answer.sent + wrong;
    book.violate(rule, when, `byte ${at} = ${byteText(choices[0]?.[at])}`, byteText(packet.payload[wrong]));
  }

  #unsure({ arrival: { spans, count } }: Executed, at: number): boolean {
    let from = 0;
    for (const { region, offset, length } of spans) {
      if (at < from + length)
        return this.#context.device.placements.unsure(region, offset + at - from, count);
      from += length;
    }
    return true;
  }
}

/** Bytes of data of the whole answer; an ATOMIC's has none. */
function bytesOfAnswer({ work, target }: PlacedPacket): number {
  return work === 'read' ? (target?.length ?? 0) : 0;
}
