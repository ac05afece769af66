import { decodeSyndrome } from '../../../spec/constants.ts';
import type { Violation } from '../../../oracle/trace.ts';
import type { Connections } from '../../../report/connections/shape.ts';
import { reversedKey } from '../../../wire/address-key.ts';
import type { Packet } from '../../../wire/packet.ts';
import { Flow } from './flow.ts';
import { Pairing } from './pairing.ts';
import type { Sight } from './requests.ts';
import { Listing } from './listing.ts';

/** Flows that are followed at a time; those that are quiet for longest are over before. */
const mostFollowed = 0x8000;

/** Where a packet belongs, and what it is there. */
export interface Placed {
  flow: Flow;
  /** of a request of RC or UC: what the sequence of requests says of it */
  sight: Sight | undefined;
  /** of a response: the flow of the requests that it answers, once known */
  asked?: Flow;
}

/** Who talks to whom in a capture: counts the packets of each connection, in memory that is bounded. */
export class ConnectionTable {
  readonly #flows = new Map<string, Map<number, Flow>>();
  #followed = 0;
  #pairing = new Pairing();
  readonly #listing = new Listing();

  /** A packet at `t` nanoseconds, whose frame had `bytes` bytes. */
  see(packet: Packet, bytes: number, t: number): Placed {
    const flow = this.#flow(packet, t);
    const sight = flow.take(packet, bytes, t);
    if (packet.info?.kind === 'response') {
      const asked = this.#answer(flow, packet, t);
      return asked === undefined ? { flow, sight } : { flow, sight, asked };
    }
    if (flow.peer === undefined && flow.service === 'RC')
      this.#pairing.asked(packet.addressKey, flow, packet);
    return { flow, sight };
  }

  /** The table, with the violations of rules counted at the connections that they are about. */
  result(violations: readonly Violation[]): Connections {
    for (const byNumber of this.#flows.values())
      for (const flow of byNumber.values()) this.#listing.add(flow);
    this.#flows.clear();
    return this.#listing.result(violations);
  }

  /** Why nothing wrong does not mean that all ends are sound; of a table whose result was asked for. */
  doubts(): string[] {
    return this.#listing.doubts();
  }

  #flow(packet: Packet, t: number): Flow {
    const { addressKey, destQp, deth } = packet;
    let byNumber = this.#flows.get(addressKey);
    if (byNumber === undefined) this.#flows.set(addressKey, (byNumber = new Map()));
    const number = deth === undefined ? destQp : (deth.srcQp + 1) * 0x1000000 + destQp;
    const known = byNumber.get(number);
    if (known !== undefined) return known;
    const flow = new Flow(packet, t);
    byNumber.set(number, flow);
    if (deth !== undefined) {
      const back = this.#flows.get(reversedKey(addressKey))?.get((destQp + 1) * 0x1000000 + deth.srcQp);
      if (back !== undefined) pair(flow, back);
    }
    if (++this.#followed > mostFollowed) this.#retire();
    return flow;
  }

  #answer(flow: Flow, packet: Packet, t: number): Flow | undefined {
    const asked = flow.peer ?? this.#pairing.answeredBy(packet.addressKey, packet);
    if (asked === undefined) return undefined;
    if (flow.peer === undefined) pair(flow, asked);
    asked.requests.answered(kindOf(packet.aethWord), packet.psn, t);
    return asked;
  }

  /** Lists the half of the connections that have been quiet for longest, and follows them no more. */
  #retire(): void {
    const times = [...this.#flows.values()].flatMap((flows) => [...flows.values()].map(lastOf));
    const limit = times.toSorted((a, b) => a - b)[times.length >>> 1] ?? Infinity;
    for (const [key, byNumber] of this.#flows) {
      for (const [number, flow] of byNumber) {
        if (lastOf(flow) > limit) continue;
        this.#listing.add(flow);
        byNumber.delete(number);
        this.#followed--;
      }
      if (byNumber.size === 0) this.#flows.delete(key);
    }
    this.#pairing = new Pairing();
  }
}

/** What a response says, by its AETH or -1. */
function kindOf(word: number): Parameters<Flow['requests']['answered']>[0] {
  // most are ACKs: bits 31:29 are 0
  if (word < 0x20000000) return 'answer';
  const { kind, value } = decodeSyndrome(word >>> 24);
  if (kind === 'rnr-nak') return kind;
  return kind === 'nak' && value === 0 ? 'sequence-nak' : 'fatal-nak';
}

const lastOf = ({ last, peer }: Flow): number => Math.max(last, peer?.last ?? 0);

function pair(one: Flow, other: Flow): void {
  one.peer = other;
  other.peer = one;
}
