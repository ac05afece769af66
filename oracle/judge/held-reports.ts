import type { PortQueue } from '../device/port-queue.ts';
import type { TraceEvent } from '../trace.ts';

/** What software is notified of: a completion or an asynchronous event. */
export type Report = Extract<TraceEvent, { kind: 'completion' | 'async' | 'second-context' }>;

interface Held {
  event: Report;
  index: number;
}

/**
 * Completions and events in the order in which they came. A packet behind one of them in the trace may have been handed to the port
 * before it; the report is held until no such packet can follow.
 */
export class HeldReports {
  readonly #port: PortQueue;
  readonly #underWay: number;
  readonly #held: Held[] = [];

  /** `underWay`: nanoseconds that a packet may take from where it is made to the port. */
  constructor(port: PortQueue, underWay: number) {
    this.#port = port;
    this.#underWay = underWay;
  }

  hold(event: Report, index: number): void {
    this.#held.push({ event, index });
  }

  /** Takes the oldest report if it came before `event` for certain. */
  before(event: TraceEvent): Held | undefined {
    const [oldest] = this.#held;
    if (oldest === undefined || this.#mayPrecede(event, oldest.event)) return undefined;
    return this.#held.shift();
  }

  /** Takes the oldest report, whatever may follow. */
  take(): Held | undefined {
    return this.#held.shift();
  }

  /** Whether a packet may have been handed to the port before a report. */
  #mayPrecede(event: TraceEvent, { t }: Report): boolean {
    if (event.kind !== 'packet') return false;
    if (this.#underWay > 0 && event.t - t <= this.#underWay) return true;
    if (event.direction === 'from-dut') return this.#port.mayHold(event.packet.frame.length, event.t, t);
    return this.#port.mayBeBusy(event.t, t);
  }
}
