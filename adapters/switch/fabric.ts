import type { Endpoint } from '../adapter.ts';
import { ReferenceNic, type ReferenceNicOptions } from '../reference/index.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { FabricSwitch, type FabricSwitchOptions } from './fabric-switch.ts';
import { Link } from './link.ts';

export interface FabricOptions {
  /** bits per second of every link */
  rate: number;
  /** nanoseconds from one end of a link to the other */
  delay: number;
  switches: FabricSwitchOptions;
  /** what the NIC of each host is */
  nic: (host: string) => Pick<ReferenceNicOptions, 'config' | 'mutant'>;
  /** names of the hosts at each switch; switch i is linked with switch i + 1 */
  hosts: readonly (readonly string[])[];
}

/** A reference NIC at a port of a switch. */
export interface Host {
  readonly name: string;
  readonly at: number;
  readonly endpoint: Endpoint & { ipv4: string };
  readonly nic: ReferenceNic;
  /** from the host to its switch, and back */
  readonly up: Link;
  readonly down: Link;
}

/** Switches in a row with hosts at their ports, on a clock of their own. */
export class Fabric {
  readonly clock = new VirtualClock();
  readonly hosts = new Map<string, Host>();
  /** links between neighbouring switches: `right[i]` from switch i to i + 1, `left[i]` back */
  readonly right: Link[] = [];
  readonly left: Link[] = [];
  /** called with each frame that reaches a host */
  arrived: ((host: Host, frame: Uint8Array) => void) | undefined;
  readonly #options: FabricOptions;
  readonly #switches: FabricSwitch[];

  constructor(options: FabricOptions) {
    this.#options = options;
    this.#switches = options.hosts.map(() => new FabricSwitch(options.switches));
    for (let i = 0; i + 1 < options.hosts.length; i++) {
      this.right.push(this.#link((frame, link) => this.#switches[i + 1]?.receive(link, frame)));
      this.left.push(this.#link((frame, link) => this.#switches[i]?.receive(link, frame)));
    }
    const endpoints = new Map<string, Host['endpoint']>();
    for (const name of options.hosts.flat()) endpoints.set(name, endpointOf(endpoints.size + 1));
    for (const [at, names] of options.hosts.entries())
      for (const name of names) this.#plug(name, at, endpoints);
  }

  host(name: string): Host {
    const host = this.hosts.get(name);
    if (host === undefined) throw new RangeError(`no host ${name}`);
    return host;
  }

  #link(deliver: (frame: Uint8Array, link: Link) => void): Link {
    const { rate, delay } = this.#options;
    const link: Link = new Link({
      clock: this.clock,
      rate,
      delay,
      deliver: (frame) => {
        deliver(frame, link);
      },
    });
    return link;
  }

  #plug(name: string, at: number, endpoints: ReadonlyMap<string, Host['endpoint']>): void {
    const endpoint = endpoints.get(name) ?? endpointOf(0);
    const up = this.#link((frame, link) => this.#switches[at]?.receive(link, frame));
    const down = this.#link((frame) => {
      this.arrived?.(host, frame);
      host.nic.receive(frame);
    });
    const nic = new ReferenceNic({
      clock: this.clock,
      endpoint,
      neighbours: [...endpoints.values()],
      ...this.#options.nic(name),
      send: (frame) => {
        up.send(frame);
      },
    });
    const host: Host = { name, at, endpoint, nic, up, down };
    this.hosts.set(name, host);
    for (const [i, box] of this.#switches.entries()) {
      const by = i === at ? down : i < at ? this.right[i] : this.left[i - 1];
      if (by !== undefined) box.route(endpoint.ipv4, by);
    }
  }
}

function endpointOf(n: number): Host['endpoint'] {
  return {
    mac: `02:00:00:00:01:${n.toString(16).padStart(2, '0')}`,
    ipv4: `10.0.1.${n}`,
    gidIndex: { ipv4: 0 },
  };
}
