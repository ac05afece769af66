import type { Packet } from '../../wire/packet.ts';
import { samePartition } from '../device/packet/header.ts';
import type { Qp } from '../device/qp.ts';
import type { OooDevice } from './device.ts';
import { isOutOfOrder, numbersOf } from './packet.ts';
import type { OooEvent } from './registers.ts';
import type { OooInputs } from './variables.ts';

/** What the expressions of the machine may ask of an event of either role. It is worked out when they ask. */
export class QpEvent implements OooEvent {
  readonly qp: Qp;
  readonly device: OooDevice;
  readonly #packet: Packet | undefined;

  constructor(qp: Qp, device: OooDevice, packet: Packet | undefined) {
    this.qp = qp;
    this.device = device;
    this.#packet = packet;
  }

  get packet(): Packet {
    if (this.#packet === undefined) throw new RangeError('the event has no packet');
    return this.#packet;
  }

  get serviceMatches(): boolean {
    return isOutOfOrder(this.packet);
  }

  get addressed(): boolean {
    return this.qp.mayHave(this.packet.dstIp);
  }

  get samePartition(): boolean {
    return samePartition(this.qp, this.packet);
  }

  get number(): OooInputs['number'] {
    return numbersOf(this.packet);
  }

  get profile(): OooInputs['profile'] {
    return this.device.declared;
  }

  get attr(): OooInputs['attr'] {
    return attributesOf(this.qp);
  }
}

/** Attributes of a QP that expressions ask for. */
export function attributesOf(qp: Qp): OooInputs['attr'] {
  return {
    timeout: qp.timeout,
    retry_cnt: qp.retryCnt,
    rnr_retry: qp.rnrRetry,
    max_rd_atomic: qp.maxRdAtomic ?? 0,
    max_dest_rd_atomic: qp.maxDestRdAtomic ?? 0,
    path_mtu: qp.pmtu,
  };
}
