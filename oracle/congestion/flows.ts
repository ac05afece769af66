import type { CnpScope } from '../../spec/congestion.ts';
import type { Packet } from '../../wire/packet.ts';
import type { Rule } from '../rules.ts';
import type { CongestionContext } from './context.ts';
import type { Qp } from '../device/qp.ts';
import type { CongestionVariables } from './variables.ts';

/** A marked packet that no CNP has reported. */
export interface Mark {
  t: number;
  event: number;
  packet: Packet;
  /** it is valid beyond doubt */
  sound: boolean;
  /** rule that has a CNP come for it, once everything that waits for no timer has had its time */
  owed: Rule | undefined;
  /** rule that has it come at once */
  prompt: Rule | undefined;
}

/** What one QP of the device is sent by one QP elsewhere. */
export interface Flow {
  readonly address: string;
  readonly peerNumber: number;
  readonly qp: Qp;
  marks: Mark[];
}

const marksKept = 256;

/** Flows to the device by where they come from, and the registers of the pacers that serve them. */
export class Flows {
  readonly #context: CongestionContext;
  readonly #scope: CnpScope;
  readonly #flows = new Map<string, Flow>();
  readonly #pacers = new Map<string, CongestionVariables>();

  constructor(context: CongestionContext) {
    this.#context = context;
    this.#scope = context.profile?.cnp.scope ?? 'qp';
  }

  all(): IterableIterator<Flow> {
    return this.#flows.values();
  }

  /** The flow that a packet to the QP is of; `undefined` where it is unknown from which QP it comes. */
  of(packet: Packet, qp: Qp): Flow | undefined {
    const peerNumber = qp.kind === 'UD' ? packet.deth?.srcQp : qp.peerQpNumber;
    if (peerNumber === undefined) return undefined;
    const key = `${packet.srcIp} ${peerNumber}`;
    let flow = this.#flows.get(key);
    if (flow === undefined) {
      flow = { address: packet.srcIp, peerNumber, qp, marks: [] };
      this.#flows.set(key, flow);
    }
    return flow;
  }

  /** The flow that a CNP names, whether or not anything of it was marked. */
  named({ dstIp, destQp }: Packet): Flow | undefined {
    return this.#flows.get(`${dstIp} ${destQp}`);
  }

  /** The flow that a CNP is meant for: the one that it names, or one that it names in part. Something of it was marked. */
  meant(cnp: Packet): Flow | undefined {
    const named = this.named(cnp);
    if (named !== undefined && named.marks.length > 0) return named;
    const open = [...this.#flows.values()].filter(({ marks }) => marks.length > 0);
    return (
      open.find(({ address }) => address === cnp.dstIp) ??
      open.find(({ peerNumber }) => peerNumber === cnp.destQp) ??
      open[0]
    );
  }

  mark(flow: Flow, mark: Mark): void {
    flow.marks.push(mark);
    if (flow.marks.length > marksKept) flow.marks.splice(1, flow.marks.length - marksKept);
  }

  /** Registers of the pacer that serves CNPs to a QP elsewhere. */
  pacer({ address, peerNumber }: Pick<Flow, 'address' | 'peerNumber'>): CongestionVariables {
    const served = { port: 'port', source: address, qp: `${address} ${peerNumber}` }[this.#scope];
    let pacer = this.#pacers.get(served);
    if (pacer === undefined) this.#pacers.set(served, (pacer = this.#context.registers()));
    return pacer;
  }

  /** What is owed for marked packets may no longer be. */
  forgive(which: (flow: Flow) => boolean): void {
    for (const flow of this.#flows.values())
      if (which(flow)) for (const mark of flow.marks) mark.owed = mark.prompt = undefined;
  }

  /** CNPs may have come or gone unseen: none is owed, and each marked packet may still draw one. */
  forget(): void {
    this.forgive(() => true);
    this.#pacers.clear();
  }
}
