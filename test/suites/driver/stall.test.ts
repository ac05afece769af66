import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../adapters/adapter.ts';
import { Recorder } from '../../../suites/driver/recorder.ts';
import { settle } from '../../../suites/driver/settle.ts';
import { StallMeter } from '../../../suites/driver/stall.ts';

const ms = 1e6;

/** A real clock whose time is told by the test. While it stands still for this process, nothing fires. */
class HandClock implements Clock {
  readonly kind = 'real';
  #now = 0;
  #timers: { due: number; fire: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  setTimer(ns: number, fire: () => void): { cancel(): void } {
    const timer = { due: this.#now + ns, fire };
    this.#timers.push(timer);
    return { cancel: () => void (this.#timers = this.#timers.filter((t) => t !== timer)) };
  }

  sleep(ns: number): Promise<void> {
    return new Promise((resolve) => void this.setTimer(ns, resolve));
  }

  /** Goes on by `ns`, timers firing when they are due. */
  async run(ns: number): Promise<void> {
    const end = this.#now + ns;
    for (;;) {
      const [next] = this.#timers.filter(({ due }) => due <= end).toSorted((a, b) => a.due - b.due);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((t) => t !== next);
      this.#now = Math.max(this.#now, next.due);
      next.fire();
      await turns();
    }
    this.#now = end;
  }

  /** This process does not run for `ns`. */
  freeze(ns: number): void {
    this.#now += ns;
  }
}

/** Lets everything run that waits for a promise. */
async function turns(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

/** A machine that answers within `delay`, or, while it stands still, when it goes on. */
class Machine {
  delay = 2 * ms;
  still = false;
  #held: (() => void)[] = [];
  readonly clock: HandClock;

  constructor(clock: HandClock) {
    this.clock = clock;
  }

  readonly echo = (): Promise<void> =>
    new Promise((resolve) => {
      if (this.still) this.#held.push(resolve);
      else this.clock.setTimer(this.delay, resolve);
    });

  async goOn(): Promise<void> {
    this.still = false;
    for (const resolve of this.#held) resolve();
    this.#held = [];
    await turns();
  }
}

describe('a stall meter', () => {
  it('sees none where looks and echoes come in time', async () => {
    const clock = new HandClock();
    const meter = new StallMeter(clock, new Machine(clock).echo);
    await clock.run(1000 * ms);
    expect(meter.within(0, clock.now())).toEqual([]);
    meter.close();
  });

  it('sees that this process did not run, even before its next look', async () => {
    const clock = new HandClock();
    const meter = new StallMeter(clock);
    await clock.run(100 * ms);
    clock.freeze(300 * ms);
    expect(meter.within(0, clock.now())).toEqual([{ from: 100 * ms, until: 400 * ms }]);
    await clock.run(1 * ms);
    expect(meter.between(0, clock.now())).toBe(300 * ms);
    expect(meter.between(200 * ms, 250 * ms)).toBe(50 * ms);
    expect(meter.between(0, 100 * ms)).toBe(0);
    meter.close();
  });

  it('sees that the machine of the device did not run, from the last sign of life on, before it goes on and after', async () => {
    const clock = new HandClock();
    const machine = new Machine(clock);
    const meter = new StallMeter(clock, machine.echo);
    await clock.run(105 * ms);
    machine.still = true;
    await clock.run(500 * ms);
    // the newest echo that was answered left at 100 ms
    expect(meter.within(0, clock.now())).toEqual([{ from: 100 * ms, until: 605 * ms }]);
    await machine.goOn();
    await clock.run(100 * ms);
    expect(meter.within(0, clock.now())).toEqual([{ from: 100 * ms, until: 605 * ms }]);
    meter.close();
  });

  it('tells stalls that are apart from each other, in order', async () => {
    const clock = new HandClock();
    const meter = new StallMeter(clock);
    for (let i = 0; i < 3; i++) {
      await clock.run(100 * ms);
      clock.freeze(60 * ms);
    }
    await clock.run(100 * ms);
    expect(meter.within(0, clock.now()).map(({ from }) => from / ms)).toEqual([100, 260, 420]);
    expect(meter.within(300 * ms, 400 * ms)).toEqual([{ from: 260 * ms, until: 320 * ms }]);
    meter.close();
  });

  it('does not take a machine that never answers an echo for one that stands still', async () => {
    const clock = new HandClock();
    const meter = new StallMeter(clock, () => new Promise(() => undefined));
    await clock.run(1000 * ms);
    expect(meter.between(0, clock.now())).toBe(0);
    meter.close();
  });
});

describe('settling in real time', () => {
  const responseTime = 400 * ms;

  function settling(
    clock: HandClock,
    stall: StallMeter,
    drainTime = 0,
  ): { done: () => number | undefined; trouble: () => string | undefined } {
    let at: number | undefined;
    let told: string | undefined;
    void settle({
      failure: undefined,
      breathe: () => undefined,
      clock,
      responseTime,
      stall,
      lastActivity: () => 0,
      drain: async () => {
        if (drainTime > 0) await clock.sleep(drainTime);
        return 0;
      },
    }).then((trouble) => {
      at = clock.now();
      told = trouble;
    });
    return { done: () => at, trouble: () => told };
  }

  it('ends a response time after the last activity', async () => {
    const clock = new HandClock();
    const stall = new StallMeter(clock, new Machine(clock).echo);
    const end = settling(clock, stall);
    await clock.run(1000 * ms);
    expect(end.done()).toBe(responseTime);
    expect(end.trouble()).toBeUndefined();
    stall.close();
  });

  it('waits longer by the time that the machine of the device stood still', async () => {
    const clock = new HandClock();
    const machine = new Machine(clock);
    const stall = new StallMeter(clock, machine.echo);
    const end = settling(clock, stall);
    await clock.run(105 * ms);
    machine.still = true;
    await clock.run(600 * ms);
    await machine.goOn();
    await clock.run(1000 * ms);
    // from the last sign of life at 100 ms until 705 ms
    expect(end.done()).toBe(responseTime + 605 * ms);
    expect(end.trouble()).toBeUndefined();
    stall.close();
  });

  it('begins anew after a long stall', async () => {
    const clock = new HandClock();
    const stall = new StallMeter(clock);
    const end = settling(clock, stall);
    await clock.run(100 * ms);
    clock.freeze(3000 * ms);
    await clock.run(399 * ms);
    expect(end.done()).toBeUndefined();
    await clock.run(1000 * ms);
    expect(end.done()).toBeGreaterThanOrEqual(3500 * ms);
    expect(end.trouble()).toBeUndefined();
    stall.close();
  });

  it('gives up where the device stands still for good, or is ever slow to answer', async () => {
    for (const slow of [true, false]) {
      const clock = new HandClock();
      const machine = new Machine(clock);
      const stall = new StallMeter(clock, machine.echo);
      await clock.run(50 * ms);
      machine.still = !slow;
      const end = settling(clock, stall, slow ? 300 * ms : 0);
      await clock.run(60_000 * ms);
      expect(end.trouble()).toBe('the device did not come to rest');
      stall.close();
    }
  });
});

describe('a recorder', () => {
  it('puts each stall in front of all that was seen in it', async () => {
    const clock = new HandClock();
    await clock.run(1000 * ms);
    const recorder = new Recorder(clock);
    for (let i = 0; i < 3; i++) {
      await clock.run(100 * ms);
      recorder.push({ kind: 'settled', t: recorder.stamp() });
    }
    const told = recorder.withStalls([
      { from: 900 * ms, until: 1050 * ms },
      { from: 1100 * ms, until: 1150 * ms },
      { from: 1250 * ms, until: 1300 * ms },
      { from: 1400 * ms, until: 1500 * ms },
    ]);
    expect(told.map((e) => [e.kind, e.t / ms])).toEqual([
      ['stall', 0],
      ['stall', 100],
      ['settled', 100],
      ['settled', 200],
      ['stall', 250],
      ['settled', 300],
    ]);
    expect(told.flatMap((e) => (e.kind === 'stall' ? [e.until / ms] : []))).toEqual([50, 150, 300]);
    expect(recorder.events).toHaveLength(3);
  });
});
