import type { CongestionProfile, DcqcnParameters, RateCause } from '../../../spec/congestion.ts';
import type { Outcome, Rule, RuleSet } from '../../../oracle/rules.ts';
import { congestionMachine, declaredInputs, newRegisters } from '../../../oracle/congestion/machine.ts';
import type { CongestionMachine, Declared } from '../../../oracle/congestion/machine.ts';
import type { CongestionVariables } from '../../../oracle/congestion/variables.ts';
import { lookupOf } from '../../../oracle/rulebook/lookup.ts';
import type { Lookup } from '../../../oracle/rulebook/lookup.ts';

/** What befalls one QP: times in nanoseconds, rising; bytes of payload that it sends. */
export interface DcqcnInput {
  cnps: readonly number[];
  sent?: readonly { t: number; bytes: number }[];
  until: number;
}

/** What rules leave to the device. */
export interface DcqcnChoices {
  /** which of the outcomes that a rule allows, by number; default: the first */
  alternative?: (rule: Rule) => number;
  /** one count of the events of a stage, or one each for timer and bytes; default: one */
  counts?: 'one' | 'two';
}

/** The state from `t` on, and what led to it. */
export interface DcqcnStep extends Pick<CongestionVariables, 'rate' | 'target' | 'alpha'> {
  t: number;
  cause: RateCause;
}

type Tables = Readonly<Record<'cnp' | 'cut' | 'alpha-slot' | 'step', Lookup>>;

/** A thing that happens at a time; those of one time in this order. */
type Happening = { t: number; what: 'alpha-slot' | 'timer' | 'cnp' | 'sent'; bytes: number };
const order = ['alpha-slot', 'timer', 'sent', 'cnp'] as const;

/**
 * DC-QCN as the tables of rules have it, carried out: every step that a reaction point takes which cuts with the first CNP of a
 * slot and lets go of nothing, with `choices` where rules leave some.
 * RangeError if the rules lack a table, or the profile has no parameters.
 */
export function runDcqcn(
  rules: RuleSet,
  profile: CongestionProfile,
  input: DcqcnInput,
  choices: DcqcnChoices = {},
): DcqcnStep[] {
  const { dcqcn } = profile;
  if (dcqcn === undefined) throw new RangeError('the profile has no parameters of DC-QCN');
  return new Run(rules, { profile, parameters: dcqcn, choices }).through(input);
}

interface Reaction {
  profile: CongestionProfile;
  parameters: DcqcnParameters;
  choices: DcqcnChoices;
}

class Run {
  readonly #tables: Tables;
  readonly #choices: DcqcnChoices;
  readonly #machine: CongestionMachine;
  readonly #declared: Declared;
  readonly #registers: CongestionVariables;
  readonly #parameters: DcqcnParameters;
  readonly #steps: DcqcnStep[] = [];
  #limited = false;
  #cnpInSlot = false;
  #lastCut = Number.NEGATIVE_INFINITY;
  #slotEnd = Number.POSITIVE_INFINITY;
  #timerEnd = Number.POSITIVE_INFINITY;
  #bytes = 0;
  #timers = 0;
  #fulls = 0;

  constructor(rules: RuleSet, { profile, parameters, choices }: Reaction) {
    this.#tables = {
      cnp: lookupOf(rules, 'cc-rate-cnp'),
      cut: lookupOf(rules, 'cc-rate-cut'),
      'alpha-slot': lookupOf(rules, 'cc-rate-alpha'),
      step: lookupOf(rules, 'cc-rate-step'),
    };
    this.#choices = choices;
    this.#parameters = parameters;
    this.#machine = congestionMachine(rules);
    this.#declared = declaredInputs(profile);
    this.#registers = newRegisters(this.#machine, this.#declared);
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
          cnpInSlot: this.#cnpInSlot ? 'some' : 'none',
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
    this.#step('cnp', t, { cnpCame: 'some', limiter: this.#limited ? 'limited' : 'idle' });
    const named = this.#limited;
    if (!named) this.#slotEnd = t + this.#parameters.alphaSlot;
    this.#limited = true;
    this.#cnpInSlot = true;
    if (!named && this.#parameters.firstRate !== undefined) return this.#restart(t);
    if (t - this.#lastCut < this.#parameters.decreaseSlot) return;
    this.#step('cut', t, { cnpCame: 'some', cutSpacing: 'due' });
    this.#restart(t);
  }

  #restart(t: number): void {
    this.#lastCut = t;
    this.#timerEnd = t + this.#parameters.timer;
    this.#bytes = this.#timers = this.#fulls = 0;
  }

  #increase(cause: 'timer' | 'bytes', t: number): void {
    if (cause === 'timer') this.#timers++;
    else this.#fulls++;
    this.#apply(cause, t, this.#tables.step({ stage: this.#stage }));
  }

  get #stage(): 'fast' | 'active' | 'hyper' {
    const { threshold } = this.#parameters;
    const both = this.#choices.counts === 'two';
    const events = this.#timers + this.#fulls;
    if ((both ? Math.max(this.#timers, this.#fulls) : events) <= threshold) return 'fast';
    return (both ? Math.min(this.#timers, this.#fulls) <= threshold : events <= 2 * threshold)
      ? 'active'
      : 'hyper';
  }

  #step(cause: 'cnp' | 'cut' | 'alpha-slot', t: number, facts: Readonly<Record<string, string>>): void {
    this.#apply(cause, t, this.#tables[cause](facts));
  }

  /** What all rules that decide say together. */
  #apply(cause: RateCause, t: number, rules: readonly Rule[]): void {
    const outcome: Outcome = Object.assign(
      {},
      ...rules.map((rule) => rule.outcomes[this.#choices.alternative?.(rule) ?? 0]),
    );
    const registers = this.#registers;
    registers.increased = this.#timers + this.#fulls > 0;
    registers.timerEvents = Math.max(0, this.#timers + this.#fulls - 1);
    // a target that is not yet told leaves one step of several
    const report = { cause, rate: 0, target: 0, alpha: 0, atFirstRate: false, atLine: false };
    const inputs = { ...this.#declared, report };
    for (const key of ['alphaStep', 'targetStep', 'rateStep'])
      this.#machine.effect(key)(outcome, inputs, registers);
    const { rate, target, alpha } = registers;
    this.#steps.push({ t, cause, rate, target, alpha });
  }
}
