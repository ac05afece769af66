import type { SwitchPlan } from '../../spec/congestion.ts';
import type { Clock, Timer } from '../adapter.ts';
import { ecnBits, withEcnBits } from './ecn-bits.ts';
import type { SwitchFault } from './faults.ts';
import { Marker } from './marking.ts';
import { OutputQueue } from './output-queue.ts';

/** bytes kept free for what comes next: a packet of the largest path MTU with all its headers */
const reserve = 4096 + 128;

/** What befell one packet at the switch. `queued`: bytes in the queue when it came. */
export interface Hop {
  queued: number;
  bytes: number;
  ecnIn: number;
  ecnOut: number;
  fate: 'forwarded' | 'dropped';
  paused: boolean;
}

export interface PathSwitchOptions {
  clock: Clock;
  plan: SwitchPlan;
  fault?: SwitchFault;
  /** takes frames that leave, in order */
  deliver: (frame: Uint8Array) => void;
  /** called when a packet comes, other traffic's included */
  hop: (hop: Hop) => void;
}

type Cross = NonNullable<SwitchPlan['cross']>[number];

/** A packet at an input; without a frame it is other traffic's, which ends at the output. */
interface Arriving {
  frame: Uint8Array | undefined;
  bytes: number;
  ecn: number;
}

/** One output of a switch on the way of a flow, and the inputs that feed it. */
export class PathSwitch {
  readonly #options: PathSwitchOptions;
  readonly #marker: Marker;
  readonly #queue: OutputQueue;
  /** what paused inputs keep back */
  readonly #kept: Arriving[] = [];
  readonly #cross = new Map<Cross, Timer>();
  readonly #origin: number;
  #frames = 0;
  #paused = false;

  constructor(options: PathSwitchOptions) {
    const { clock, plan, fault } = options;
    this.#options = options;
    this.#marker = new Marker(plan.marking, fault);
    this.#queue = new OutputQueue(clock, plan.rate);
    this.#origin = clock.now();
    for (const cross of plan.cross ?? []) this.#plan(cross, cross.from * 1000);
  }

  /** Whether frames of the flow are still on their way. */
  get pending(): boolean {
    return this.#frames > 0;
  }

  send(frame: Uint8Array): void {
    this.#frames++;
    this.#arrive({ frame, bytes: frame.length, ecn: ecnBits(frame) });
  }

  close(): void {
    this.#queue.close();
    this.#kept.length = 0;
    this.#frames = 0;
    for (const timer of this.#cross.values()) timer.cancel();
  }

  /** The next packet of other traffic comes `at` nanoseconds behind the start, if that is before its end. */
  #plan(cross: Cross, at: number): void {
    const { clock } = this.#options;
    if (at >= cross.until * 1000 || cross.rate <= 0) return;
    const timer = clock.setTimer(Math.ceil(at) - (clock.now() - this.#origin), () => {
      this.#arrive({ frame: undefined, bytes: cross.bytes, ecn: cross.ecn });
      this.#plan(cross, at + (cross.bytes * 8e9) / cross.rate);
    });
    this.#cross.set(cross, timer);
  }

  #arrive(packet: Arriving): void {
    if (this.#paused && this.#holds()) this.#kept.push(packet);
    else this.#enqueue(packet);
  }

  #enqueue(packet: Arriving): void {
    const { hop } = this.#options;
    const { bytes, ecn } = packet;
    const queued = this.#queue.bytes;
    const ecnOut = this.#marker.mark(ecn, queued);
    const dropped = this.#drops(bytes, queued);
    this.#paused = this.#pauses(dropped ? queued : queued + bytes);
    hop({
      queued,
      bytes,
      ecnIn: ecn,
      ecnOut: dropped ? ecn : ecnOut,
      fate: dropped ? 'dropped' : 'forwarded',
      paused: this.#paused,
    });
    if (dropped) {
      if (packet.frame !== undefined) this.#frames--;
      return;
    }
    this.#queue.push({
      bytes,
      leave: () => {
        this.#leave(packet, ecnOut);
      },
    });
  }

  #leave({ frame, ecn }: Arriving, ecnOut: number): void {
    const { deliver } = this.#options;
    if (frame !== undefined) {
      this.#frames--;
      deliver(ecnOut === ecn ? frame : withEcnBits(frame, ecnOut));
    }
    this.#paused = this.#pauses(this.#queue.bytes);
    while (!(this.#paused && this.#holds())) {
      const next = this.#kept.shift();
      if (next === undefined) return;
      this.#enqueue(next);
    }
  }

  /** Whether paused inputs keep packets back: those of a faulty switch do not always. */
  #holds(): boolean {
    return this.#options.fault !== 'switch-pauses-lossy';
  }

  #drops(bytes: number, queued: number): boolean {
    const { plan, fault } = this.#options;
    if (fault === 'switch-never-drops') return false;
    if (fault === 'switch-drops-early' || fault === 'switch-drops-lossless')
      return queued + bytes > plan.buffer / 2;
    return queued + bytes > plan.buffer;
  }

  /** With so many bytes in the queue: whether inputs are paused, since there may be no room for what comes next. */
  #pauses(bytes: number): boolean {
    const { plan, fault } = this.#options;
    if (fault === 'switch-pauses-lossy') return bytes > 0 && bytes + reserve > plan.buffer;
    if (!plan.lossless || fault === 'switch-never-pauses' || fault === 'switch-drops-lossless') return false;
    return bytes > 0 && bytes + reserve > plan.buffer;
  }
}
