import type { SwitchPlan } from '../../spec/congestion.ts';
import { dcqcnTolerance } from '../../spec/dcqcn.ts';
import { MarkingShape } from './marking-shape.ts';
import type { Rule } from '../rules.ts';
import type { TraceEvent } from '../trace.ts';
import type { Spot } from '../spot.ts';
import { bareFrame } from './arrival.ts';
import type { CongestionContext, Inputs } from './context.ts';
import { ruleWord } from '../rulebook/outcome.ts';

type Hop = Extract<TraceEvent, { kind: 'hop' }>;

/** Judges the switch on the path: marks, losses, pauses. */
export class HopJudge {
  readonly #context: CongestionContext;
  readonly #plan: Required<Inputs>['plan'];
  /** of packets between the thresholds: how many were marked, how many should have been, and the variance of that */
  #marked = 0;
  #expected = 0;
  #variance = 0;
  readonly #shape = new MarkingShape();
  #curve: { rule: Rule; spot: Spot } | undefined;

  constructor(context: CongestionContext, plan: SwitchPlan) {
    this.#context = context;
    const { buffer, lossless, marking } = plan;
    const { low, high, most } = marking;
    this.#plan = { low, high, most, buffer, lossless };
  }

  see(hop: Hop, event: number): void {
    const { queued, bytes, ecnIn, ecnOut, fate, paused } = hop;
    const inputs = {
      hop: { queued, bytes, ecnOut, paused, forwarded: fate === 'forwarded' },
      plan: this.#plan,
      packet: bareFrame(ecnIn),
    };
    const spot = { event, t: hop.t, qp: 'the switch' };
    this.#fate(inputs, hop, spot);
    this.#pause(inputs, hop, spot);
    if (fate === 'forwarded') this.#mark(inputs, hop, spot);
  }

  #fate(inputs: Inputs, { fate, queued, bytes }: Hop, spot: Spot): void {
    const rule = this.#context.rule('hop-fate', inputs);
    if (!this.#context.breaks(rule, 'mustFate', inputs)) return;
    const place = `with ${queued} bytes in the queue, a packet of ${bytes}`;
    this.#context.violate(rule, spot, `${place} ${ruleWord(rule, 'mustFate')}`, fate);
  }

  #pause(inputs: Inputs, { paused, queued }: Hop, spot: Spot): void {
    const rule = this.#context.rule('hop-pause', inputs);
    if (!this.#context.breaks(rule, 'mustPause', inputs)) return;
    const place = `with ${queued} bytes in the queue`;
    const text = (held: boolean): string => (held ? 'inputs held' : 'inputs open');
    this.#context.violate(rule, spot, `${text(!paused)} ${place}`, text(paused));
  }

  #mark(inputs: Inputs, { ecnIn, ecnOut, queued }: Hop, spot: Spot): void {
    const rule = this.#context.rule('hop-mark', inputs);
    if (this.#context.breaks(rule, 'mustMark', inputs)) {
      const word = ruleWord(rule, 'mustMark');
      const expected = word === 'ce' ? 'ECN 3' : word === 'kept' ? `ECN ${ecnIn}` : `ECN ${ecnIn} or 3`;
      const place = `with ${queued} bytes in the queue`;
      this.#context.violate(rule, spot, `${expected} ${place}`, `ECN ${ecnOut}`);
    }
    if (ruleWord(rule, 'mustShare') !== 'linear') return;
    const { machine, none } = this.#context;
    const chance = machine.number('markChance')(inputs, none);
    this.#expected += chance;
    this.#variance += chance * (1 - chance);
    if (ecnOut === 3) this.#marked++;
    this.#shape.see(machine.number('alongCurve')(inputs, none), chance, ecnOut === 3);
    this.#curve = { rule, spot };
  }

  finish(): void {
    if (this.#curve === undefined) return;
    const { rule, spot } = this.#curve;
    const { marks } = dcqcnTolerance();
    const off = Math.abs(this.#marked - this.#expected);
    // Bernstein's bound of the probability that independent marks are this far from their expectation
    const unlikely = 2 * Math.exp(-(off * off) / (2 * (this.#variance + off / 3)));
    if (off > 0 && unlikely < marks) {
      const expected = `about ${this.#expected.toFixed(1)} marks between the thresholds`;
      return this.#context.violate(rule, spot, expected, `${this.#marked}`);
    }
    if (this.#shape.most <= -Math.log(marks)) return;
    const { expected, observed } = this.#shape.words();
    this.#context.violate(
      rule,
      spot,
      `about ${expected} marks in the sixths between the thresholds`,
      observed,
    );
  }
}
