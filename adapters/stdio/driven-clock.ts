import type { Clock, Timer } from '../adapter.ts';
import type { AgentClient } from '../agent/client.ts';
import type { CallName } from '../agent/protocol.ts';
import { VirtualClock } from '../virtual-clock.ts';

/** Steps of a clock that do not move it: beyond so many the device goes round in circles. */
const mostStandstill = 10_000;
/** Steps in one case, each of which a frame or event ended: nothing that a case asks for takes more. */
const mostSteps = 2_000_000;

/** Calls after which the next timer of a device may be another one. */
const setsTimers: ReadonlySet<CallName> = new Set<CallName>([
  'deliver',
  'set_link',
  'modify_qp',
  'destroy_qp',
  'post_send',
  'post_recv',
  'post_srq_recv',
  'modify_srq',
  'dereg_mr',
]);

/**
 * Virtual time, in whole nanoseconds, that is shared with a device beyond a pipe: timers of this side and those of the device run in one order. The
 * device is told to move on (`advance`) only where it may have something to do until then; between, it lags behind and is told
 * before it is asked for anything else.
 */
export class DrivenClock implements Clock {
  readonly kind = 'virtual';
  readonly #local = new VirtualClock();
  readonly #client: AgentClient;
  /** time that the device was sent */
  #told = 0;
  /** its next timer; undefined where something has been asked of it since */
  #next: number | undefined;
  #running = false;
  #held: (() => void)[] | undefined;
  #sent = 0;
  #stalledSteps = 0;
  #steps = 0;
  #delivering: Promise<unknown>[] = [];

  constructor(client: AgentClient) {
    this.#client = client;
  }

  now(): number {
    return this.#local.now();
  }

  setTimer(ns: number, fire: () => void): Timer {
    return this.#local.setTimer(Math.ceil(ns), fire);
  }

  /** Never the present: what the device does in zero time has been seen only when time has moved. */
  nextTimer(): number | undefined {
    if (this.#next === undefined) return this.now() + 1;
    const due = Math.min(this.#local.nextTimer() ?? Infinity, this.#next);
    return due === Infinity ? undefined : Math.max(due, this.now() + 1);
  }

  sleep(ns: number): Promise<void> {
    if (this.#running) return new Promise((resolve) => void this.setTimer(ns, resolve));
    this.#running = true;
    return this.#run(this.now() + Math.max(0, Math.ceil(ns))).finally(() => {
      this.#running = false;
    });
  }

  /** To be called before every call to the device: brings its time up to this one. */
  beforeCall(name: CallName): void {
    if (name === 'advance' || name === 'reset' || name === 'hello') return;
    const to = this.now();
    if (this.#told < to) {
      this.#told = to;
      const moved = this.#client.call('advance', { to }).then(({ now, next }) => {
        if (now !== to) this.#lies(`advance to ${to}, with nothing to do until then, ended at ${now}`);
        if (next !== null && next < now) this.#lies(`advance: next timer ${next} is before ${now}`);
      });
      this.delivering(moved);
    }
    if (setsTimers.has(name)) this.#next = undefined;
  }

  /** Waits for what is under way before time moves on. */
  delivering(delivery: Promise<unknown>): void {
    this.#delivering.push(delivery.catch(() => undefined));
  }

  /** Something came from the device: `act` runs when it is known at what time. */
  came(act: () => void): void {
    this.#sent++;
    if (this.#held === undefined) act();
    else this.#held.push(act);
  }

  async #run(end: number): Promise<void> {
    for (;;) {
      while (this.#delivering.length > 0) await Promise.all(this.#delivering.splice(0));
      const to = Math.min(this.#local.nextTimer() ?? Infinity, end);
      if (this.#next !== undefined && this.#next > to) this.#local.advance(to - this.now());
      else await this.#step(to);
      const local = this.#local.nextTimer() ?? Infinity;
      const idle = this.#delivering.length === 0 && this.#next !== undefined && this.#next > end;
      if (this.now() >= end && idle && local > end) return;
    }
  }

  /** Lets the device move on until `to`, or until it sends something. */
  async #step(to: number): Promise<void> {
    const [before, sent, expected] = [this.now(), this.#sent, this.#next];
    const held: (() => void)[] = [];
    this.#held = held;
    let answer;
    try {
      answer = await this.#client.call('advance', { to });
    } finally {
      this.#held = undefined;
    }
    const { now, next } = answer;
    const spoke = this.#sent > sent;
    if (now > to) this.#lies(`advance to ${to} went on to ${now}`);
    if (now < before) this.#lies(`advance from ${before} to ${to} went back to ${now}`);
    if (now < to && !spoke) this.#lies(`advance to ${to} ended at ${now}, although nothing was sent`);
    if (next !== null && next < now) this.#lies(`advance: next timer ${next} is before ${now}`);
    if (expected !== undefined && spoke && now < expected)
      this.#lies(`something was sent at ${now}, but the next timer was to fire at ${expected}`);
    this.#stalledSteps = now > before ? 0 : this.#stalledSteps + 1;
    if (this.#stalledSteps > mostStandstill || ++this.#steps > mostSteps)
      this.#lies(`time stands at ${now}, and the device sends without end`);
    this.#told = now;
    this.#next = next ?? Infinity;
    this.#local.advance(now - before);
    for (const act of held) act();
  }

  #lies(how: string): void {
    this.#client.fail(`the device's clock is wrong: ${how}`);
  }
}
