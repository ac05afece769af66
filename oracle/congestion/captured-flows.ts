import { leastPathMtu, opcodeByName } from '../../spec/constants.ts';
import { psnAdd, psnDiff } from '../../wire/psn.ts';
import type { Packet } from '../../wire/packet.ts';

const readRequest = opcodeByName('RC_RDMA_READ_REQUEST');
const acknowledge = opcodeByName('RC_ACKNOWLEDGE');
/** Requests that may be on their way: an ACK answers one of the newest so many. */
const window = 0x2000;
/** ACKs that must agree on the QP that sends a flow. */
const enough = 8;
/** Flows that are followed; beyond it all begin anew. */
const mostFollowed = 0x4000;

/** Requests of RC to one QP. */
export class CapturedFlow {
  readonly from: string;
  readonly to: string;
  readonly destQp: number;
  pkey = 0;
  /** PSN behind the newest request, as far as is known; a READ may reach `slack` further */
  next: number;
  slack = 0;
  acknowledged = -1;
  /** QP that the responses name, and how many have */
  qp = -1;
  votes = 0;

  constructor({ srcIp, dstIp, destQp, psn }: Packet) {
    this.from = srcIp;
    this.to = dstIp;
    this.destQp = destQp;
    this.next = psn;
  }

  /** Whether an ACK may answer one of its requests. */
  awaits(psn: number): boolean {
    const behind = psnDiff(this.next, psn);
    return behind > 0 && behind <= window;
  }

  /** A request; whether it goes on with what the flow has sent. */
  goesOn({ psn, opcode, reth, pkey }: Packet): boolean {
    const ahead = psnDiff(psn, this.next);
    const known = ahead <= this.slack && (this.acknowledged < 0 || psnDiff(psn, this.acknowledged) > 0);
    this.pkey = pkey;
    this.next = psnAdd(psn, 1);
    this.slack = opcode === readRequest ? Math.ceil((reth?.dmaLen ?? 0) / leastPathMtu) : 0;
    if (!known) this.acknowledged = -1;
    return known;
  }
}

/**
 * The flows of RC in a capture, and the QP at the source of each: packets name only where they go, and CNPs where they come from. Where several
 * flows of two addresses may be meant, none is taken.
 */
export class CapturedFlows {
  /** by the addresses that a flow goes from and to, and its QP there */
  readonly #pairs = new Map<string, Map<number, CapturedFlow>>();
  #count = 0;

  /** The flow of a request; a new one where the QP has begun anew. */
  request(packet: Packet): CapturedFlow {
    const key = packet.addressKey;
    let flows = this.#pairs.get(key);
    if (flows === undefined) this.#pairs.set(key, (flows = new Map<number, CapturedFlow>()));
    const flow = flows.get(packet.destQp);
    if (flow?.goesOn(packet) === true) return flow;
    if (flow === undefined && ++this.#count > mostFollowed) this.clear();
    const fresh = new CapturedFlow(packet);
    fresh.goesOn(packet);
    flows.set(packet.destQp, fresh);
    this.#pairs.set(key, flows);
    return fresh;
  }

  /** The flow of a QP that answers the same QP, if it sends one. */
  beside({ addressKey, destQp }: Packet): CapturedFlow | undefined {
    return this.#pairs.get(addressKey)?.get(destQp);
  }

  /** A response shows which QP sends a flow. `key`: of its addresses, the other way round. */
  response(key: string, { opcode, psn, destQp, aethWord }: Packet): void {
    // bits 31:29 of an ACK are 0
    if (opcode !== acknowledge || aethWord >= 0x20000000) return;
    const flows = this.#pairs.get(key);
    if (flows === undefined) return;
    let found: CapturedFlow | undefined;
    for (const flow of flows.values()) {
      if (!flow.awaits(psn)) continue;
      if (found !== undefined) return;
      found = flow;
    }
    if (found === undefined) return;
    // of two QPs, one is of a flow that the capture does not show
    found.votes = found.qp === destQp || found.qp < 0 ? found.votes + 1 : Number.NEGATIVE_INFINITY;
    found.qp = destQp;
    if (found.acknowledged < 0 || psnDiff(psn, found.acknowledged) > 0) found.acknowledged = psn;
  }

  /** The flow that a CNP is about. `key`: of its addresses, the other way round. */
  named(key: string, qp: number): CapturedFlow | undefined {
    let found: CapturedFlow | undefined;
    for (const flow of this.#pairs.get(key)?.values() ?? []) {
      if (flow.qp !== qp) continue;
      if (found !== undefined || flow.votes < enough) return undefined;
      found = flow;
    }
    return found;
  }

  clear(): void {
    this.#pairs.clear();
    this.#count = 0;
  }
}
