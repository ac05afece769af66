import { anotherConnection, doubted, orAnew } from '../capture/anew.ts';
import { judgeAnswer } from '../capture/answers.ts';
import type { AnswerVerdict } from '../capture/answers.ts';
import type { CaptureFindings } from '../capture/findings.ts';
import { wrongPad } from '../capture/lengths.ts';
import type { ObservedReply } from '../device/packet/observed-reply.ts';
import { copies } from '../rc-responder/capture/visibility.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { When } from '../spot.ts';
import { lackedRequests } from './found-connections.ts';
import type { Found, FoundConnections } from './found-connections.ts';
import type { ReliableRules } from './rules.ts';

/** Judges the RC responses of a capture: which connection each is of, and what is wrong with it by the request alone that it answers. */
export class CapturedAnswers {
  readonly #found: FoundConnections;
  readonly #rules: ReliableRules;
  readonly #ledger: Ledger;
  readonly #findings: CaptureFindings;

  constructor(found: FoundConnections, rules: ReliableRules, ledger: Ledger, findings: CaptureFindings) {
    this.#found = found;
    this.#rules = rules;
    this.#ledger = ledger;
    this.#findings = findings;
  }

  see(seen: ObservedReply, when: When): void {
    const found = this.#found.response(seen);
    if (found === undefined) return;
    const { requester, judge, complete } = found;
    requester.noteResponse(seen, when.t);
    if (this.#found.unsure(found)) return this.#ofAnother(found, seen, when);
    if (!requester.uncertain(seen)) return this.#reply(found, seen, when);
    const look = (): void => {
      this.#reply(found, seen, when);
    };
    if (!doubted(this.#ledger, look)) return;
    requester.beginAnew();
    judge.mayBeginAnew();
    complete?.restart();
  }

  /** A response of a QP that may be that of another connection, whose requests the capture lacks. */
  #ofAnother(found: Found, seen: ObservedReply, when: When): void {
    const { requester, judge, complete } = found;
    const fits = !seen.packet.icrcOk || requester.asked.isAnsweredBy(seen);
    const look = (): void => {
      if (fits) this.#reply(found, seen, when);
      else this.#judgeAnswer(found, seen, when);
    };
    const wrong = this.#ledger.tentatively(look);
    for (const one of wrong) {
      // which holds of every response
      if (one.rule === this.#rules.captured.idleBits?.id) this.#ledger.violate(one);
      else this.#ledger.doubt(orAnew(one, anotherConnection));
    }
    if (!fits) complete?.forget();
    if (wrong.length > 0 && fits) judge.mayBeginAnew();
    if (wrong.length === 0 && !fits) this.#ledger.skip(lackedRequests);
  }

  #reply(found: Found, seen: ObservedReply, when: When): void {
    const { packet } = seen;
    if (packet.icrcOk && this.#answersWrongly(found, seen, when)) return found.complete?.forget();
    const copy = packet.icrcOk && found.requester.answered.again(seen);
    if (copy && this.#findings.copies.between(packet.addressKey)) this.#ledger.skip(copies);
    else found.judge.push({ kind: 'reply', event: when.event, t: when.t, seen, copy });
    found.complete?.reply(seen, when, found.judge, found.requester);
  }

  /** Whether the response is wrong by the request alone that it answers, which has been reported where that is certain. */
  #answersWrongly(found: Found, seen: ObservedReply, when: When): boolean {
    found.requester.reply(seen, when.t);
    this.#anotherValue(found, seen, when);
    return this.#judgeAnswer(found, seen, when);
  }

  /** A rule that the response breaks whatever the responder makes of the requests, and how. */
  #wrongAnswer({ requester }: Found, seen: ObservedReply, { t }: When): AnswerVerdict | undefined {
    const { captured } = this.#rules;
    const verdict = judgeAnswer(captured, requester.asked, seen);
    const ended = requester.afterEnd(seen, t);
    const pad = wrongPad(seen.packet.payloadLength, seen.packet.padCount);
    if (captured.header !== undefined && pad !== undefined) return { rule: captured.header, wrong: pad };
    if (verdict?.wrong !== undefined) return verdict;
    return ended && captured.ended && { rule: captured.ended, wrong: ended };
  }

  /** Where nothing was lost, an ATOMIC that comes again behind a pause is known to be of the same connection. */
  #anotherValue({ judge, requester }: Found, seen: ObservedReply, when: When): void {
    const rule = this.#rules.captured.atomicValue;
    const wrong = requester.anotherValue(seen);
    if (rule === undefined || wrong === undefined) return;
    const { ledger } = this.#findings.held;
    ledger.exercise([rule]);
    ledger.violate({ rule: rule.id, ...when, qp: judge.connection.name, ...wrong });
  }

  #judgeAnswer(found: Found, seen: ObservedReply, when: When): boolean {
    const { judge, requester } = found;
    const verdict = this.#wrongAnswer(found, seen, when);
    const { rule, wrong } = verdict ?? {};
    if (rule === undefined || wrong === undefined) return false;
    // such a NAK refuses a request itself
    const refuses = seen.kind === 'rnr-nak' || seen.kind === 'sequence-nak';
    const why =
      !refuses && requester.refused(seen.psn)
        ? 'responses to requests that a NAK has refused, and that the capture does not hold once more'
        : this.#found.another(found, seen)
          ? 'responses that fit several connections'
          : undefined;
    if (why !== undefined) {
      this.#ledger.skip(why);
      return true;
    }
    this.#ledger.exercise([rule]);
    this.#ledger.violate({ rule: rule.id, ...when, qp: judge.connection.name, ...wrong });
    return true;
  }
}
