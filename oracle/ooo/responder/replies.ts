import { decodeSyndrome, nakCodes } from '../../../spec/constants.ts';
import { describe } from '../../../wire/index.ts';
import type { Packet } from '../../../wire/packet.ts';
import { observeReply } from '../../device/observed-reply.ts';
import type { ObservedReply } from '../../device/observed-reply.ts';
import { causeOf, isOutOfOrder } from '../packet.ts';
import { demanding } from '../../rulebook/outcome.ts';
import type { Rule } from '../../rules.ts';
import { Answers } from './answers.ts';
import type { Executions } from './executions.ts';
import { wrongAddressee, wrongHeader } from '../header.ts';
import type { When } from '../../spot.ts';
import type { OooResponderContext } from './context.ts';

type Kind = 'ack' | 'selective' | 'sequence-nak' | 'rnr-nak' | 'fatal-nak' | 'read-response' | 'atomic-ack';

/** Judges the responses that an out-of-order QP sends. */
export class Replies {
  readonly #context: OooResponderContext;
  readonly #answers: Answers;

  constructor(context: OooResponderContext, executions: Executions) {
    this.#context = context;
    this.#answers = new Answers(context, executions);
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
        return this.#answers.judge(seen, psn, kind, rules, when);
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
