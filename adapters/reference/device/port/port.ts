import type { Clock, Endpoint } from '../../../adapter.ts';
import { endpointAddress } from './addressing.ts';

const broadcast = 'ff:ff:ff:ff:ff:ff';

export interface PortOptions {
  clock: Clock;
  /** the device's own addresses */
  endpoint: Endpoint;
  /** those known beforehand */
  neighbours: readonly Endpoint[];
  /** nanoseconds from the arrival of a frame to its processing */
  processingDelay: number;
  /** takes a frame when its turn has come; `time`: when it reached the port */
  process: (frame: Uint8Array, time: number) => void;
}

/** The port of a device: its addresses, those of its neighbours, and the frames that wait to be processed. */
export class Port {
  readonly mac: string;
  readonly #ip: Record<4 | 6, string | undefined>;
  readonly #macs = new Map<string, string>();
  #arrived: { frame: Uint8Array; time: number }[] = [];
  /** frames of these that have been processed: taking them off the front one by one is slow where many wait */
  #processed = 0;
  readonly #clock: Clock;
  readonly #processingDelay: number;
  readonly #processNext: () => void;

  constructor({ clock, endpoint, neighbours, processingDelay, process }: PortOptions) {
    this.mac = endpoint.mac;
    this.#ip = { 4: endpointAddress(endpoint, 4), 6: endpointAddress(endpoint, 6) };
    for (const neighbour of neighbours) {
      for (const version of [4, 6] as const) {
        const ip = endpointAddress(neighbour, version);
        if (ip !== undefined) this.#macs.set(ip, neighbour.mac);
      }
    }
    this.#clock = clock;
    this.#processingDelay = processingDelay;
    this.#processNext = () => {
      const next = this.#arrived[this.#processed];
      if (next === undefined) return;
      if (++this.#processed === this.#arrived.length) {
        this.#arrived = [];
        this.#processed = 0;
      }
      process(next.frame, next.time);
    };
  }

  /** A frame arrives; it is processed in a later clock event, never within this call. */
  receive(frame: Uint8Array): void {
    this.#arrived.push({ frame, time: this.#clock.now() });
    // Timers of a real clock are coarse; answers need only be outside this call.
    if (this.#clock.kind === 'real') setImmediate(this.#processNext);
    else this.#clock.setTimer(this.#processingDelay, this.#processNext);
  }

  /** Processes what waits, at once. */
  catchUp(): void {
    while (this.#processed < this.#arrived.length) this.#processNext();
  }

  /** The port's own address of a version, if it has one. */
  ip(version: 4 | 6): string | undefined {
    return this.#ip[version];
  }

  learn(ip: string, mac: string): void {
    this.#macs.set(ip, mac);
  }

  /** MAC address of a neighbour; broadcast where it is not known. */
  macOf(ip: string): string {
    return this.#macs.get(ip) ?? broadcast;
  }
}
