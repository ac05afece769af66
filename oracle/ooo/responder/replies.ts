import { decodeSyndrome, nakCodes } from '../../../spec/constants.ts';
import { describe } from '../../../wire/index.ts';
import type { Packet } from '../../../wire/packet.ts';
import { psnAdd, psnDiff } from '../../../wire/psn.ts';
import { addressees, headerText } from '../../device/packet/header.ts';
import type { Qp } from '../../device/qp.ts';
import { QpEvent } from '../event.ts';
import type { Difference } from '../../device/packet/header.ts';
import { observeReply } from '../../device/packet/observed-reply.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import { causeOf, placedReply } from '../packet.ts';
import { demanding, ofRule, ruleWord } from '../../rulebook/outcome.ts';
import type { Rule } from '../../rules.ts';
import { Answers } from './answers.ts';
import type { Standing } from './arrivals.ts';
import type { Executions } from './executions.ts';
import type { When } from '../../spot.ts';
import type { OooResponderContext } from './context.ts';

/** What a response shows that its header is not to show. */
const headerTexts = ofRule<(qp: Qp, packet: Packet) => Difference>({
  mustHeader: headerText,
  mustAddressee: ({ peerQpNumber, peerAddress }, packet) => addressees(peerQpNumber, peerAddress, packet),
});

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
    const { book, qp, device, registers } = this.#context;
    const kind = placedReply(seen);
    const rules = book.decide('responder-response', { placedReply: kind });
    const event = new QpEvent(qp, device, packet);
    const wrong = rules.flatMap((rule) =>
      headerTexts(rule)
        .filter(({ key }) => registers.holds(key, rule.outcomes[0] ?? {}, event) === false)
        .map(({ kept: text }) => ({ rule, ...text(qp, packet) })),
    );
    for (const { rule, expected, observed } of wrong) book.violate(rule, when, expected, observed);
    if (wrong.length > 0) return false;
    const { psn } = packet;
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
    const { book, arrivals, pending } = this.#context;
    const { standings } = arrivals;
    const behind = psnAdd(psn, 1);
    const at = standings.findIndex(({ next }) => next === behind);
    const cause = causeOf(packet);
    const cumulative = demanding(rules, 'mustCumulative', 'arrived');
    if (at < 0) {
      const want = [...new Set(standings.map(({ next }) => psnAdd(next, -1)))].join(' or ');
      const dropped = this.#droppedAt(packet.psn);
      book.violate(dropped ?? cumulative, when, `PSN ${want}`, describe(packet));
      return cumulative === undefined;
    }
    const same = standings.filter(({ next }) => next === behind);
    const msn = packet.aeth?.msn;
    const counts = (standing: Standing): boolean =>
      msn === undefined || standing.msn === msn || this.#awaitsAnswer(msn, standing);
    if (!same.some(counts)) {
      const want = same.map((standing) => standing.msn).join(' or ');
      book.violate(demanding(rules, 'mustCount', 'whole'), when, `MSN ${want}`, `MSN ${msn}`);
    }
    if (cause !== undefined) this.#cause(packet, cause.trigger, rules, when);
    pending.acknowledged(psn, kind === 'selective' ? cause?.trigger : undefined);
    standings.splice(0, at);
    return true;
  }

  /** Whether an MSN leaves out nothing but READs and ATOMICs that are not answered, and what is behind them. */
  #awaitsAnswer(msn: number, standing: Standing): boolean {
    const { answeredMsn } = this.#context.arrivals;
    return psnDiff(msn, answeredMsn) >= 0 && psnDiff(msn, standing.msn) < 0;
  }

  /** Whether the packet that an Acknowledge names has come, and how. */
  #cause(packet: Packet, psn: number, rules: readonly Rule[], when: When): void {
    const { book, registers, arrivals } = this.#context;
    const rule = rules.find((one) => ruleWord(one, 'mustTrigger') !== undefined);
    const came = psnDiff(psn, registers.ePsn) < 0 || arrivals.window.has(psn);
    const event = { packet, trigger: { psn, came } };
    if (rule === undefined || registers.holds('mustTrigger', rule.outcomes[0] ?? {}, event) !== false) return;
    const early = ruleWord(rule, 'mustTrigger') === 'early';
    const expected = early ? `a packet beyond PSN ${packet.psn} which has arrived` : 'a packet that has come';
    const dropped = came ? undefined : this.#droppedAt(psn);
    book.violate(dropped ?? rule, when, expected, `PSN ${psn}`);
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
    const { book, pending, arrivals } = this.#context;
    const called = pending.take([kind === 'rnr-nak' ? 'rnr-nak' : 'nak'], psn);
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
    if (standing !== undefined && standing.msn !== msn && !this.#awaitsAnswer(msn, standing))
      book.violate(demanding(rules, 'mustCount', 'whole'), when, `MSN ${standing.msn}`, `MSN ${msn}`);
    const name = nakCodes.find(({ code }) => code === decodeSyndrome(syndrome).value)?.name;
    const wanted = called.nakCodes;
    if (kind === 'fatal-nak' && wanted.length > 0 && !wanted.includes(name ?? ''))
      book.violate(called.rule, when, `NAK ${wanted.join(' or ')}`, describe(packet));
    pending.acknowledged(psnAdd(psn, -1), undefined);
    return true;
  }

  /** A NAK is due, but for another packet. */
  #otherPsn(kind: 'rnr-nak' | 'fatal-nak', rules: readonly Rule[]): Rule | undefined {
    const { pending, registers } = this.#context;
    const due = pending.take([kind === 'rnr-nak' ? 'rnr-nak' : 'nak'], registers.ePsn);
    return due && demanding(rules, 'mustCumulative', 'refused');
  }
}
