import { psnDiff } from '../../wire/psn.ts';
import type { Packet } from '../../wire/packet.ts';
import type { RcQp } from '../device/connection.ts';
import { Memory } from '../device/memory.ts';
import { ReceiveQueue } from '../device/receive-queue.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { ResponderJudge } from '../rc-responder/judge.ts';
import type { ResponderRules } from '../rc-responder/rules.ts';

/** A responder found in a capture, and what pairs it with the QP that its responses go to. */
interface Found {
  judge: ResponderJudge;
  /** PSN of the newest request */
  newestPsn: number;
  /** number of the reverse QP, once known */
  peer: number | undefined;
}

/** PSNs behind the newest request that a response may still carry and be told apart by. */
const pairingSpan = 4096;
const swapAddresses = (packet: Packet): string => {
  const half = packet.addressKey.length / 2;
  return packet.addressKey.slice(half) + packet.addressKey.slice(0, half);
};

/**
 * The connections of a capture. BTHs name the destination QP alone, so a response tells its responder only by PSN: the
 * one responder between the two addresses whose newest requests hold that PSN. Where several do, none is judged by it.
 */
export class CapturedConnections {
  readonly #found = new Map<string, Map<number, Found>>();
  readonly #paired = new Map<string, Map<number, Found>>();
  readonly #rules: ResponderRules;
  readonly #ledger: Ledger;
  readonly #capabilities: ReadonlySet<string> | undefined;
  readonly #memory = new Memory();

  constructor(rules: ResponderRules, ledger: Ledger, capabilities: ReadonlySet<string> | undefined) {
    this.#rules = rules;
    this.#ledger = ledger;
    this.#capabilities = capabilities;
  }

  request(packet: Packet): ResponderJudge {
    let byNumber = this.#found.get(packet.addressKey);
    if (byNumber === undefined) this.#found.set(packet.addressKey, (byNumber = new Map()));
    let found = byNumber.get(packet.destQp);
    if (found === undefined) {
      const judge = new ResponderJudge(this.#connection(packet), this.#rules, this.#ledger);
      judge.startUnknown();
      found = { judge, newestPsn: packet.psn, peer: undefined };
      byNumber.set(packet.destQp, found);
    }
    const ahead = psnDiff(packet.psn, found.newestPsn);
    if (ahead > 0 || ahead < -pairingSpan) found.newestPsn = packet.psn;
    return found.judge;
  }

  /** The responder that sent the response; `undefined` where that cannot be told. */
  response(packet: Packet): ResponderJudge | undefined {
    const key = swapAddresses(packet);
    let paired = this.#paired.get(key);
    if (paired === undefined) this.#paired.set(key, (paired = new Map()));
    const known = paired.get(packet.destQp);
    if (known !== undefined && this.#plausible(known, packet.psn)) return known.judge;
    const candidates = [...(this.#found.get(key)?.values() ?? [])].filter(
      (f) => (f.peer === undefined || f.peer === packet.destQp) && this.#plausible(f, packet.psn),
    );
    const only = candidates[0];
    if (only === undefined || candidates.length > 1) {
      this.#ledger.skip(
        only === undefined
          ? 'responses to requests that the capture does not hold'
          : 'responses that fit several connections',
      );
      return undefined;
    }
    only.peer = packet.destQp;
    only.judge.connection.peerQpNumber = packet.destQp;
    paired.set(packet.destQp, only);
    return only.judge;
  }

  #plausible(found: Found, psn: number): boolean {
    const behind = psnDiff(found.newestPsn, psn);
    // READ responses lie ahead of the request that asks for them
    return behind < pairingSpan && behind > -pairingSpan * 2;
  }

  all(): ResponderJudge[] {
    return [...this.#found.values()].flatMap((byNumber) => [...byNumber.values()].map((f) => f.judge));
  }

  #connection(packet: Packet): RcQp {
    return {
      name: `qp 0x${packet.destQp.toString(16).padStart(6, '0')} at ${packet.dstIp}`,
      atDevice: false,
      verbs: false,
      qpNumber: packet.destQp,
      peerQpNumber: undefined,
      peerAddress: packet.srcIp,
      pd: 0,
      srq: false,
      access: undefined,
      minRnrTimer: undefined,
      maxDestRdAtomic: undefined,
      pkey: packet.pkey,
      capabilities: this.#capabilities,
      memory: this.#memory,
      posted: new ReceiveQueue(),
    };
  }
}
