import type { Difference } from '../device/packet/header.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { When } from '../spot.ts';
import { inUnits } from '../time.ts';
import type { Copies } from './copies.ts';
import type { Refusal } from './naks.ts';
import { QpViolations } from './qp-violations.ts';
import type { CapturedDemand, CapturedRequesterRules } from './requester-rules.ts';
import type { SeenRequest } from './requests/seen-request.ts';
import type { Stamps } from '../device/packet/stamps.ts';

/** What the judge of a requester needs to know of the capture around it. */
export interface CapturedSurroundings {
  readonly rules: CapturedRequesterRules;
  readonly ledger: Ledger;
  readonly copies: Copies;
  readonly stamps: Stamps;
  /** whether the capture may lack packets */
  readonly lossy: boolean;
  /** how reports name the requester's QP */
  readonly name: () => string;
}

/** What the rules demand of the requests of one QP in a capture, and what of it is not so. */
export class CapturedDemands {
  /** something was wrong with a request that was seen for the first time, since this was last set to `false` */
  malformed = false;
  readonly #around: CapturedSurroundings;
  readonly #violations: QpViolations;

  constructor(around: CapturedSurroundings) {
    this.#around = around;
    this.#violations = new QpViolations(around.ledger);
  }

  /** `wrong`: how the request is not as the demand has it, if it is not; `doubtful`: it may be of another connection. */
  held(
    key: CapturedDemand,
    copy: 'first' | 'repeat',
    request: SeenRequest,
    wrong: Difference | undefined,
    when: When,
    doubtful = false,
  ): void {
    const { rules, ledger, name } = this.#around;
    const rule = rules.demand(key, copy, request.family);
    if (rule === undefined) return;
    ledger.exerciseOne(rule);
    if (wrong === undefined) return;
    if (copy === 'first') this.malformed = true;
    const violation = { rule: rule.id, ...when, qp: name(), ...wrong };
    if (doubtful) this.#violations.doubt(violation);
    else this.#violations.add(violation);
  }

  /** What an RNR NAK refused is seen once more. `doubtful`: it may be of another connection. */
  retried(
    before: SeenRequest,
    { since, wait, times, overtakes }: Refusal,
    { event, t }: When,
    doubtful: boolean,
  ): void {
    const { rules, copies, ledger, stamps, name } = this.#around;
    const waited = t - since;
    const early = waited < stamps.least(wait);
    const rule = rules.rnr(early ? 'running' : 'over');
    if (rule === undefined) return;
    if (!early) return ledger.exercise([rule]);
    // sent more often than it was refused, it may have been on its way once more when the NAK came
    if (before.sights > times || overtakes) return;
    const expected = `not before the ${inUnits(wait)} that the RNR NAK asks for are over`;
    const observed = `PSN ${before.psn} once more ${inUnits(waited)} after it`;
    const violation = { rule: rule.id, event, t, qp: name(), expected, observed };
    if (doubtful) this.#violations.doubt(violation);
    else copies.suspect(violation);
  }
}
