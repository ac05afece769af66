import type { Clock } from '../../adapters/adapter.ts';

/** Nanoseconds between two looks. */
const period = 20e6;
/** This process is taken for stalled where a look comes later than this; the device, where its echo takes longer. */
const slack = { look: 10e6, echo: 30e6 };

/** A time in which the device or this process may have stood still; clock time. */
export interface StallSpan {
  from: number;
  until: number;
}

/**
 * Watches for stalls of this process, and of the machine that the device lives in, so that nobody is blamed for them. For real
 * clocks. `echo` resolves when something sent along the way of the packets has come back; without it only this process is
 * watched.
 */
export class StallMeter {
  private readonly clock: Clock;
  private readonly echo: (() => Promise<void>) | undefined;
  /** apart from each other, in order */
  private readonly spans: StallSpan[] = [];
  /** echoes that have not come back: a stall that ends with them began after the one before was sent */
  private readonly waiting = new Set<{ from: number; sent: number }>();
  private echoes = false;
  private looked: number;
  private timer: { cancel(): void };

  constructor(clock: Clock, echo?: () => Promise<void>) {
    this.clock = clock;
    this.echo = echo;
    this.looked = clock.now();
    this.timer = this.arm();
  }

  /** Stalls that reach into a time, as far as is known now, in order and apart from each other. */
  within(from: number, to: number): StallSpan[] {
    const now = this.clock.now();
    if (now - this.looked > period + slack.look) this.note(this.looked, now);
    const [oldest] = this.waiting;
    if (this.echoes && oldest !== undefined && now - oldest.sent > slack.echo) this.note(oldest.from, now);
    const found: StallSpan[] = [];
    for (let i = this.spans.length - 1; i >= 0; i--) {
      const span = this.spans[i];
      if (span === undefined || span.until <= from) break;
      if (span.from < to) found.push({ ...span });
    }
    return found.toReversed();
  }

  /** Nanoseconds of a time that passed in stalls. */
  between(from: number, to: number): number {
    return this.within(from, to).reduce(
      (sum, span) => sum + Math.min(span.until, to) - Math.max(span.from, from),
      0,
    );
  }

  close(): void {
    this.timer.cancel();
  }

  private arm(): { cancel(): void } {
    return this.clock.setTimer(period, () => {
      const now = this.clock.now();
      const before = this.looked;
      if (now - before > period + slack.look) this.note(before, now);
      this.looked = now;
      this.ask(before, now);
      this.timer = this.arm();
    });
  }

  private ask(from: number, sent: number): void {
    if (this.echo === undefined) return;
    const asked = { from, sent };
    this.waiting.add(asked);
    const back = (answered: boolean): void => {
      this.waiting.delete(asked);
      this.echoes ||= answered;
      const now = this.clock.now();
      if (answered && now - sent > slack.echo) this.note(from, now);
    };
    this.echo().then(
      () => back(true),
      () => back(false),
    );
  }

  /** Called with ends that never decrease. */
  private note(from: number, until: number): void {
    let begin = from;
    for (let last = this.spans.at(-1); last !== undefined && last.until >= begin; last = this.spans.at(-1)) {
      begin = Math.min(begin, last.from);
      this.spans.pop();
    }
    this.spans.push({ from: begin, until });
  }
}
