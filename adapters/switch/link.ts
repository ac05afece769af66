import type { Clock } from '../adapter.ts';
import { OutputQueue } from './output-queue.ts';

export interface LinkOptions {
  clock: Clock;
  /** bits per second */
  rate: number;
  /** nanoseconds from one end to the other */
  delay: number;
  deliver: (frame: Uint8Array) => void;
}

/** One direction of a cable, with the queue in front of it; its far end may ask for a pause. */
export class Link {
  /** how often its far end asked for a pause, and how long it was paused in all */
  pauses = 0;
  pausedTime = 0;
  readonly #options: LinkOptions;
  readonly #queue: OutputQueue;
  #pausedSince: number | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#queue = new OutputQueue(options.clock, options.rate);
  }

  /** bytes that wait in front of it */
  get queued(): number {
    return this.#queue.bytes;
  }

  /** `left` is called when the frame is on the cable. */
  send(frame: Uint8Array, left?: () => void): void {
    const { clock, delay, deliver } = this.#options;
    this.#queue.push({
      bytes: frame.length,
      leave: () => {
        left?.();
        clock.setTimer(delay, () => {
          deliver(frame);
        });
      },
    });
  }

  /** The far end asks for a pause, which takes effect when its request is here. */
  pause(): void {
    const { clock, delay } = this.#options;
    this.pauses++;
    clock.setTimer(delay, () => {
      this.#pausedSince ??= clock.now();
      this.#queue.hold();
    });
  }

  resume(): void {
    const { clock, delay } = this.#options;
    clock.setTimer(delay, () => {
      if (this.#pausedSince !== undefined) this.pausedTime += clock.now() - this.#pausedSince;
      this.#pausedSince = undefined;
      this.#queue.resume();
    });
  }
}
