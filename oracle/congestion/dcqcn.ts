import { dcqcnTolerance } from '../../spec/dcqcn.ts';
import type { CongestionProfile, DcqcnParameters, RateRecord } from '../../spec/congestion.ts';
import type { Outcome } from '../rules.ts';
import { outcomeWord } from '../rulebook/outcome.ts';

/** What a reaction point says of a QP, without what brought it about. */
export type RateState = Pick<RateRecord, 'rate' | 'target' | 'alpha'>;

/** What the arithmetic needs besides the state before. */
export interface StepContext {
  /** of the device; `undefined`: only what holds whatever they are is demanded */
  parameters: DcqcnParameters | undefined;
  lineRate: number;
  /** the rate has been increased since the cut before */
  increased: boolean;
  /** increase events since the cut, this one included */
  events: number;
  /** steps of rates and alpha that the device declares */
  resolution?: { rate: number; alpha: number } | undefined;
}

/** State in which a limiter begins that nobody has named in a CNP. */
export function unlimited({ lineRate, dcqcn }: CongestionProfile): RateState {
  return { rate: lineRate, target: lineRate, alpha: dcqcn?.initialAlpha ?? 1 };
}

/** Alpha after an outcome word; several where the word leaves a choice, `undefined` where any is right. */
function alphas(
  word: string | undefined,
  { alpha }: RateState,
  { parameters }: StepContext,
): number[] | undefined {
  const kept = [alpha];
  const initial = parameters === undefined ? undefined : [parameters.initialAlpha];
  const rises = parameters && [(1 - parameters.g) * alpha + parameters.g];
  const decays = parameters && [(1 - parameters.g) * alpha];
  switch (word) {
    case 'kept':
      return kept;
    case 'initial':
      return initial;
    case 'kept-or-initial':
      return initial && [...kept, ...initial];
    case 'rises':
      return rises;
    case 'decays':
      return decays;
    case 'rises-or-decays':
      return rises && decays && [...rises, ...decays];
    case undefined:
    default:
      return undefined;
  }
}

/** Target after an outcome word. `seen`: what the device says, which tells how often it added where it may add several times. */
function targetAfter(
  word: string | undefined,
  before: RateState,
  context: StepContext,
  seen: number | undefined,
): number | undefined {
  const { parameters, lineRate, increased, events } = context;
  switch (word) {
    case 'kept':
      return before.target;
    case 'initial':
      return parameters && (parameters.firstRate ?? before.target);
    case 'kept-or-initial': {
      const first = parameters?.firstRate;
      return first !== undefined && seen !== undefined && sameRate(first, seen) ? first : before.target;
    }
    case 'saved':
      if (parameters === undefined) return undefined;
      return parameters.clampTarget || increased ? before.rate : before.target;
    case 'active':
      return parameters && Math.min(lineRate, before.target + parameters.activeIncrease);
    case 'hyper': {
      if (parameters === undefined) return undefined;
      const { hyperIncrease: step } = parameters;
      const times = seen === undefined ? 1 : Math.round((seen - before.target) / step);
      return Math.min(lineRate, before.target + Math.min(events, Math.max(1, times)) * step);
    }
    case undefined:
    default:
      return undefined;
  }
}

/** Rate after an outcome word, once the target is as given. */
function rateAfter(
  word: string | undefined,
  before: RateState,
  target: number,
  { parameters, lineRate }: StepContext,
  targetWord: string | undefined,
): number | undefined {
  const inRange = (rate: number): number => Math.min(lineRate, Math.max(parameters?.minRate ?? 0, rate));
  switch (word) {
    case 'kept':
      return before.rate;
    case 'initial':
      return parameters && (parameters.firstRate ?? before.rate);
    case 'kept-or-initial':
      // rate and target are set together
      return parameters?.firstRate !== undefined && sameRate(target, parameters.firstRate)
        ? parameters.firstRate
        : before.rate;
    case 'cut': {
      if (parameters === undefined) return undefined;
      const share = Math.max(1 - before.alpha / 2, parameters.minDecreaseFactor);
      return inRange(before.rate * share);
    }
    case 'average':
      return inRange((before.rate + target) / 2);
    case 'constant':
      if (parameters === undefined) return undefined;
      return inRange(
        before.rate + (targetWord === 'active' ? parameters.activeIncrease : parameters.hyperIncrease),
      );
    case undefined:
    default:
      return undefined;
  }
}

/** What the outcome of a rule makes of a state; of choices the first, and parts that it says nothing of stay. */
export function stepped(outcome: Outcome, before: RateState, context: StepContext): RateState {
  const targetWord = outcomeWord(outcome, 'targetStep');
  const target = targetAfter(targetWord, before, context, undefined) ?? before.target;
  const rate =
    rateAfter(outcomeWord(outcome, 'rateStep'), before, target, context, targetWord) ?? before.rate;
  const alpha = alphas(outcomeWord(outcome, 'alphaStep'), before, context)?.[0] ?? before.alpha;
  return { rate, target, alpha };
}

/** One part of what a device says that is not what the outcome makes of the state before. */
export interface StepFault {
  expected: string;
  observed: string;
}

const near = (a: number, b: number, share: number, least: number): boolean =>
  Math.abs(a - b) <= Math.max(least, share * Math.max(Math.abs(a), Math.abs(b)));

/** Whether two rates are the same, by the tolerance of spec/constants/dcqcn.yaml and the steps that the device keeps them in. */
export function sameRate(a: number, b: number, step = 1): boolean {
  return near(a, b, dcqcnTolerance().rate, Math.max(1, step));
}

export function sameAlpha(a: number, b: number, step = 0): boolean {
  const { alpha } = dcqcnTolerance();
  return near(a, b, alpha, Math.max(alpha, step));
}

/** How a state differs from what an outcome makes of the one before; `undefined` where it does not. */
export function stepFault(
  outcome: Outcome,
  before: RateState,
  after: RateState,
  context: StepContext,
): StepFault | undefined {
  const steps = context.resolution ?? { rate: 1, alpha: 0 };
  const alphaWord = outcomeWord(outcome, 'alphaStep');
  const wanted = alphas(alphaWord, before, context);
  if (wanted !== undefined && !wanted.some((alpha) => sameAlpha(alpha, after.alpha, steps.alpha)))
    return { expected: `alpha ${wanted.join(' or ')}`, observed: `alpha ${after.alpha}` };
  const targetWord = outcomeWord(outcome, 'targetStep');
  const target = targetAfter(targetWord, before, context, after.target);
  if (target !== undefined && !sameRate(target, after.target, steps.rate))
    return { expected: `target ${bits(target)}`, observed: `target ${bits(after.target)}` };
  const rateWord = outcomeWord(outcome, 'rateStep');
  // from the target that the device says, so that it may round
  const rate = rateAfter(rateWord, before, after.target, context, targetWord);
  if (rate !== undefined && !sameRate(rate, after.rate, steps.rate))
    return { expected: `rate ${bits(rate)}`, observed: `rate ${bits(after.rate)}` };
  return context.parameters === undefined ? shapeFault(outcome, before, after) : undefined;
}

/** What holds whatever the parameters are. */
function shapeFault(outcome: Outcome, before: RateState, after: RateState): StepFault | undefined {
  const falls = (a: number, b: number): boolean => b < a || sameRate(a, b);
  const cut = outcomeWord(outcome, 'rateStep') === 'cut';
  if (cut && !(falls(before.rate, after.rate) && falls(after.rate, before.rate / 2)))
    return { expected: 'between half the rate and the rate', observed: bits(after.rate) };
  const alphaWord = outcomeWord(outcome, 'alphaStep');
  if (alphaWord === 'rises' && after.alpha < before.alpha)
    return { expected: `alpha ${before.alpha} or more`, observed: `alpha ${after.alpha}` };
  if (alphaWord === 'decays' && after.alpha > before.alpha)
    return { expected: `alpha ${before.alpha} or less`, observed: `alpha ${after.alpha}` };
  const targetWord = outcomeWord(outcome, 'targetStep');
  const raises = targetWord === 'active' || targetWord === 'hyper';
  if (raises && !falls(after.target, before.target))
    return { expected: `target ${bits(before.target)} or more`, observed: bits(after.target) };
  return undefined;
}

function bits(rate: number): string {
  return `${Number((rate / 1e6).toFixed(6))} Mb/s`;
}

/** Word of the rules for the stage of an increase, by the events since the cut, this one included. */
export function stageOf(timer: number, bytes: number, threshold: number): string {
  const events = timer + bytes;
  const most = Math.max(timer, bytes);
  const least = Math.min(timer, bytes);
  const fast = events <= threshold + 1 || most <= threshold;
  const active =
    (events >= threshold && events <= 2 * threshold + 1) || (most >= threshold && least <= threshold + 1);
  const hyper = events >= 2 * threshold || least >= threshold;
  if (fast && hyper) return 'any';
  if (fast) return active ? 'fast-or-active' : 'fast';
  if (hyper) return active ? 'active-or-hyper' : 'hyper';
  return 'active';
}
