import type { DcqcnParameters, RateCause } from '../../../spec/congestion.ts';
import { brisk, CongestionTrace } from './trace.ts';

/** What the document leaves to a reaction point, and one thing that it does not. */
export interface Make {
  /**
   * `at-once`: the first CNP of a slot cuts, and the slot begins with it; what else comes in the slot is part of that cut.
   * `slot-end`: slots follow each other, and one that a CNP came in ends with a cut. `own-slot`: a slot begins with its first CNP.
   */
  cut: 'at-once' | 'slot-end' | 'own-slot';
  /** what active and hyper increase raise: the target, with the rate half of the way there; rate and target; the rate alone */
  raises: 'target' | 'both' | 'rate';
  /** the timer counts from the last cut and its last increase, or from the last CNP as well */
  timerFrom: 'cut' | 'cnp';
  /** back at the line rate the limiter is released, and begins anew with the next CNP */
  releases: boolean;
  /** a CNP that comes in a slot makes it longer: with CNPs close to each other there is one cut and no more */
  slotProlonged?: boolean;
}

type Kind = 'alpha-slot' | 'timer' | 'slot-end' | 'cnp';
const order: readonly Kind[] = ['alpha-slot', 'timer', 'slot-end', 'cnp'];

/** A reaction point that asks no table of rules: what it does when CNPs come at `cnps`, as a trace up to `until`. */
export function reactionOf(make: Make, cnps: readonly number[], until: number): CongestionTrace {
  return new ReactionPoint(make, cnps).through(until);
}

class ReactionPoint {
  readonly #make: Make;
  readonly #trace = new CongestionTrace();
  readonly #parameters: DcqcnParameters = brisk.dcqcn;
  /** times of what is to come, by kind */
  readonly #due = new Map<Kind, number[]>();
  #state = { rate: brisk.lineRate, target: brisk.lineRate, alpha: 1 };
  #limited = false;
  #named = false;
  #pending = false;
  #lastCut = Number.NEGATIVE_INFINITY;
  #increases = 0;

  constructor(make: Make, cnps: readonly number[]) {
    this.#make = make;
    this.#due.set('cnp', [...cnps]);
  }

  through(until: number): CongestionTrace {
    for (;;) {
      const [next] = order
        .flatMap((kind) => (this.#due.get(kind) ?? []).slice(0, 1).map((t) => ({ kind, t })))
        .toSorted((a, b) => a.t - b.t);
      if (next === undefined || next.t > until) return this.#trace.at(until).settle();
      this.#due.get(next.kind)?.shift();
      this.#trace.at(next.t);
      this.#happens(next.kind, next.t);
    }
  }

  #happens(kind: Kind, t: number): void {
    const { alphaSlot, decreaseSlot, g } = this.#parameters;
    switch (kind) {
      case 'cnp':
        return this.#cnp(t);
      case 'timer':
        return this.#increase(t);
      case 'slot-end':
        if (this.#pending) this.#cut(t);
        if (this.#make.cut === 'slot-end') this.#due.set('slot-end', [t + decreaseSlot]);
        return;
      case 'alpha-slot':
        this.#due.set('alpha-slot', [t + alphaSlot]);
        this.#state.alpha = (1 - g) * this.#state.alpha + (this.#named ? g : 0);
        this.#named = false;
        return this.#tell('alpha-slot');
    }
  }

  #tell(cause: RateCause): void {
    this.#trace.rate(cause, this.#state);
  }

  #cnp(t: number): void {
    const { cut, timerFrom, slotProlonged } = this.#make;
    const { alphaSlot, decreaseSlot, timer } = this.#parameters;
    this.#trace.cnpArrives();
    if (!this.#limited) {
      this.#due.set('alpha-slot', [t + alphaSlot]);
      if (cut === 'slot-end') this.#due.set('slot-end', [t + decreaseSlot]);
    }
    this.#limited = true;
    this.#named = true;
    this.#tell('cnp');
    if (timerFrom === 'cnp' && this.#due.get('timer')?.length === 1) this.#due.set('timer', [t + timer]);
    if (cut === 'at-once') {
      if (t - this.#lastCut >= decreaseSlot) return this.#cut(t);
      if (slotProlonged === true) this.#lastCut = t;
      return;
    }
    if (cut === 'own-slot' && !this.#pending) this.#due.set('slot-end', [t + decreaseSlot]);
    this.#pending = true;
  }

  #cut(t: number): void {
    const { rate, alpha } = this.#state;
    const { minRate, timer } = this.#parameters;
    this.#state = { alpha, rate: Math.max(minRate, rate * (1 - alpha / 2)), target: rate };
    this.#pending = false;
    this.#lastCut = t;
    this.#increases = 0;
    this.#due.set('timer', [t + timer]);
    this.#tell('cut');
  }

  #increase(t: number): void {
    const { threshold, activeIncrease, hyperIncrease, timer } = this.#parameters;
    this.#due.set('timer', [t + timer]);
    const stage = Math.min(2, Math.floor(this.#increases++ / threshold));
    this.#raise(stage === 0 ? 0 : stage === 1 ? activeIncrease : hyperIncrease);
    this.#tell('timer');
    if (this.#state.rate === brisk.lineRate && !this.#pending) this.#atLine();
  }

  #raise(step: number): void {
    const state = this.#state;
    const { raises } = this.#make;
    const up = (rate: number): number => Math.min(brisk.lineRate, rate + step);
    if (raises !== 'rate') state.target = up(state.target);
    if (step > 0 && raises !== 'target') state.rate = up(state.rate);
    else state.rate = Math.round((state.rate + state.target) / 2);
  }

  /** Nothing is left to increase. */
  #atLine(): void {
    this.#due.delete('timer');
    if (!this.#make.releases) return;
    this.#due.delete('alpha-slot');
    this.#due.delete('slot-end');
    this.#limited = false;
    this.#state = { rate: brisk.lineRate, target: brisk.lineRate, alpha: 1 };
  }
}
