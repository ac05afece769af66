import type { AhAttr } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import type { QpChange } from '../device/listener.ts';
import type { Objects } from '../device/objects.ts';
import type { Observer } from '../device/observer.ts';
import type { PostedSend } from '../device/queues/posted-send.ts';
import type { Qp } from '../device/qp.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { MachineBook } from '../rulebook/machine-book.ts';
import type { Met } from '../rulebook/machine-tables.ts';
import type { When } from '../spot.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import type { RouteRules, RouteTable } from './machine.ts';
import { Routes } from './routes.ts';
import { RouteVariables } from './variables.ts';
import type { RouteInputs } from './variables.ts';

/** Bits of ECN below those of the DSCP. */
const ecnBits = 2;

const demands = ['mustDscp', 'mustHops', 'mustLabel'] as const;

/** Judges the IP headers of a device's packets by the paths that its software has set. */
export class RouteJudge implements Observer {
  readonly #book: MachineBook<RouteTable, RouteVariables, RouteInputs>;
  readonly #routes: Routes;

  constructor(
    { tables }: RouteRules,
    ledger: Ledger,
    objects: Objects,
    words: TraceHeader['capabilities'] = [],
  ) {
    // a host may set these fields by rules of its own: only a device that declares it is held to its paths
    this.#book = new MachineBook(tables, ledger, { capabilities: new Set(words) });
    this.#routes = new Routes(objects);
  }

  see(event: TraceEvent, index: number): 'shared' {
    if (event.kind === 'packet' && event.direction === 'from-dut')
      this.#sent(event.packet, { event: index, t: event.t });
    if (event.kind === 'settled') this.#routes.settle();
    return 'shared';
  }

  created(qp: Qp): void {
    this.#routes.created(qp);
  }

  destroyed(qp: Qp): void {
    this.#routes.destroyed(qp);
  }

  modified(qp: Qp, { attr }: QpChange): void {
    this.#routes.modified(qp, attr);
  }

  sendPosted(qp: Qp, send: PostedSend): void {
    this.#routes.posted(qp, send);
  }

  #sent(packet: Packet, when: When): void {
    const { qp, paths = [] } = this.#routes.of(packet) ?? {};
    const [newest] = paths;
    if (qp === undefined || newest === undefined) return;
    const met = paths.map((path) => metOf(packet, path));
    const [first] = met;
    if (first === undefined) return;
    const rules = this.#book.decide('packet', first);
    for (const key of demands) {
      if (met.some((one) => this.#book.unmet(rules, key, one).length === 0)) continue;
      const { expected, observed } = inWords(key, packet, newest);
      for (const rule of this.#book.unmet(rules, key, first))
        this.#book.violate(rule, { ...when, qp: qp.name }, expected, observed);
    }
  }
}

function metOf(packet: Packet, path: AhAttr): Met<RouteVariables, RouteInputs> {
  const { trafficClass, hopLimit, flowLabel = -1 } = packet;
  const inputs = {
    packet: { dscp: trafficClass >> ecnBits, hopLimit, flowLabel },
    asked: {
      dscp: (path.traffic_class ?? 0) >> ecnBits,
      hopLimit: path.hop_limit ?? -1,
      flowLabel: path.flow_label ?? 0,
    },
  };
  return { inputs, variables: new RouteVariables() };
}

function inWords(
  key: (typeof demands)[number],
  { trafficClass, hopLimit, flowLabel }: Packet,
  path: AhAttr,
): { expected: string; observed: string } {
  switch (key) {
    case 'mustDscp':
      return {
        expected: `DSCP ${(path.traffic_class ?? 0) >> ecnBits}`,
        observed: `DSCP ${trafficClass >> ecnBits}`,
      };
    case 'mustHops':
      return { expected: `hop limit ${path.hop_limit}`, observed: `hop limit ${hopLimit}` };
    case 'mustLabel':
      return {
        expected: `flow label 0x${(path.flow_label ?? 0).toString(16)}`,
        observed: `flow label 0x${(flowLabel ?? 0).toString(16)}`,
      };
  }
}
