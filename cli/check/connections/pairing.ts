import { opcodeByName } from '../../../spec/constants.ts';
import { reversedKey } from '../../../wire/address-key.ts';
import type { Packet } from '../../../wire/packet.ts';
import type { Flow } from './flow.ts';

const readRequest = opcodeByName('RC_RDMA_READ_REQUEST');
/** Requests that are remembered for each pair of addresses. */
const kept = 8192;

/** Requests between two addresses that call for a response, by PSN: the flow, or `null` where several have the same. */
type Waiting = Map<number, Flow | null>;

/**
 * Finds the flow that goes the other way: of RC, a response carries the PSN of the request that it answers, and often its UDP source
 * port. Where several flows have sent that PSN, none is taken.
 */
export class Pairing {
  readonly #waiting = new Map<string, Waiting>();

  /** A request of a flow whose way back is not known. */
  asked(key: string, flow: Flow, { psn, ackReq, atomicEth, opcode, srcPort }: Packet): void {
    if (!ackReq && atomicEth === undefined && opcode !== readRequest) return;
    let waiting = this.#waiting.get(key);
    if (waiting === undefined) this.#waiting.set(key, (waiting = new Map()));
    for (const name of [psn, withPort(psn, srcPort)]) {
      const other = waiting.get(name);
      if (other === undefined || other?.peer !== undefined) waiting.set(name, flow);
      else if (other !== flow) waiting.set(name, null);
    }
    for (const old of waiting.keys()) {
      if (waiting.size <= 2 * kept) break;
      waiting.delete(old);
    }
  }

  /** The flow that a response answers, among those between the two addresses the other way round. */
  answeredBy(key: string, { psn, srcPort }: Packet): Flow | undefined {
    const waiting = this.#waiting.get(reversedKey(key));
    if (waiting === undefined) return undefined;
    for (const name of [psn, withPort(psn, srcPort)]) {
      const flow = waiting.get(name);
      if (flow !== undefined && flow !== null && flow.peer === undefined) return flow;
    }
    return undefined;
  }
}

function withPort(psn: number, port: number): number {
  return (port + 1) * 0x1000000 + psn;
}
