import type { CongestionProfile, DcqcnParameters, RateCause } from '../../spec/congestion.ts';
import type { Outcome, Rule, RuleSet } from '../rules.ts';
import { stepped, unlimited } from './dcqcn.ts';
import type { RateState, StepContext } from './dcqcn.ts';
import { lookupOf } from './report-facts.ts';
import type { Lookup } from './report-facts.ts';

/** What befalls one QP: times in nanoseconds, rising; bytes of payload that it sends. */
export interface DcqcnInput {
  cnps: readonly number[];
  sent?: readonly { t: number; bytes: number }[];
  until: number;
}

/** The state from `t` on, and what led to it. */
export interface DcqcnStep extends RateState {
  t: number;
  cause: RateCause;
}

type Tables = Readonly<Record<'cnp' | 'cut' | 'alpha-slot' | 'step', Lookup>>;

/** A thing that happens at a time; those of one time in this order. */
type Happening = { t: number; what: 'alpha-slot' | 'timer' | 'cnp' | 'sent'; bytes: number };
const order = ['alpha-slot', 'timer', 'sent', 'cnp'] as const;

/**
 * DC-QCN as the tables of rules have it, carried out: every step that a reaction point takes which cuts with the first CNP of a
 * slot, counts the events of a stage by one count, takes the first of the choices that a rule leaves, and lets go of nothing.
 * RangeError if the rules lack a table, or the profile has no parameters.
 */
export function runDcqcn(rules: RuleSet, profile: CongestionProfile, input: DcqcnInput): DcqcnStep[] {
  const { dcqcn } = profile;
  if (dcqcn === undefined) throw new RangeError('the profile has no parameters of DC-QCN');
  return new Run(rules, profile, dcqcn).through(input);
}

class Run {
  readonly #tables: Tables;
  readonly #profile: CongestionProfile;
  readonly #parameters: DcqcnParameters;
  readonly #steps: DcqcnStep[] = [];
  #state: RateState;
  #limited = false;
  #cnpInSlot = false;
  #lastCut = Number.NEGATIVE_INFINITY;
  #slotEnd = Number.POSITIVE_INFINITY;
  #timerEnd = Number.POSITIVE_INFINITY;
  #bytes = 0;
  #events = 0;

  constructor(rules: RuleSet, profile: CongestionProfile, parameters: DcqcnParameters) {
    this.#tables = {
      cnp: lookupOf(rules, 'cc-rate-cnp'),
      cut: lookupOf(rules, 'cc-rate-cut'),
      'alpha-slot': lookupOf(rules, 'cc-rate-alpha'),
      step: lookupOf(rules, 'cc-rate-step'),
    };
    this.#profile = profile;
    this.#parameters = parameters;
    this.#state = unlimited(profile);
  }

  through({ cnps, sent = [], until }: DcqcnInput): DcqcnStep[] {
    const given: Happening[] = [
      ...cnps.map((t) => ({ t, what: 'cnp' as const, bytes: 0 })),
      ...sent.map(({ t, bytes }) => ({ t, what: 'sent' as const, bytes })),
    ];
    given.sort((a, b) => a.t - b.t);
    for (;;) {
      const [next] = [
        ...given.slice(0, 2),
        { t: this.#slotEnd, what: 'alpha-slot' as const, bytes: 0 },
        { t: this.#timerEnd, what: 'timer' as const, bytes: 0 },
      ].toSorted((a, b) => a.t - b.t || order.indexOf(a.what) - order.indexOf(b.what));
      if (next === undefined || next.t > until) return this.#steps;
      if (next.what === 'cnp' || next.what === 'sent') given.splice(given.indexOf(next), 1);
      this.#happens(next);
    }
  }

  #happens({ t, what, bytes }: Happening): void {
    switch (what) {
      case 'cnp':
        return this.#named(t);
      case 'alpha-slot':
        this.#slotEnd = t + this.#parameters.alphaSlot;
        this.#step('alpha-slot', t, {
          limiter: 'limited',
          slotAge: 'due',
          cnpInSlot: this.#cnpInSlot ? 'yes' : 'no',
        });
        this.#cnpInSlot = false;
        return;
      case 'timer':
        this.#timerEnd = t + this.#parameters.timer;
        return this.#increase('timer', t);
      case 'sent':
        if (!this.#limited) return;
        this.#bytes += bytes;
        if (this.#bytes < this.#parameters.bytes) return;
        this.#bytes -= this.#parameters.bytes;
        return this.#increase('bytes', t);
    }
  }

  #named(t: number): void {
    this.#step('cnp', t, { cnpCame: 'yes', limiter: this.#limited ? 'limited' : 'idle' });
    const named = this.#limited;
    if (!named) this.#slotEnd = t + this.#parameters.alphaSlot;
    this.#limited = true;
    this.#cnpInSlot = true;
    if (!named && this.#parameters.firstRate !== undefined) return this.#restart(t);
    if (t - this.#lastCut < this.#parameters.decreaseSlot) return;
    this.#step('cut', t, { cnpCame: 'yes', cutSpacing: 'due' });
    this.#restart(t);
  }

  #restart(t: number): void {
    this.#lastCut = t;
    this.#timerEnd = t + this.#parameters.timer;
    this.#bytes = this.#events = 0;
  }

  #increase(cause: 'timer' | 'bytes', t: number): void {
    this.#events++;
    const { threshold } = this.#parameters;
    const stage = this.#events <= threshold ? 'fast' : this.#events <= 2 * threshold ? 'active' : 'hyper';
    this.#apply(cause, t, this.#tables.step({ stage }));
  }

  #step(cause: 'cnp' | 'cut' | 'alpha-slot', t: number, facts: Readonly<Record<string, string>>): void {
    this.#apply(cause, t, this.#tables[cause](facts));
  }

  /** What all rules that decide say together. */
  #apply(cause: RateCause, t: number, rules: readonly Rule[]): void {
    const outcome: Outcome = Object.assign({}, ...rules.map((rule) => rule.outcomes[0]));
    const context: StepContext = {
      parameters: this.#parameters,
      lineRate: this.#profile.lineRate,
      increased: this.#events > 0,
      events: this.#events,
    };
    this.#state = stepped(outcome, this.#state, context);
    this.#steps.push({ t, cause, ...this.#state });
  }
}
