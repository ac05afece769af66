import type { RateCause } from '../../../spec/congestion.ts';
import type { Rule } from '../../rules.ts';
import type { Spot } from '../../spot.ts';
import type { CongestionContext, Inputs } from '../context.ts';
import { ruleWord } from '../context.ts';
import { RateEvent } from '../event.ts';
import type { Limiter } from './limiter.ts';
import type { CongestionQps } from '../qps.ts';
import type { CongestionVariables } from '../variables.ts';

/** What a limited QP waits for: the word of the rules, the condition of machine.yaml, since when, and in words. */
interface Awaited {
  word: string;
  overdue: (inputs: Inputs, registers: CongestionVariables) => boolean;
  since: (registers: CongestionVariables) => number;
  expected: (inputs: Inputs, registers: CongestionVariables) => string;
}

function awaitedThings({ machine, declared: { dcqcn }, slack }: CongestionContext): readonly Awaited[] {
  const packetTime = machine.number('packetTime');
  return [
    {
      word: 'cut',
      overdue: machine.flag('cutOverdue'),
      since: ({ oldestUncut }) => oldestUncut,
      expected: () => `a cut within ${dcqcn.decreaseSlot} ns of the CNP`,
    },
    {
      word: 'alpha-slot',
      overdue: machine.flag('slotOverdue'),
      since: ({ alphaSlotLatest }) => alphaSlotLatest,
      expected: () => `the end of a slot after ${dcqcn.alphaSlot} ns`,
    },
    {
      word: 'timer',
      overdue: machine.flag('timerOverdue'),
      since: ({ quietLatest }) => quietLatest,
      expected: () => `an increase after ${dcqcn.timer} ns`,
    },
    {
      word: 'bytes',
      overdue: machine.flag('bytesOverdue'),
      since: ({ quietLatest }) => quietLatest,
      expected: () => `an increase after ${dcqcn.bytes} bytes`,
    },
    {
      word: 'packet',
      overdue: machine.flag('packetOverdue'),
      since: ({ nextPacketLatest }) => nextPacketLatest,
      expected: (inputs, registers) => {
        const { rate, slowest } = registers;
        const bound = Math.ceil(packetTime(inputs, registers) + slack);
        return `the next packet within ${bound} ns at ${Math.round((slowest < 0 ? rate : Math.min(slowest, rate)) / 1e6)} Mb/s`;
      },
    },
  ];
}

/** Finds what limited QPs should have told or sent by now. It counts once it shows that the QP had not failed. */
export class OverdueJudge {
  readonly #context: CongestionContext;
  readonly #qps: CongestionQps;
  readonly #things: readonly Awaited[];
  #missed: { rule: Rule; limiter: Limiter; spot: Spot; expected: string; observed: string }[] = [];

  constructor(context: CongestionContext, qps: CongestionQps) {
    this.#context = context;
    this.#qps = qps;
    // a PAUSE of the switch holds packets back as well
    const paused = context.header.path !== undefined;
    this.#things = awaitedThings(context).filter(({ word }) => !(paused && word === 'packet'));
  }

  /** Whether something was overdue when an event came; until the next cut nothing more is known of the QP then. */
  look(limiter: Limiter, event: number, t: number): boolean {
    const { registers, qp } = limiter;
    if (registers.unsure || registers.limiter !== 'limited' || !this.#qps.sends(qp)) return false;
    const inputs = new RateEvent(limiter, this.#context, t);
    let late = false;
    for (const { word, overdue, since, expected } of this.#things) {
      if (!overdue(inputs, registers)) continue;
      late = true;
      const rule = this.#context.rule('rate-owed', inputs, registers, { awaited: word });
      if (ruleWord(rule, 'comes') !== 'owed') continue;
      const spot = { event: word === 'cut' ? limiter.uncutEvent : event, t, qp: qp.name };
      const observed = `none since ${since(registers)} ns`;
      this.#missed.push({ rule, limiter, spot, expected: expected(inputs, registers), observed });
    }
    return late;
  }

  /** What the device owed, and has told. */
  paid({ registers }: Limiter, cause: RateCause): void {
    if (registers.unsure || registers.limiter !== 'limited' || cause === 'cnp') return;
    if (cause === 'cut' && registers.oldestUncut < 0) return;
    if (cause === 'bytes' && registers.counterFullLatest < 0) return;
    this.#context.decide('rate-owed', {}, registers, { awaited: cause });
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
