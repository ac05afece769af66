import type { RateRecord } from '../../../spec/congestion.ts';
import type { Rule } from '../../rules.ts';
import type { Spot } from '../../spot.ts';
import type { CongestionContext } from '../context.ts';
import { ruleWord } from '../../rulebook/outcome.ts';
import { CongestionEvent, RateEvent } from '../event.ts';
import type { Limiter } from './limiter.ts';
import { StepCheck } from './step.ts';
import { sameRate } from './tolerance.ts';
import { rateInUnits } from '../../rate-units.ts';

type ReportTable = 'rate-cnp' | 'rate-cut' | 'rate-alpha' | 'rate-increase' | 'rate-step';

/** Judges what the reaction point reports of a QP: whether it may come, and whether it follows from the state before. */
export class ReportJudge {
  readonly #context: CongestionContext;
  readonly #steps: StepCheck;

  constructor(context: CongestionContext) {
    this.#context = context;
    this.#steps = new StepCheck(context.machine, context.profile);
  }

  inputs(limiter: Limiter, { cause, alpha, rate, target }: RateRecord, t: number): RateEvent {
    const { profile, jitter } = this.#context;
    const line = profile?.lineRate;
    const first = profile?.dcqcn?.firstRate;
    const report = {
      cause,
      alpha,
      rate,
      target,
      atFirstRate: first !== undefined && sameRate(rate, first),
      atLine: line !== undefined && sameRate(rate, line),
    };
    return new RateEvent(limiter, this.#context, t, { report }, t + jitter);
  }

  range(record: RateRecord, inputs: RateEvent, spot: Spot): void {
    const { machine } = this.#context;
    for (const rateField of ['alpha', 'rate', 'target'] as const) {
      const rule = this.#context.rule('rate-range', inputs, undefined, { rateField });
      const value = record[rateField];
      const field = new CongestionEvent(this.#context, inputs.at, { field: { value } });
      if (!this.#context.breaks(rule, 'mustLie', field)) continue;
      const [least, most] = (['leastRate', 'mostRate'] as const).map((bound) =>
        machine.number(bound)(inputs, this.#context.registers()),
      );
      if (ruleWord(rule, 'mustLie') === 'unit')
        this.#context.violate(rule, spot, `${rateField} from 0 to 1`, `${rateField} ${value}`);
      else this.#context.violate(rule, spot, `${rateField} from ${least} to ${most} b/s`, `${value} b/s`);
    }
  }

  /** `unprompted`: the rule that a CNP that came forbids to take note of, if there is one. */
  judge(limiter: Limiter, inputs: RateEvent, spot: Spot, unprompted: Rule | undefined): void {
    const demand = (table: ReportTable): void => this.#demand(table, limiter, inputs, spot, unprompted);
    switch (inputs.report.cause) {
      case 'cnp':
        return demand('rate-cnp');
      case 'cut':
        return demand('rate-cut');
      case 'alpha-slot':
        this.#waited('rate-alpha', 'slotAge', limiter, inputs);
        return demand('rate-alpha');
      case 'timer':
      case 'bytes':
        this.#waited('rate-increase', 'spanElapsed', limiter, inputs);
        demand('rate-increase');
        return demand('rate-step');
    }
  }

  /** What is due now did not come early. */
  #waited(table: ReportTable, fact: string, { registers }: Limiter, inputs: RateEvent): void {
    if (this.#context.fact(table, fact, inputs, registers) === 'due')
      this.#context.refrained(table, inputs, registers, { [fact]: 'early' });
  }

  #demand(table: ReportTable, limiter: Limiter, inputs: RateEvent, spot: Spot, unprompted?: Rule): void {
    const { registers } = limiter;
    const { cause } = inputs.report;
    const rules = this.#context.decide(table, inputs, registers);
    const undue = rules.find((rule) => ruleWord(rule, 'comes') === 'forbidden');
    if (undue !== undefined) {
      const rule = (cause === 'cnp' ? unprompted : undefined) ?? undue;
      const bytes = this.#context.machine.number('bytesLacking')(inputs, registers);
      if (cause === 'bytes' && bytes > 0) {
        limiter.counted = { rule, spot, bytes, observed: `${cause}, ${words(inputs)}` };
        return;
      }
      return this.#context.violate(rule, spot, `no ${cause} yet`, `${cause}, ${words(inputs)}`);
    }
    if (registers.rate < 0) return;
    for (const rule of rules) {
      const faults = rule.outcomes.map((outcome) => this.#steps.fault(outcome, registers, inputs));
      if (faults.includes(undefined)) continue;
      const expected = [...new Set(faults.map((fault) => fault?.expected))].join(', or ');
      this.#context.violate(rule, spot, `${cause}: ${expected}`, words(inputs));
    }
  }
}

function words({ report: { rate, target, alpha } }: RateEvent): string {
  return `rate ${rateInUnits(rate)}, target ${rateInUnits(target)}, alpha ${Number(alpha.toFixed(9))}`;
}
