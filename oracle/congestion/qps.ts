import type { AsyncEvent, QpAttr, Wc } from '../../spec/verbs.ts';
import { decodeSyndrome } from '../../spec/constants.ts';
import type { Packet } from '../../wire/packet.ts';
import type { VerbsCall } from '../trace.ts';
import { addressOf } from '../device/address.ts';

/** What congestion control has to know of a QP. */
export interface CongestionQp {
  readonly name: string;
  readonly number: number;
  readonly service: 'RC' | 'ORC' | 'UC' | 'UD';
  /** as software set it last, without IBV_QPS_ */
  state: string;
  /** something happened that may have taken the QP out of that state */
  doubtful: boolean;
  peerNumber: number | undefined;
  peerAddress: string | undefined;
  /** it has an alternate path, to which it may have gone */
  alternate: boolean;
  qkey: number | undefined;
  mtu: number;
}

/** The QPs of a device, as calls and what was seen since tell of them. */
export class CongestionQps {
  readonly #byHandle = new Map<number, CongestionQp>();
  readonly #byNumber = new Map<number, CongestionQp>();
  linkUp = true;

  all(): IterableIterator<CongestionQp> {
    return this.#byHandle.values();
  }

  byNumber(number: number): CongestionQp | undefined {
    return this.#byNumber.get(number);
  }

  byHandle(handle: number): CongestionQp | undefined {
    return this.#byHandle.get(handle);
  }

  /** Gives the QP that the call makes, changes or destroys. */
  call(call: VerbsCall): CongestionQp | undefined {
    if (call.call === 'create_qp') return this.#create(call);
    if (call.call !== 'modify_qp' && call.call !== 'destroy_qp') return undefined;
    const qp = this.#byHandle.get(call.qp);
    if (qp === undefined) return undefined;
    if (call.call === 'modify_qp') return modified(qp, call.attr);
    this.#byHandle.delete(call.qp);
    this.#byNumber.delete(qp.number);
    return qp;
  }

  #create(call: Extract<VerbsCall, { call: 'create_qp' }>): CongestionQp | undefined {
    const { qp, qp_num: number, ooo } = call;
    const type = call.qp_type.slice('IBV_QPT_'.length);
    const service = type === 'RC' && ooo === true ? 'ORC' : type;
    if (service !== 'RC' && service !== 'ORC' && service !== 'UC' && service !== 'UD') return undefined;
    const made: CongestionQp = {
      name: `qp 0x${number.toString(16).padStart(6, '0')}`,
      number,
      service,
      state: 'RESET',
      doubtful: false,
      peerNumber: undefined,
      peerAddress: undefined,
      alternate: false,
      qkey: undefined,
      mtu: 4096,
    };
    this.#byHandle.set(qp, made);
    this.#byNumber.set(number, made);
    return made;
  }

  completion({ status, qp_num: number }: Wc): void {
    if (status !== 'IBV_WC_SUCCESS') this.#doubt(this.#byNumber.get(number));
  }

  event({ event_type: type, qp_num: number }: AsyncEvent): void {
    if (type === 'IBV_EVENT_COMM_EST' || type === 'IBV_EVENT_SQ_DRAINED' || type.startsWith('IBV_EVENT_PORT'))
      return;
    if (number !== undefined) return this.#doubt(this.#byNumber.get(number));
    if (type.endsWith('_ERR') || type.endsWith('FATAL')) for (const qp of this.all()) this.#doubt(qp);
  }

  /** A response that may have failed the QP it came from or went to. */
  response(packet: Packet, qp: CongestionQp | undefined): void {
    if (qp === undefined || packet.aethWord < 0) return;
    const { kind, value } = decodeSyndrome(Math.floor(packet.aethWord / 0x1000000));
    if (kind === 'reserved' || (kind === 'nak' && value !== 0)) this.#doubt(qp);
  }

  #doubt(qp: CongestionQp | undefined): void {
    if (qp !== undefined) qp.doubtful = true;
  }

  /** The QP that a packet of the device comes from. */
  senderOf(packet: Packet): CongestionQp | undefined {
    const source = packet.deth?.srcQp;
    if (source !== undefined) return this.#byNumber.get(source);
    let found: CongestionQp | undefined;
    for (const qp of this.all()) {
      if (qp.service === 'UD' || qp.peerNumber !== packet.destQp) continue;
      if (!qp.alternate && qp.peerAddress !== undefined && qp.peerAddress !== packet.dstIp) continue;
      if (found !== undefined) return undefined;
      found = qp;
    }
    return found;
  }

  /** Whether the QP takes packets, as far as is known. */
  receives({ state, doubtful }: CongestionQp): boolean {
    return this.linkUp && !doubtful && (state === 'RTR' || state === 'RTS' || state === 'SQD');
  }

  /** Whether the QP sends and its rate is looked after, as far as is known. */
  sends({ state, doubtful }: CongestionQp): boolean {
    return this.linkUp && !doubtful && state === 'RTS';
  }

  /** Validity of a packet that reached the device, and the QP it is for. */
  standing(packet: Packet): { soundness: 'sound' | 'broken' | 'doubtful'; qp: CongestionQp | undefined } {
    const qp = this.#byNumber.get(packet.destQp);
    if (qp === undefined || !packet.icrcOk) return { soundness: 'broken', qp };
    const { info, tver, pkey, srcIp } = packet;
    const cnp = info?.kind === 'cnp';
    const odd =
      info === undefined ||
      tver !== 0 ||
      ((pkey ^ 0xffff) & 0x7fff) !== 0 ||
      (!cnp && info.service !== qp.service) ||
      (!cnp && (info.payload ? packet.payloadLength > qp.mtu : packet.payloadLength > 0)) ||
      (cnp && packet.payloadLength !== 16) ||
      qp.alternate ||
      (qp.service !== 'UD' && qp.peerAddress !== srcIp) ||
      (!cnp && qp.service === 'UD' && (packet.deth?.qkey ?? 0) >>> 0 !== qp.qkey) ||
      !this.receives(qp);
    return { soundness: odd ? 'doubtful' : 'sound', qp };
  }
}

function modified(qp: CongestionQp, attr: QpAttr): CongestionQp {
  const { qp_state, dest_qp_num, ah_attr, alt_ah_attr, path_mtu, qkey } = attr;
  if (dest_qp_num !== undefined) qp.peerNumber = dest_qp_num;
  if (ah_attr !== undefined) qp.peerAddress = addressOf(ah_attr.dgid);
  if (alt_ah_attr !== undefined) qp.alternate = true;
  if (path_mtu !== undefined) qp.mtu = path_mtu;
  if (qkey !== undefined) qp.qkey = qkey >>> 0;
  if (qp_state !== undefined) qp.state = qp_state.slice('IBV_QPS_'.length);
  if (qp.state === 'RESET') Object.assign(qp, { doubtful: false, alternate: false });
  return qp;
}
