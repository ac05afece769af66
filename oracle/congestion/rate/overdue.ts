import type { Rule } from '../../rules.ts';
import type { Spot } from '../../spot.ts';
import { inUnits } from '../../time.ts';
import type { CongestionContext, Inputs } from '../context.ts';
import { ruleWord } from '../../rulebook/outcome.ts';
import { RateEvent } from '../event.ts';
import type { Limiter } from './limiter.ts';
import type { CongestionQps } from '../qps.ts';
import type { CongestionInputs, CongestionVariables } from '../variables.ts';
import { rateInUnits } from '../../rate-units.ts';

type Step = CongestionInputs['awaitedStep'];

/** What a QP may be waiting for at `t`. */
class WaitingEvent extends RateEvent {
  awaitedStep: Step;

  constructor(limiter: Limiter, context: CongestionContext, t: number, awaitedStep: Step) {
    super(limiter, context, t);
    this.awaitedStep = awaitedStep;
  }
}

/** What the device kept a QP waiting for has come at `t`: the rule that demands it by then counts as exercised. */
export function cameInTime(context: CongestionContext, limiter: Limiter, step: Step, t: number): void {
  const { registers } = limiter;
  const inputs = new WaitingEvent(limiter, context, t, step);
  context.decide('rate-owed', inputs, registers);
  if (context.fact('rate-owed', 'wait', inputs, registers) === 'open')
    context.decide('rate-owed', inputs, registers, { wait: 'overdue' });
}

/** A step that a QP may be waiting for: since when it has, and in words what should have come. */
interface Awaited {
  step: Step;
  /** index of what it should have come behind; left out: where it is missed */
  behind?: (limiter: Limiter) => number;
  since: (registers: CongestionVariables) => number;
  expected: (inputs: Inputs, registers: CongestionVariables) => string;
}

function awaitedSteps({ machine, declared: { dcqcn }, slack }: CongestionContext): readonly Awaited[] {
  const packetTime = machine.number('packetTime');
  return [
    {
      step: 'cut',
      behind: ({ uncutEvent }) => uncutEvent,
      since: ({ oldestUncut }) => oldestUncut,
      expected: () => `a cut for the CNP within ${inUnits(dcqcn.decreaseSlot ?? 0)}`,
    },
    {
      step: 'alpha-slot',
      since: ({ alphaSlotLatest }) => alphaSlotLatest,
      expected: () => `the end of a slot after ${inUnits(dcqcn.alphaSlot ?? 0)}`,
    },
    {
      step: 'timer',
      since: ({ quietLatest }) => quietLatest,
      expected: () => `an increase after ${inUnits(dcqcn.timer ?? 0)}`,
    },
    {
      step: 'bytes',
      since: ({ quietLatest }) => quietLatest,
      expected: () => `an increase after ${dcqcn.bytes} bytes`,
    },
    {
      step: 'packet',
      behind: ({ packetBehind }) => packetBehind,
      since: ({ nextPacketLatest }) => nextPacketLatest,
      expected: (inputs, registers) => {
        const { rate, slowest } = registers;
        const bound = Math.ceil(packetTime(inputs, registers) + slack);
        const least = slowest < 0 ? rate : Math.min(slowest, rate);
        return `the next packet of the QP at ${rateInUnits(least)} within ${inUnits(bound)}`;
      },
    },
  ];
}

/** Finds what QPs should have reported or sent by now. It counts once it shows that the QP had not failed. */
export class OverdueJudge {
  readonly #context: CongestionContext;
  readonly #qps: CongestionQps;
  readonly #steps: readonly Awaited[];
  #missed: { rule: Rule; limiter: Limiter; spot: Spot; expected: string; observed: string }[] = [];

  constructor(context: CongestionContext, qps: CongestionQps) {
    this.#context = context;
    this.#qps = qps;
    // a PAUSE of the switch holds packets back as well
    const paused = context.header.path !== undefined;
    this.#steps = awaitedSteps(context).filter(({ step }) => !(paused && step === 'packet'));
  }

  /** Whether something was overdue when an event came; until the next cut nothing more is known of the QP then. */
  look(limiter: Limiter, event: number, t: number): boolean {
    const { registers, qp } = limiter;
    if (!this.#qps.sends(qp)) return false;
    const inputs = new WaitingEvent(limiter, this.#context, t, 'cut');
    let late = false;
    for (const { step, behind, since, expected } of this.#steps) {
      inputs.awaitedStep = step;
      const [rule] = this.#context.ask('rate-owed', inputs, registers);
      if (rule === undefined || ruleWord(rule, 'comes') !== 'owed') continue;
      late = true;
      this.#context.ledger.exercise([rule]);
      const spot = { event: behind?.(limiter) ?? event, t, qp: qp.name };
      const observed = `none within ${inUnits(t - since(registers))}`;
      this.#missed.push({ rule, limiter, spot, expected: expected(inputs, registers), observed });
    }
    return late;
  }

  settle(): void {
    for (const { rule, limiter, spot, expected, observed } of this.#missed)
      if (this.#qps.sends(limiter.qp)) this.#context.violate(rule, spot, expected, observed);
    this.#missed = [];
  }

  /** What was under way is unknown. */
  forget(): void {
    this.#missed = [];
  }
}
