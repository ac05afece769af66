import type { AsyncEvent, QpAttr, Wc } from '../../spec/verbs.ts';
import { decodeSyndrome, nakCodeByName } from '../../spec/constants.ts';
import type { Packet } from '../../wire/packet.ts';
import type { Objects } from '../device/objects.ts';
import { syndromeOf } from '../device/packet/aeth-word.ts';
import { serviceOf, type Qp } from '../device/qp.ts';
import { arrivalInputs, qpInputs, toNobody } from './arrival.ts';
import type { CongestionContext } from './context.ts';
import type { CongestionInputs } from './variables.ts';

const sequenceError = nakCodeByName('psn-sequence-error');

/** The QPs of a device for congestion control: what was seen shows whether one is still as software set it. */
export class CongestionQps {
  readonly #context: CongestionContext;
  readonly #objects: Objects;
  /** something happened that may have taken the QP out of the state that software put it into */
  readonly #doubtful = new WeakSet<Qp>();
  /** it has an alternate path, to which it may have gone */
  readonly #movable = new WeakSet<Qp>();
  linkUp = true;

  constructor(context: CongestionContext, objects: Objects) {
    this.#context = context;
    this.#objects = objects;
  }

  byNumber(number: number): Qp | undefined {
    const qp = this.#objects.byNumber(number);
    return qp === undefined || serviceOf(qp) === undefined ? undefined : qp;
  }

  modified(qp: Qp, attr: QpAttr): void {
    if (attr.alt_ah_attr !== undefined) this.#movable.add(qp);
    if (qp.state !== 'RESET') return;
    this.#doubtful.delete(qp);
    this.#movable.delete(qp);
  }

  completion({ status, qp_num: number }: Wc): void {
    if (status !== 'IBV_WC_SUCCESS') this.#doubt(this.byNumber(number));
  }

  event({ event_type: type, qp_num: number }: AsyncEvent): void {
    if (type === 'IBV_EVENT_COMM_EST' || type === 'IBV_EVENT_SQ_DRAINED' || type.startsWith('IBV_EVENT_PORT'))
      return;
    if (number !== undefined) return this.#doubt(this.byNumber(number));
    if (type.endsWith('_ERR') || type.endsWith('FATAL'))
      for (const qp of this.#objects.qps()) this.#doubt(qp);
  }

  /** A response that may have failed the QP it came from or went to. */
  response(packet: Packet, qp: Qp | undefined): void {
    if (qp === undefined || packet.aethWord < 0) return;
    const { kind, value } = decodeSyndrome(syndromeOf(packet.aethWord));
    if (kind === 'reserved' || (kind === 'nak' && value !== sequenceError)) this.#doubt(qp);
  }

  #doubt(qp: Qp | undefined): void {
    if (qp !== undefined) this.#doubtful.add(qp);
  }

  /** The QP that a packet of the device comes from. */
  senderOf(packet: Packet): Qp | undefined {
    const source = packet.deth?.srcQp;
    if (source !== undefined) return this.byNumber(source);
    let found: Qp | undefined;
    for (const qp of this.#objects.qps()) {
      if (qp.kind === 'UD' || qp.kind === 'other' || qp.peerQpNumber !== packet.destQp) continue;
      if (!this.#movable.has(qp) && qp.peerAddress !== undefined && qp.peerAddress !== packet.dstIp) continue;
      if (found !== undefined) return undefined;
      found = qp;
    }
    return found;
  }

  /** Whether the QP takes packets, as far as is known. */
  receives(qp: Qp): boolean {
    return this.#is('receives', qp);
  }

  /** Whether the QP sends and its rate is looked after, as far as is known. */
  sends(qp: Qp): boolean {
    return this.#is('sends', qp);
  }

  #is(what: 'receives' | 'sends', qp: Qp): boolean {
    const { machine, none } = this.#context;
    const arrival = { ...toNobody, certain: this.#certain(qp) };
    return machine.flag(what)({ qp: qpInputs(qp), arrival }, none);
  }

  #certain(qp: Qp): boolean {
    return this.linkUp && !this.#doubtful.has(qp);
  }

  /** A packet that reached the device, as the notification point or the reaction point sees it, and the QP that it is for. */
  arrived(
    packet: Packet,
    at: CongestionInputs['arrival']['at'],
    entire = true,
  ): { qp: Qp | undefined; inputs: ReturnType<typeof arrivalInputs> } {
    const qp = this.byNumber(packet.destQp);
    const certain = qp !== undefined && this.#certain(qp) && qp.mayHave(packet.dstIp);
    const movable = qp !== undefined && this.#movable.has(qp);
    return { qp, inputs: arrivalInputs(packet, qp, { certain, movable, at, entire }) };
  }
}
