import type { CongestionProfile } from '../../../spec/congestion.ts';
import type { Outcome } from '../../rules.ts';
import type { CongestionMachine } from '../machine.ts';
import { sameAlpha, sameRate } from './tolerance.ts';
import { CongestionVariables } from '../variables.ts';
import type { CongestionInputs } from '../variables.ts';
import { rateInUnits } from '../../rate-units.ts';

type Part = 'alpha' | 'target' | 'rate';

/** One part of a device's report that is not what the outcome makes of the state before. */
export interface StepFault {
  expected: string;
  observed: string;
}

function text(part: Part, value: number): string {
  return part === 'alpha' ? `alpha ${value}` : `${part} ${rateInUnits(value)}`;
}

/**
 * Holds what a reaction point tells against what outcomes make of the state before: alpha, then target, then rate, each by the
 * effect that machine.yaml gives to the word. Only what the outcome says something of is compared.
 */
export class StepCheck {
  readonly #effects: readonly (readonly [Part, string, ReturnType<CongestionMachine['effect']>])[];
  readonly #copy: CongestionMachine['layout']['copy'];
  readonly #unbounded: ReturnType<CongestionMachine['step']>;
  readonly #steps: { rate: number; alpha: number };

  constructor(machine: CongestionMachine, profile: CongestionProfile | undefined) {
    this.#effects = (['alpha', 'target', 'rate'] as const).map((part) => {
      const key = `${part}Step`;
      return [part, key, machine.effect(key)];
    });
    this.#copy = (from, to) => machine.layout.copy(from, to);
    this.#unbounded = machine.step('unbounded');
    this.#steps = profile?.resolution ?? { rate: 1, alpha: 0 };
  }

  /** How what is reported differs from what the outcome makes of the state before; `undefined` where it does not. */
  fault(
    outcome: Outcome,
    before: CongestionVariables,
    inputs: Partial<CongestionInputs> & Pick<CongestionInputs, 'report'>,
  ): StepFault | undefined {
    const after = new CongestionVariables();
    this.#copy(before, after);
    for (const [part, key, effect] of this.#effects) {
      // the rate follows from the target that the device tells, so that it may round
      if (part === 'rate') after.target = inputs.report.target;
      if (outcome[key] === undefined) continue;
      this.#unbounded(inputs, after);
      effect(outcome, inputs, after);
      const fault = this.#differs(part, after, inputs.report[part]);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  #differs(
    part: Part,
    { [part]: wanted, least, most }: CongestionVariables,
    reported: number,
  ): StepFault | undefined {
    const same = (value: number): boolean =>
      part === 'alpha'
        ? sameAlpha(value, reported, this.#steps.alpha)
        : sameRate(value, reported, this.#steps.rate);
    if (wanted >= 0)
      return same(wanted) ? undefined : { expected: text(part, wanted), observed: text(part, reported) };
    const exact = part === 'alpha';
    if (least >= 0 && reported < least && (exact || !sameRate(least, reported)))
      return { expected: `${text(part, least)} or more`, observed: text(part, reported) };
    if (most >= 0 && reported > most && (exact || !sameRate(most, reported)))
      return { expected: `${text(part, most)} or less`, observed: text(part, reported) };
    return undefined;
  }
}
