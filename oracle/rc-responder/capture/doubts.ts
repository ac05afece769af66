import type { ResponderContext } from '../context.ts';
import { psnDiff } from '../../../wire/psn.ts';
import type { Entry } from '../entry.ts';
import type { Qp } from '../../device/qp.ts';
import { copies, malformed, moreSince, otherConnection, overtaken, repetitions } from './visibility.ts';
import { lateSpan } from './late.ts';
import type { CaptureVisibility } from './visibility.ts';
import type { Unmet } from '../responses/demands.ts';
import type { PossibleResponderStates, Stopped } from '../possible-states.ts';
import type { ResponderReport } from '../report.ts';
import type { ResponderRules } from '../rules.ts';

export type ReplyEntry = Entry & { kind: 'reply' };

/**
 * What else may explain a response than the requests that were seen: a capture may lack some, hold copies, and show the packets of several
 * connections. Without a capture nothing does.
 */
export class ResponseDoubts {
  readonly #connection: Qp;
  readonly #rules: ResponderRules;
  readonly #states: PossibleResponderStates;
  readonly #report: ResponderReport;
  readonly #sight: CaptureVisibility | undefined;

  constructor({ connection, rules, states, report, sight }: ResponderContext) {
    this.#connection = connection;
    this.#rules = rules;
    this.#states = states;
    this.#report = report;
    this.#sight = sight;
  }

  /** Whether a captured response can be looked at no further: damaged on the way, or wrong by its header alone. */
  spoiled(entry: ReplyEntry): boolean {
    const { seen } = entry;
    const damaged = !seen.packet.icrcOk;
    if (damaged) this.#report.skip('responses damaged on the way');
    const wrong = damaged ? [] : this.#rules.demands.wrongHeader(this.#connection, this.#states.state, seen);
    for (const unmet of wrong) this.#report.violate(entry, unmet);
    const spoiled = damaged || wrong.length > 0;
    if (spoiled) this.#states.pop();
    return spoiled;
  }

  /** Whether what cannot be explained may be a copy, or has been overtaken on its way: of these nothing is said. */
  isCopy({ copy, seen }: ReplyEntry): boolean {
    if (copy !== true && this.#sight?.overtaken(seen) !== true) return false;
    this.#report.skip(copy === true ? copies : overtaken);
    this.#states.pop();
    return true;
  }

  /**
   * Whether the answer to a repeated request counts more than was seen to be carried out: newer requests may have been, which the capture lacks.
   * What comes behind tells.
   */
  countsMore({ seen }: ReplyEntry, unmet: readonly Unmet[]): boolean {
    if (this.#sight === undefined || unmet.length === 0) return false;
    const { msn, msnBase } = this.#states.state;
    const more = psnDiff(seen.msn, msnBase + msn);
    if (more <= 0 || more > lateSpan || !unmet.every(({ key }) => key === 'mustMsn')) return false;
    this.#report.skip(moreSince);
    this.#states.pop();
    return true;
  }

  /** Whether what cannot be explained may be of another connection, of which nothing is known. */
  beginsAnew(): boolean {
    if (this.#sight?.mayBeginAnew !== true) return false;
    this.#report.skip(otherConnection);
    return true;
  }

  /** Whether what cannot be explained may answer another request in the place of one that should not have been sent. */
  answersAnother(): boolean {
    if (this.#sight?.mistrusted !== true) return false;
    this.#report.skip(malformed);
    return true;
  }

  /** Whether what cannot be explained may answer what was carried out before the capture, so that the expected PSN is another one. */
  mayRepeat({ seen }: ReplyEntry): boolean {
    const { msn, msnBase } = this.#states.state;
    if (this.#sight?.mayRepeat(seen, msnBase + msn) !== true) return false;
    this.#report.skip(repetitions);
    return true;
  }

  /** Whether it refuses a request for a reason of the responder's own. */
  refusesForItself(entry: ReplyEntry): boolean {
    const why = this.#sight?.ownReason(entry.seen);
    if (why === undefined) return false;
    this.#report.skip(why);
    // whatever it refuses, it counts what was completed before
    this.countsWrong(entry);
    return true;
  }

  /** Whether its MSN cannot be right, whichever way explains it; that has been reported. */
  countsWrong(entry: ReplyEntry): boolean {
    const { seen } = entry;
    const rule = this.#rules.demands.counts(this.#states.state, seen);
    const range = this.#sight?.mayBeginAnew === false ? this.#possibleMsns(entry) : undefined;
    if (rule === undefined || range === undefined) return false;
    this.#report.violate(entry, { rule, expected: `MSN ${range}`, observed: `MSN ${seen.msn}` });
    return true;
  }

  /** The MSNs that were possible, where that of the response is not. */
  #possibleMsns(entry: ReplyEntry): string | undefined {
    const late = entry.copy === true || this.#sight?.overtaken(entry.seen) === true;
    if (late || this.#states.guessing) return undefined;
    const least = this.#sight?.fallsBelow(entry.seen);
    if (least !== undefined) return `${least} or more`;
    return this.lacking(entry) === undefined ? this.#sight?.possibleMsns(entry.seen) : undefined;
  }

  /** Whether demands are not met that nothing beyond the capture could explain. */
  beyondDoubt(entry: ReplyEntry, unmet: readonly Unmet[]): boolean {
    if (this.#sight === undefined || this.#states.guessing) return false;
    if (unmet.some(({ key }) => key === 'mustMsn') && this.#sight.fallsBelow(entry.seen) !== undefined)
      return true;
    if (this.lacking(entry) !== undefined) return false;
    return this.#sight.beyondDoubt(unmet, entry.seen);
  }

  /** Judging begins anew where the capture may lack the request that explains the response, or shows the begin of another connection. */
  lost(entry: ReplyEntry): Stopped | undefined {
    const why = this.lacking(entry);
    if (why === undefined) return undefined;
    return this.#sight?.leaps === true && this.beginsAnew() ? {} : { why };
  }

  /** Why a capture may lack the request that explains the response. */
  lacking({ seen }: ReplyEntry): string | undefined {
    return this.#sight?.lacking(seen, this.#states.requests, this.#states.state);
  }
}
