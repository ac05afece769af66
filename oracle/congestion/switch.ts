import type { SwitchPlan } from '../../spec/congestion.ts';
import { dcqcnTolerance } from '../../spec/dcqcn.ts';
import { MarkingShape } from './marking-shape.ts';
import type { Rule } from '../rules.ts';
import type { TraceEvent } from '../trace.ts';
import type { Spot } from '../spot.ts';
import type { CongestionContext } from './context.ts';
import { ruleWord } from './context.ts';
import { ecnWord } from './notification.ts';

type Hop = Extract<TraceEvent, { kind: 'hop' }>;

/** Judges the switch on the path: marks, losses, pauses. */
export class HopJudge {
  readonly #context: CongestionContext;
  readonly #plan: SwitchPlan;
  /** of packets between the thresholds: how many were marked, how many should have been, and the variance of that */
  #marked = 0;
  #expected = 0;
  #variance = 0;
  readonly #shape = new MarkingShape();
  #curve: { rule: Rule; spot: Spot } | undefined;

  constructor(context: CongestionContext, plan: SwitchPlan) {
    this.#context = context;
    this.#plan = plan;
  }

  see(hop: Hop, event: number): void {
    const { marking, buffer, lossless } = this.#plan;
    const { queued, bytes } = hop;
    const queueLength = queued <= marking.low ? 'below' : queued <= marking.high ? 'between' : 'above';
    const bufferRoom = queued + bytes > buffer ? 'full' : queued + 2 * bytes > buffer ? 'last' : 'ample';
    const flowControl = lossless ? 'lossless' : 'lossy';
    const ecnBits = ecnWord(hop.ecnIn);
    const spot = { event, t: hop.t, qp: 'the switch' };
    this.#fate({ flowControl, bufferRoom, ecnBits, queueLength }, hop, spot);
    this.#pause({ flowControl, bufferRoom }, hop, spot);
    if (hop.fate === 'forwarded') this.#mark({ ecnBits, queueLength }, hop, spot);
  }

  #fate(facts: Record<string, string>, { fate, queued, bytes }: Hop, spot: Spot): void {
    const { rule, word } = this.#context.word('hop-fate', facts, 'mustFate');
    if (word === 'either' || word === fate) return;
    const place = `with ${queued} bytes in the queue, a packet of ${bytes}`;
    this.#context.violate(rule, spot, `${place} ${word}`, fate);
  }

  #pause(facts: Record<string, string>, { paused, queued }: Hop, spot: Spot): void {
    const { rule, word } = this.#context.word('hop-pause', facts, 'mustPause');
    if (word === 'any' || (word === 'pauses') === paused) return;
    const place = `with ${queued} bytes in the queue`;
    const text = (held: boolean): string => (held ? 'inputs held' : 'inputs open');
    this.#context.violate(rule, spot, `${text(!paused)} ${place}`, text(paused));
  }

  #mark(facts: Record<string, string>, { ecnIn, ecnOut, queued }: Hop, spot: Spot): void {
    const { rule, word } = this.#context.word('hop-mark', facts, 'mustMark');
    const right =
      (ecnOut === 3 && (word === 'ce' || word === 'either')) ||
      (ecnOut === ecnIn && (word === 'kept' || word === 'either'));
    if (!right) {
      const expected = word === 'ce' ? 'ECN 3' : word === 'kept' ? `ECN ${ecnIn}` : `ECN ${ecnIn} or 3`;
      const place = `with ${queued} bytes in the queue`;
      this.#context.violate(rule, spot, `${expected} ${place}`, `ECN ${ecnOut}`);
    }
    if (ruleWord(rule, 'mustShare') !== 'linear') return;
    const { low, high, most } = this.#plan.marking;
    const chance = (most * (queued - low)) / (high - low);
    this.#expected += chance;
    this.#variance += chance * (1 - chance);
    if (ecnOut === 3) this.#marked++;
    this.#shape.see((queued - low) / (high - low), chance, ecnOut === 3);
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
