import { reversedKey } from '../../wire/address-key.ts';
import type { Packet } from '../../wire/packet.ts';
import { qpName } from '../device/qp.ts';
import type { When } from '../spot.ts';
import type { Violation } from '../trace.ts';
import { samePkey } from '../device/packet/header.ts';
import { isReadResponse, packetInputs, toNobody } from './arrival.ts';
import { CapturedFlows } from './captured-flows.ts';
import type { CapturedFlow } from './captured-flows.ts';
import { CapturedRate } from './captured-rate.ts';
import type { CongestionContext } from './context.ts';
import { CapturedEvent } from './event.ts';
import { rateInUnits } from '../rate-units.ts';

const followed: ReadonlySet<string> = new Set(['RC', 'UC', 'UD']);

/**
 * Whether the sender of a flow slows down where CNPs ask it to, in a capture at its port: each CNP that is seen there has reached it. A flow
 * of which the capture does not tell the QP at its source is not judged.
 */
export class CapturedReaction {
  readonly #context: CongestionContext;
  readonly #addresses: ReadonlySet<string>;
  readonly #suspect: (violation: Violation) => void;
  readonly #flows = new CapturedFlows();
  readonly #rates = new WeakMap<CapturedFlow, CapturedRate>();

  /** `addresses`: ends at whose ports the capture was taken; none: all. `suspect`: wrong if the capture shows no frame twice. */
  constructor(
    context: CongestionContext,
    addresses: readonly string[],
    suspect: (violation: Violation) => void,
  ) {
    this.#context = context;
    this.#addresses = new Set(addresses);
    this.#suspect = suspect;
  }

  /** Something was not seen. */
  forget(): void {
    this.#flows.clear();
  }

  packet(packet: Packet, when: When): void {
    const { info, icrcOk, srcIp, dstIp } = packet;
    if (!icrcOk || info === undefined || !followed.has(info.service))
      return this.#flows.unfollowed(packet.addressKey);
    if (this.#at(dstIp) && info.service === 'RC') this.#flows.reaches(packet);
    if (info.kind === 'response') {
      const back = reversedKey(packet.addressKey);
      if (this.#at(dstIp)) this.#flows.response(back, packet);
      if (this.#at(srcIp)) this.#answered(back, packet, when);
      return;
    }
    if (this.#at(srcIp)) this.#sent(this.#flows.request(packet), packet, when);
    if (this.#at(dstIp) && info.operation === 'RDMA_READ_REQUEST') this.#flows.read(packet);
  }

  #answered(back: string, packet: Packet, when: When): void {
    if (isReadResponse(packet)) return this.#sent(this.#flows.readResponse(back, packet), packet, when);
    const flow = this.#flows.of(packet);
    if (flow !== undefined) this.#rates.get(flow)?.answered(packet, when.t);
  }

  /** A CNP that reaches the port of an end. */
  cnp(cnp: Packet, { t }: When): void {
    if (!this.#at(cnp.dstIp)) return;
    const flow = this.#flows.named(cnp);
    if (flow === undefined)
      return this.#context.ledger.skip('CNPs for a QP of which the capture does not tell what it sends');
    if (!this.#sound(cnp, flow)) return;
    let rate = this.#rates.get(flow);
    if (rate === undefined) this.#rates.set(flow, (rate = new CapturedRate(this.#context)));
    rate.cnp(t);
  }

  #at(address: string): boolean {
    return this.#addresses.size === 0 || this.#addresses.has(address);
  }

  /** Whether the sender has to take note of it. */
  #sound(cnp: Packet, flow: CapturedFlow): boolean {
    const inputs = Object.assign(new CapturedEvent(this.#context, 0, {}, flow), {
      packet: packetInputs(cnp),
      arrival: {
        ...toNobody,
        toQp: true,
        icrc: cnp.icrcOk,
        samePartition: samePkey(flow.pkey, cnp.pkey),
        certain: true,
        at: 'reaction',
      } as const,
    });
    const { none } = this.#context;
    return this.#context.fact('cnp-reaction', 'soundness', inputs, none) === 'sound';
  }

  #sent(flow: CapturedFlow, packet: Packet, { event, t }: When): void {
    const rate = this.#rates.get(flow);
    const ahead = rate?.sent(packet, t);
    if (rate === undefined || ahead === undefined) return;
    const { none } = this.#context;
    const given = { leaving: isReadResponse(packet) ? 'read-response' : 'request', pace: 'ahead' };
    if (ahead === 0) return this.#context.refrained('pace', {}, none, given);
    for (const rule of this.#context.decide('pace', {}, none, given))
      this.#suspect({
        rule: rule.id,
        event,
        t,
        qp: `${qpName(flow.qp)} at ${flow.from}`,
        expected: `payload of no more than ${rateInUnits(Number(rate.rate.toPrecision(3)))}, by the CNPs that have come`,
        observed: `${ahead} bytes more`,
      });
  }
}
