import { byteText } from '../device/byte-text.ts';
import { decodeSyndrome, nakCodes, opcodes } from '../../spec/constants.ts';
import { describe } from '../../wire/index.ts';
import type { Packet } from '../../wire/packet.ts';
import { observeReply } from '../device/observed-reply.ts';
import type { ObservedReply } from '../device/observed-reply.ts';
import { firstWrong } from './arrivals.ts';
import type { Answer, Executed } from './arrivals.ts';
import { causeOf, isOutOfOrder } from './packet.ts';
import { demanding, outcomeWord } from '../rulebook/outcome.ts';
import type { Rule } from '../rules.ts';
import { ooethFlags } from '../../wire/packet.ts';
import type { Executions } from './executions.ts';
import { wrongAddressee, wrongHeader } from './header.ts';
import type { When } from '../spot.ts';
import type { OooResponderContext } from './context.ts';

type Kind = 'ack' | 'selective' | 'sequence-nak' | 'rnr-nak' | 'fatal-nak' | 'read-response' | 'atomic-ack';

/** Judges the responses that an out-of-order QP sends. */
export class Replies {
  readonly #context: OooResponderContext;
  readonly #executions: Executions;

  constructor(context: OooResponderContext, executions: Executions) {
    this.#context = context;
    this.#executions = executions;
  }

  /** False where nothing can be said from here on. */
  judge(packet: Packet, when: When): boolean {
    const seen = observeReply(packet);
    if (seen === undefined) return true;
    const { book, qp, arrivals } = this.#context;
    const kind = kindOf(seen, packet);
    const rules = book.decide('responder-response', { placedReply: kind });
    const header = wrongHeader(qp, packet);
    if (header) book.violate(demanding(rules, 'mustHeader', 'sound'), when, ...header);
    const addressee = wrongAddressee(qp, packet);
    if (addressee) book.violate(demanding(rules, 'mustAddressee', 'configured'), when, ...addressee);
    if (header ?? addressee) return false;
    const psn = arrivals.psns.near(packet.psn, arrivals.next);
    switch (kind) {
      case 'ack':
      case 'selective':
        return this.#acknowledge(packet, psn, kind, rules, when);
      case 'sequence-nak':
      case 'rnr-nak':
      case 'fatal-nak':
        return this.#refusal(seen, psn, kind, rules, when);
      case 'read-response':
      case 'atomic-ack':
        return this.#answer(seen, psn, kind, rules, when);
    }
  }

  #acknowledge(
    packet: Packet,
    psn: number,
    kind: 'ack' | 'selective',
    rules: readonly Rule[],
    when: When,
  ): boolean {
    const { book, arrivals, owed } = this.#context;
    const { standings } = arrivals;
    const at = standings.findIndex(({ next }) => next === psn + 1);
    const cause = causeOf(packet);
    const trigger = cause && arrivals.psns.near(cause.trigger, arrivals.next);
    const cumulative = demanding(rules, 'mustCumulative', 'arrived');
    if (at < 0) {
      const want = [...new Set(standings.map(({ next }) => arrivals.psns.number(next - 1)))].join(' or ');
      const dropped = this.#droppedAt(packet.psn);
      book.violate(dropped ?? cumulative, when, `PSN ${want}`, describe(packet));
      return cumulative === undefined;
    }
    const same = standings.filter(({ next }) => next === psn + 1);
    const msn = packet.aeth?.msn;
    if (msn !== undefined && !same.some((standing) => standing.msn === msn)) {
      const want = same.map((standing) => standing.msn).join(' or ');
      book.violate(demanding(rules, 'mustCount', 'whole'), when, `MSN ${want}`, `MSN ${msn}`);
    }
    if (trigger !== undefined) this.#cause(trigger, psn, kind, rules, when);
    owed.acknowledged(psn, kind === 'selective' ? trigger : undefined);
    standings.splice(0, at);
    return true;
  }

  /** Whether the packet that an Acknowledge names has come, and how. */
  #cause(trigger: number, psn: number, kind: 'ack' | 'selective', rules: readonly Rule[], when: When): void {
    const { book, arrivals } = this.#context;
    const came = trigger < arrivals.next || arrivals.window.has(trigger);
    const number = arrivals.psns.number(trigger);
    const dropped = came ? undefined : this.#droppedAt(number);
    const observed = `PSN ${number}`;
    const early = demanding(rules, 'mustTrigger', 'early');
    if (kind === 'selective' && (!came || trigger <= psn))
      book.violate(
        dropped ?? early,
        when,
        `a packet beyond PSN ${arrivals.psns.number(psn)} which has arrived`,
        observed,
      );
    else if (kind === 'ack' && !came)
      book.violate(
        dropped ?? demanding(rules, 'mustTrigger', 'came'),
        when,
        'a packet that has come',
        observed,
      );
  }

  /** The rule that dropped the newest packet with this PSN. */
  #droppedAt(psn: number): Rule | undefined {
    return this.#context.dropped.findLast(({ packet }) => packet.psn === psn)?.rule;
  }

  #refusal(
    { packet, syndrome, msn }: ObservedReply,
    psn: number,
    kind: 'sequence-nak' | 'rnr-nak' | 'fatal-nak',
    rules: readonly Rule[],
    when: When,
  ): boolean {
    const { book, owed, arrivals } = this.#context;
    const called = owed.take([kind === 'rnr-nak' ? 'rnr-nak' : 'nak'], psn);
    if (called === undefined || kind === 'sequence-nak') {
      const asked = demanding(rules, 'mustAnswer', 'request');
      const wrongPsn = kind === 'sequence-nak' ? undefined : this.#otherPsn(kind, rules);
      const rule = wrongPsn ?? (kind === 'sequence-nak' ? asked : (this.#droppedAt(packet.psn) ?? asked));
      book.violate(
        rule,
        when,
        wrongPsn === undefined ? 'no NAK' : 'the PSN of the packet refused',
        describe(packet),
      );
      return rule === undefined;
    }
    const standing = arrivals.standings.find(({ next }) => next === psn);
    if (standing !== undefined && standing.msn !== msn)
      book.violate(demanding(rules, 'mustCount', 'whole'), when, `MSN ${standing.msn}`, `MSN ${msn}`);
    const name = nakCodes.find(({ code }) => code === decodeSyndrome(syndrome).value)?.name;
    const wanted = called.nakCodes;
    if (kind === 'fatal-nak' && wanted.length > 0 && !wanted.includes(name ?? ''))
      book.violate(called.rule, when, `NAK ${wanted.join(' or ')}`, describe(packet));
    owed.acknowledged(psn - 1, undefined);
    return true;
  }

  /** A NAK is owed, but for another packet. */
  #otherPsn(kind: 'rnr-nak' | 'fatal-nak', rules: readonly Rule[]): Rule | undefined {
    const { owed, arrivals } = this.#context;
    const due = owed.take([kind === 'rnr-nak' ? 'rnr-nak' : 'nak'], arrivals.next);
    return due && demanding(rules, 'mustCumulative', 'refused');
  }

  #answer(
    seen: ObservedReply,
    psn: number,
    kind: 'read-response' | 'atomic-ack',
    rules: readonly Rule[],
    when: When,
  ): boolean {
    const { book, arrivals, owed } = this.#context;
    const { packet, msn } = seen;
    const executed = arrivals.find(psn);
    if (executed === undefined && psn < arrivals.next && this.#executions.isOpen(psn)) return true;
    const offset = packet.ooeth?.offset ?? 0;
    const answer = executed && (this.#executions.answerAt(executed, offset) ?? executed.answers[0]);
    const answered = this.#place(psn, executed, answer);
    const { rule, outcome } = book.only('responder-answer', { answered });
    if (arrivals.executed.some((other) => other !== executed && !other.answered))
      book.decide('responder-answer', { answered: 'overtaking' });
    if (outcomeWord(outcome, 'sends') === 'forbidden') {
      const holding = answered === 'waiting' ? this.#executions.holding(psn) : undefined;
      book.violate(
        rule,
        when,
        holding === undefined ? 'no answer' : 'no answer before its turn',
        describe(packet),
      );
      return false;
    }
    if (executed === undefined || answer === undefined) return true;
    const word = executed.arrival.placed.work === 'atomic' ? 'atomic-ack' : 'read-response';
    if (word !== kind) {
      book.violate(answer.rule, when, word, describe(packet));
      return false;
    }
    const counted = demanding(rules, 'mustCount', 'executed');
    const low = (msn - executed.msn) & 0xffffff;
    if (msn >= 0 && counted !== undefined && low > ((arrivals.msn - executed.msn) & 0xffffff))
      book.violate(counted, when, `MSN ${executed.msn}..${arrivals.msn}`, `MSN ${msn}`);
    const sound = this.#fragment(packet, executed, answer, rules, when);
    if (sound) this.#data(packet, executed, answer, rules, when);
    const { length } = packet.payload;
    const total = bytesOfAnswer(executed);
    const whole = kind === 'atomic-ack' || answer.sent + length >= total;
    this.#executions.sent(executed, answer, length, whole);
    owed.acknowledged(psn, undefined);
    return sound;
  }

  #place(psn: number, executed: Executed | undefined, answer: Answer | undefined): string {
    const { arrivals } = this.#context;
    if (executed === undefined) return arrivals.window.has(psn) ? 'waiting' : 'unasked';
    if (answer === undefined) return 'unasked';
    return !executed.answered && this.#executions.overtakes(executed) ? 'overtaking' : 'executed';
  }

  /** Number, offset, length and place of a part of an answer. */
  #fragment(packet: Packet, executed: Executed, answer: Answer, rules: readonly Rule[], when: When): boolean {
    const { book, qp } = this.#context;
    const { placed } = executed.arrival;
    const { ooeth, payload } = packet;
    const number = ooeth && (ooeth.flags & ooethFlags.readWqe) !== 0 ? ooeth.readWqeSn : undefined;
    const total = bytesOfAnswer(executed);
    const atomic = placed.work === 'atomic';
    const from = atomic ? 0 : answer.sent;
    const left = Math.min(qp.pmtu, total - from);
    const one = total <= qp.pmtu;
    const last = from + left >= total;
    const place = one ? 'ONLY' : from === 0 ? 'FIRST' : last ? 'LAST' : 'MIDDLE';
    const operation = atomic ? 'ATOMIC_ACKNOWLEDGE' : `RDMA_READ_RESPONSE_${place}`;
    const words = (name: string, n: number | undefined, at: number, bytes: number): string =>
      `${name} number ${n ?? 'none'} offset ${at} with ${bytes} bytes`;
    const want = words(operation, placed.readNumber, from, atomic ? 0 : left);
    const name = opcodes[packet.opcode]?.operation ?? '?';
    const got = words(name, number, ooeth?.offset ?? 0, payload.length);
    if (want === got) return true;
    const rule = demanding(rules, 'mustFragment', 'asked');
    book.violate(rule, when, want, got);
    return rule === undefined;
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
      const blamed = executed.answered ? answer.rule : rule;
      book.violate(blamed, when, `original value 0x${want.toString(16)}`, `0x${seen.toString(16)}`);
      return;
    }
    const choices = [answer.data, first].filter((bytes) => bytes !== undefined);
    const unsure = (at: number): boolean => this.#unsure(executed, at);
    const wrong = firstWrong(packet.payload, choices, answer.sent, unsure);
    if (wrong < 0 || choices.length === 0) return;
    const at = answer.sent + wrong;
    book.violate(rule, when, `byte ${at} = ${byteText(choices[0]?.[at])}`, byteText(packet.payload[wrong]));
  }

  #unsure({ arrival: { spans, psn } }: Executed, at: number): boolean {
    let from = 0;
    for (const { region, offset, length } of spans) {
      if (at < from + length) return this.#context.device.placements.unsure(region, offset + at - from, psn);
      from += length;
    }
    return true;
  }
}

/** Bytes of data of the whole answer; an ATOMIC's has none. */
function bytesOfAnswer({ arrival: { placed } }: Executed): number {
  return placed.work === 'read' ? (placed.target?.length ?? 0) : 0;
}

function kindOf(seen: ObservedReply, packet: Packet): Kind {
  switch (seen.kind) {
    case 'ack':
      return isOutOfOrder(packet) && causeOf(packet)?.selective === true ? 'selective' : 'ack';
    case 'read-middle':
      return 'read-response';
    case 'sequence-nak':
    case 'rnr-nak':
    case 'fatal-nak':
    case 'read-response':
    case 'atomic-ack':
      return seen.kind;
  }
}
