const tickMs = 20;

/** Measures how long this process was kept from running, so that waits can be extended by it. For real clocks. */
export class StallMeter {
  private readonly timer: NodeJS.Timeout;
  private before = performance.now();
  private total = 0;

  constructor() {
    this.timer = setInterval(() => {
      this.tick();
    }, tickMs);
    this.timer.unref();
  }

  /** Nanoseconds lost since the meter was made. */
  get lost(): number {
    const late = performance.now() - this.before - tickMs;
    return (this.total + (late > tickMs ? late : 0)) * 1e6;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    const now = performance.now();
    const late = now - this.before - tickMs;
    if (late > tickMs / 2) this.total += late;
    this.before = now;
  }
}
