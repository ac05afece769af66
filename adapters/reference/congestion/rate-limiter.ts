import type { DcqcnParameters, RateCause } from '../../../spec/congestion.ts';
import type { Clock, Timer } from '../../adapter.ts';
import type { MutantId } from '../mutant.ts';
import { afterCut, alphaAfter, stepOf } from './formulas.ts';
import type { CongestionSettings } from './settings.ts';
import { OneCount, TwoCounts, type StageCount } from './stages.ts';

export interface RateLimiterOptions {
  clock: Clock;
  settings: CongestionSettings & { dcqcn: DcqcnParameters };
  fault: MutantId | undefined;
  /** called behind everything that befell the rate */
  record: (cause: RateCause) => void;
  /** the line rate is reached: nothing is limited any more */
  released: () => void;
  /** the QP has been limited before */
  again: boolean;
}

function initialAlpha({ settings, fault, again }: RateLimiterOptions): number {
  if (fault === 'alpha-starts-at-zero') return 0;
  const { initialAlpha: alpha } = settings.dcqcn;
  return fault === 'alpha-restarts-halved' && again ? alpha / 2 : alpha;
}

/**
 * Rate of one QP from its first CNP until it is back at the line rate: alpha, cuts and increases, each on a clock of its own.
 * Rates are whole bits per second.
 */
export class RateLimiter {
  rate: number;
  target: number;
  alpha: number;
  readonly #options: RateLimiterOptions;
  readonly #parameters: DcqcnParameters;
  readonly #fault: MutantId | undefined;
  /** when the first CNP came: slots are counted from here */
  readonly #origin: number;
  readonly #stages: StageCount;
  /** CNPs in the slot of alpha */
  #marks = 0;
  #cutAt = -Infinity;
  #cuts = 0;
  /** the rate has grown since the last cut */
  #grown = true;
  #bytes = 0;
  /** earliest departure of the next packet */
  #next = 0;
  #alphaTimer: Timer | undefined;
  #decreaseTimer: Timer | undefined;
  #increaseTimer: Timer | undefined;

  constructor(options: RateLimiterOptions) {
    const { clock, settings, fault } = options;
    this.#options = options;
    this.#parameters = settings.dcqcn;
    this.#fault = fault;
    this.#origin = clock.now();
    this.rate = this.target = settings.lineRate;
    this.alpha = initialAlpha(options);
    const { threshold } = settings.dcqcn;
    const begin = fault === 'recovery-skipped' ? 'active' : 'recovery';
    this.#stages =
      settings.increase === 'one-count' ? new OneCount(threshold, begin) : new TwoCounts(threshold);
    this.#nextAlphaSlot();
  }

  /** A CNP named the QP. */
  notified(): void {
    const { clock, settings, record } = this.#options;
    const { decreaseSlot, firstRate } = this.#parameters;
    const first = this.#marks === 0 && this.#cuts === 0 && this.#decreaseTimer === undefined;
    this.#marks++;
    if (first && firstRate !== undefined && this.#fault !== 'cut-missing') {
      this.#begin(firstRate);
      record('cnp');
      return;
    }
    if (this.#fault === 'cnp-resets-alpha') this.alpha = this.#parameters.initialAlpha;
    if (this.#fault === 'cnp-moves-target') this.target = this.rate;
    record('cnp');
    if (this.#fault === 'cut-missing') return;
    if (this.#fault === 'cut-per-cnp') {
      this.#cut();
      return;
    }
    const now = clock.now();
    if (settings.cut === 'at-once') {
      // A slot begins with its cut; what else comes in it cuts nothing more.
      if (now - this.#cutAt >= decreaseSlot) this.#cut();
      return;
    }
    const since = now - this.#origin;
    const slot = Math.floor(since / decreaseSlot);
    const late = this.#fault === 'cut-late' ? 2 * decreaseSlot : 0;
    this.#decreaseTimer ??= clock.setTimer((slot + 1) * decreaseSlot - since + late, () => {
      this.#decreaseTimer = undefined;
      this.#cut();
    });
  }

  /** Nanoseconds until the next packet may leave. */
  wait(): number {
    if (this.#fault === 'rate-not-heeded') return 0;
    return Math.max(0, this.#next - this.#options.clock.now());
  }

  /** A packet of so many bytes has left. */
  left(bytes: number): void {
    this.#next = Math.max(this.#options.clock.now(), this.#next) + Math.ceil((bytes * 8e9) / this.#heeded);
    if (this.#cuts === 0 || this.#fault === 'bytes-not-counted') return;
    this.#bytes += this.#fault === 'bytes-counted-twice' ? 2 * bytes : bytes;
    if (this.#bytes >= this.#parameters.bytes) this.#increase('bytes');
  }

  /** Bits per second that packets leave at. */
  get #heeded(): number {
    if (this.#fault === 'rate-heeded-by-half') return 2 * this.rate;
    return this.#fault === 'rate-undercut' ? this.rate / 10 : this.rate;
  }

  /** Ends it all: no timer is left. */
  stop(): void {
    this.#alphaTimer?.cancel();
    this.#decreaseTimer?.cancel();
    this.#increaseTimer?.cancel();
  }

  #nextAlphaSlot(): void {
    const { clock, record } = this.#options;
    const { alphaSlot } = this.#parameters;
    const length = this.#fault === 'alpha-slot-doubled' ? 2 : this.#fault === 'alpha-slot-halved' ? 0.5 : 1;
    this.#alphaTimer = clock.setTimer(length * alphaSlot, () => {
      this.alpha = alphaAfter(this.alpha, this.#marks, this.#parameters.g, this.#fault);
      if (this.#fault !== 'alpha-mark-kept') this.#marks = 0;
      if (this.#fault === 'alpha-slot-moves-target') this.target = Math.round((this.rate + this.target) / 2);
      record('alpha-slot');
      this.#nextAlphaSlot();
    });
  }

  /** The first CNP sets the rate in place of a cut. */
  #begin(rate: number): void {
    this.#change(rate);
    this.target = rate;
    this.#count();
    this.#restartTimer();
  }

  #count(): void {
    this.#cuts++;
    this.#cutAt = this.#options.clock.now();
  }

  #cut(): void {
    const { record } = this.#options;
    const { clampTarget, decreaseSlot } = this.#parameters;
    const saves = clampTarget || this.#grown || this.#fault === 'target-always-saved';
    if (saves && this.#fault !== 'target-not-saved') this.target = this.rate;
    this.#change(afterCut(this.rate, this.alpha, this.#parameters, this.#fault));
    if (this.#fault === 'cut-resets-alpha') this.alpha = this.#parameters.initialAlpha;
    this.#grown = false;
    this.#count();
    if (this.#fault !== 'stage-kept-at-cut') this.#stages.reset();
    if (this.#fault !== 'bytes-kept-at-cut') this.#bytes = 0;
    if (this.#fault !== 'timer-kept-at-cut' || this.#cuts === 1) this.#restartTimer();
    record('cut');
    if (this.#fault === 'cut-repeated' && this.#cuts % 2 === 1)
      this.#decreaseTimer ??= this.#options.clock.setTimer(decreaseSlot, () => {
        this.#decreaseTimer = undefined;
        this.#cut();
      });
  }

  /** What a packet that has left still has to be waited for is waited for at the new rate. */
  #change(rate: number): void {
    const left = this.wait();
    if (left > 0) this.#next = this.#options.clock.now() + Math.ceil((left * this.rate) / rate);
    this.rate = rate;
  }

  #restartTimer(): void {
    this.#increaseTimer?.cancel();
    if (this.#fault === 'timer-never-increases') return;
    const { timer } = this.#parameters;
    const span = this.#fault === 'timer-halved' ? timer / 2 : timer;
    this.#increaseTimer = this.#options.clock.setTimer(span, () => {
      this.#increase('timer');
    });
  }

  #increase(kind: 'timer' | 'bytes'): void {
    const { settings, record, released } = this.#options;
    const { lineRate, increase } = settings;
    const stage = this.#stages.next(kind);
    const { rate, target } = stepOf(
      stage,
      { rate: this.rate, target: this.target },
      this.#parameters,
      lineRate,
      this.#fault,
    );
    this.#change(rate);
    this.target = target;
    this.#grown = true;
    if (kind === 'bytes' || increase === 'one-count') this.#bytes = 0;
    if (kind === 'timer' || increase === 'one-count') this.#restartTimer();
    record(kind);
    if (this.rate < lineRate || this.#decreaseTimer !== undefined) return;
    this.stop();
    released();
  }
}
