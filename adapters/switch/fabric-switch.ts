import type { SwitchPlan } from '../../spec/congestion.ts';
import { ecnBits, withEcnBits } from './ecn-bits.ts';
import type { Link } from './link.ts';
import { Marker } from './marking.ts';

export interface FabricSwitchOptions {
  marking: SwitchPlan['marking'];
  /** an input is paused while more than `high` bytes of it wait in the switch, until there are no more than `low` */
  flowControl: { high: number; low: number };
}

/** An input of the switch: what waits of it, and the link that leads to it. */
interface Input {
  from: Link;
  bytes: number;
  paused: boolean;
}

/** A switch with any number of ports and shared memory: marks by the queues of its outputs, pauses by what waits of its inputs. */
export class FabricSwitch {
  readonly #options: FabricSwitchOptions;
  readonly #routes = new Map<string, Link>();
  readonly #inputs = new Map<Link, Input>();
  readonly #markers = new Map<Link, Marker>();

  constructor(options: FabricSwitchOptions) {
    this.#options = options;
  }

  /** Frames to this IPv4 address leave by this link. */
  route(address: string, by: Link): void {
    this.#routes.set(address, by);
    if (!this.#markers.has(by)) this.#markers.set(by, new Marker(this.#options.marking));
  }

  /** A frame came by a link. */
  receive(from: Link, frame: Uint8Array): void {
    const output = this.#routes.get(destinationOf(frame));
    const marker = output === undefined ? undefined : this.#markers.get(output);
    if (output === undefined || marker === undefined) return;
    const before = ecnBits(frame);
    const behind = marker.mark(before, output.queued);
    const input = this.#input(from);
    input.bytes += frame.length;
    this.#control(input);
    output.send(behind === before ? frame : withEcnBits(frame, behind), () => {
      input.bytes -= frame.length;
      this.#control(input);
    });
  }

  #input(from: Link): Input {
    const input = this.#inputs.get(from) ?? { from, bytes: 0, paused: false };
    this.#inputs.set(from, input);
    return input;
  }

  #control(input: Input): void {
    const { high, low } = this.#options.flowControl;
    if (!input.paused && input.bytes > high) {
      input.paused = true;
      input.from.pause();
    } else if (input.paused && input.bytes <= low) {
      input.paused = false;
      input.from.resume();
    }
  }
}

const destination = 14 + 16;

function destinationOf(frame: Uint8Array): string {
  return frame.subarray(destination, destination + 4).join('.');
}
