import { leastPathMtu, opcodeByName } from '../../spec/constants.ts';
import { reversedKey } from '../../wire/address-key.ts';
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
/** Packets that must agree on the QP that sends a flow. */
const enough = 8;
/** Flows that are followed; beyond it all begin anew. */
const mostFollowed = 0x4000;

/** What one QP of RC or UC sends to another: requests, and responses. What a QP of UD sends to any. */
export class CapturedFlow {
  readonly service: 'RC' | 'UC' | 'UD';
  readonly from: string;
  readonly to: string;
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

  constructor({ info, srcIp, dstIp, psn, deth }: Packet) {
    this.service = info?.service === 'UC' || info?.service === 'UD' ? info.service : 'RC';
    this.from = srcIp;
    this.to = dstIp;
    this.next = psn;
    if (deth === undefined) return;
    this.qp = deth.srcQp;
    this.votes = enough;
  }

  /** Whether the QP that sends it is known. */
  get certain(): boolean {
    return this.votes >= enough;
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

  /** Whether a PSN may be the next. UC and UD send each once. */
  #inPlace(psn: number): boolean {
    const ahead = psnDiff(psn, this.next);
    if (this.service !== 'RC') return ahead === 0;
    return ahead <= this.slack && (this.acknowledged < 0 || psnDiff(psn, this.acknowledged) > 0);
  }

  /** A request; whether it goes on with what the flow has sent. */
  goesOn({ psn, opcode, reth, pkey }: Packet): boolean {
    const known = !this.asks || this.#inPlace(psn);
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
 * The flows in a capture, and the QP at the source of each: packets of RC and UC name only where they go, and CNPs where they come from. Where several
 * flows of two addresses may be meant, none is taken.
 */
export class CapturedFlows {
  /** of RC and UC, by the addresses that a flow goes from and to, and its QP there */
  readonly #pairs = new Map<string, Map<number, CapturedFlow>>();
  /** of UD, by address and QP that send them */
  readonly #datagrams = new Map<string, CapturedFlow>();
  /** QPs of RC that packets from one address to another name */
  readonly #reliable = new Map<string, Set<number>>();
  /** pairs of addresses of which the first has sent to the second what is not followed, and may have caused CNPs */
  readonly #unfollowed = new Set<string>();
  /** the newest READs from one address to another */
  readonly #reads = new Map<string, CapturedRead[]>();
  #count = 0;
  #reached = 0;

  /** The flow of a request; a new one where the QP has begun anew. */
  request(packet: Packet): CapturedFlow {
    const flow = this.of(packet);
    if (flow?.service === packet.info?.service && flow?.goesOn(packet) === true) return flow;
    const fresh = this.#begin(packet);
    fresh.goesOn(packet);
    return fresh;
  }

  /** A packet of RC for a QP, which no flow of UC comes from. */
  reaches({ addressKey, destQp }: Packet): void {
    let qps = this.#reliable.get(addressKey);
    if (qps === undefined) this.#reliable.set(addressKey, (qps = new Set()));
    if (qps.has(destQp)) return;
    qps.add(destQp);
    if (++this.#reached > mostFollowed) this.clear();
  }

  /** `key`: addresses of a packet that no flow is made of. */
  unfollowed(key: string): void {
    this.#unfollowed.add(key);
    if (this.#unfollowed.size > mostFollowed) this.clear();
  }

  /** A READ request. */
  read({ addressKey, destQp: qp, psn: first, reth }: Packet): void {
    const reads = this.#reads.get(addressKey) ?? [];
    const most = packetsOf(reth?.dmaLen ?? 0, leastPathMtu);
    keep(reads, { qp, first, most }, mostReads);
    this.#reads.set(addressKey, reads);
  }

  /** The flow that a packet belongs to, if it is followed. */
  of({ addressKey, destQp, srcIp, deth }: Packet): CapturedFlow | undefined {
    if (deth !== undefined) return this.#datagrams.get(sender(srcIp, deth.srcQp));
    return this.#pairs.get(addressKey)?.get(destQp);
  }

  #begin(packet: Packet): CapturedFlow {
    const { addressKey: key, destQp, srcIp, deth } = packet;
    if (this.of(packet) === undefined && ++this.#count > mostFollowed) this.clear();
    const flow = new CapturedFlow(packet);
    if (deth !== undefined) {
      this.#datagrams.set(sender(srcIp, deth.srcQp), flow);
      return flow;
    }
    let flows = this.#pairs.get(key);
    if (flows === undefined) this.#pairs.set(key, (flows = new Map<number, CapturedFlow>()));
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

  /** The flow that a CNP is about. */
  named({ addressKey: key, dstIp, destQp: qp }: Packet): CapturedFlow | undefined {
    const back = reversedKey(key);
    let found = this.#datagrams.get(sender(dstIp, qp));
    const unsure: CapturedFlow[] = [];
    for (const flow of this.#pairs.get(back)?.values() ?? []) {
      if (!flow.certain) unsure.push(flow);
      if (flow.qp !== qp) continue;
      if (found !== undefined) return undefined;
      found = flow;
    }
    if (found?.certain === true) return found;
    const [only] = unsure;
    const nobodyElse = unsure.length === 1 && !this.#unfollowed.has(back);
    // RC answers its requests, which a CNP may be about as well
    if (only?.service === 'UC' && nobodyElse && this.#reliable.get(key)?.has(qp) !== true) only.vote(qp);
    return undefined;
  }

  clear(): void {
    this.#pairs.clear();
    this.#datagrams.clear();
    this.#reliable.clear();
    this.#unfollowed.clear();
    this.#reads.clear();
    this.#count = 0;
    this.#reached = 0;
  }
}

function sender(address: string, qp: number): string {
  return `${address} ${qp}`;
}
