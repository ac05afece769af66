import { leastPathMtu, opcodeByName } from '../../spec/constants.ts';
import { psnAdd, psnDiff } from '../../wire/psn.ts';
import type { Packet } from '../../wire/packet.ts';
import { keep } from '../device/keep.ts';
import { packetsOf } from '../packets-of.ts';

const readRequest = opcodeByName('RC_RDMA_READ_REQUEST');
const acknowledge = opcodeByName('RC_ACKNOWLEDGE');
/** Requests that may be on their way: an ACK answers one of the newest so many. */
const window = 0x2000;
/** READs between two addresses of which responses may be on their way. */
const mostReads = 256;
/** Responses that must agree on the QP that sends a flow. */
const enough = 8;
/** Flows that are followed; beyond it all begin anew. */
const mostFollowed = 0x4000;

/** What one QP of RC sends to another: requests, and responses. */
export class CapturedFlow {
  readonly from: string;
  readonly to: string;
  readonly destQp: number;
  pkey = 0;
  /** PSN behind the newest request, as far as is known; a READ may reach `slack` further */
  next: number;
  slack = 0;
  acknowledged = -1;
  /** it has sent a request */
  asks = false;
  /** PSN of its newest response; -1: it has sent none */
  response = -1;
  /** QP that sends it, by what answers its requests and what it answers, and how often that was said */
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
    return this.asks && behind > 0 && behind <= window;
  }

  /** Something says which QP sends it. Of two QPs, one is of a flow that the capture does not show. */
  vote(qp: number): void {
    this.votes = this.qp === qp || this.qp < 0 ? this.votes + 1 : Number.NEGATIVE_INFINITY;
    this.qp = qp;
  }

  /** A request; whether it goes on with what the flow has sent. */
  goesOn({ psn, opcode, reth, pkey }: Packet): boolean {
    const ahead = psnDiff(psn, this.next);
    const inPlace = ahead <= this.slack && (this.acknowledged < 0 || psnDiff(psn, this.acknowledged) > 0);
    const known = inPlace || !this.asks;
    this.asks = true;
    this.pkey = pkey;
    this.next = psnAdd(psn, 1);
    this.slack = opcode === readRequest ? Math.ceil((reth?.dmaLen ?? 0) / leastPathMtu) : 0;
    if (!known) this.acknowledged = -1;
    return known;
  }
}

/** A READ: the QP that answers it, the first PSN of the responses, and how many these are at most. */
interface CapturedRead {
  qp: number;
  first: number;
  most: number;
}

/**
 * The flows of RC in a capture, and the QP at the source of each: packets name only where they go, and CNPs where they come from. Where several
 * flows of two addresses may be meant, none is taken.
 */
export class CapturedFlows {
  /** by the addresses that a flow goes from and to, and its QP there */
  readonly #pairs = new Map<string, Map<number, CapturedFlow>>();
  /** the newest READs from one address to another */
  readonly #reads = new Map<string, CapturedRead[]>();
  #count = 0;

  /** The flow of a request; a new one where the QP has begun anew. */
  request(packet: Packet): CapturedFlow {
    const flow = this.of(packet);
    if (flow?.goesOn(packet) === true) return flow;
    const fresh = this.#begin(packet);
    fresh.goesOn(packet);
    return fresh;
  }

  /** A READ request. */
  read({ addressKey, destQp: qp, psn: first, reth }: Packet): void {
    const reads = this.#reads.get(addressKey) ?? [];
    const most = packetsOf(reth?.dmaLen ?? 0, leastPathMtu);
    keep(reads, { qp, first, most }, mostReads);
    this.#reads.set(addressKey, reads);
  }

  /** The flow that a packet belongs to, if it is followed. */
  of({ addressKey, destQp }: Packet): CapturedFlow | undefined {
    return this.#pairs.get(addressKey)?.get(destQp);
  }

  #begin(packet: Packet): CapturedFlow {
    const { addressKey: key, destQp } = packet;
    if (this.of(packet) === undefined && ++this.#count > mostFollowed) this.clear();
    let flows = this.#pairs.get(key);
    if (flows === undefined) this.#pairs.set(key, (flows = new Map<number, CapturedFlow>()));
    const flow = new CapturedFlow(packet);
    flows.set(destQp, flow);
    return flow;
  }

  /** The flow of a READ response. The READ that it answers shows which QP sends it. `key`: of its addresses, the other way round. */
  readResponse(key: string, packet: Packet): CapturedFlow {
    const { psn, pkey } = packet;
    let flow = this.of(packet) ?? this.#begin(packet);
    // the QP has begun anew
    if (!flow.asks && flow.response >= 0 && Math.abs(psnDiff(psn, flow.response)) > window)
      flow = this.#begin(packet);
    flow.response = psn;
    flow.pkey = pkey;
    const asked = new Set<number>();
    for (const { qp, first, most } of this.#reads.get(key) ?? []) {
      const at = psnDiff(psn, first);
      if (at >= 0 && at < most) asked.add(qp);
    }
    const [qp] = asked;
    if (asked.size === 1 && qp !== undefined) flow.vote(qp);
    return flow;
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
    found.vote(destQp);
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
    this.#reads.clear();
    this.#count = 0;
  }
}
