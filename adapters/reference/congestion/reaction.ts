import type { RateCause, RateRecord } from '../../../spec/congestion.ts';
import { encodeSyndrome, opcodeByName } from '../../../spec/constants.ts';
import { psnAdd, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { RateLimiter } from './rate-limiter.ts';
import type { CongestionSettings } from './settings.ts';

const acknowledge = opcodeByName('RC_ACKNOWLEDGE');
const ack = encodeSyndrome('ack', 31);

/** Reaction point of a device: limits the rate of QPs that CNPs name. */
export class ReactionPoint {
  listener: ((record: RateRecord, time: number) => void) | undefined;
  readonly #core: Core;
  readonly #settings: CongestionSettings;
  /** QPs that have been limited before */
  readonly #limited = new WeakSet<QueuePair>();

  constructor(core: Core, settings: CongestionSettings) {
    this.#core = core;
    this.#settings = settings;
  }

  /** A CNP with sound headers came. `named`: the QP that it names; `any`: one of the device's. */
  arrived(packet: Packet, named: QueuePair | undefined, any: QueuePair | undefined): void {
    const { fault } = this.#core;
    if (!packet.icrcOk && fault !== 'cnp-damaged-heeded') return;
    const qp = named ?? (fault === 'cnp-for-nobody-heeded' ? any : undefined);
    if (qp === undefined || fault === 'cnp-unheeded') return;
    if (fault === 'cnp-unheeded-for-datagrams' && qp.service === 'UD') return;
    if (fault === 'cnp-known-by-ecn' && packet.ecn !== 1) return;
    this.notified(qp);
    if (fault !== undefined) this.#mistake(qp);
  }

  /** Another packet came for the QP: only mutants take it for a CNP. */
  passed(qp: QueuePair, packet: Packet): void {
    if (this.#core.fault === 'ect1-taken-for-cnp' && packet.ecn === 1) this.notified(qp);
  }

  /** What mutants do to the connection that a CNP names. */
  #mistake(qp: QueuePair): void {
    const { fault } = this.#core;
    const { responder } = qp;
    if (fault === 'cnp-acknowledged')
      this.#core.transmit(qp, {
        opcode: acknowledge,
        psn: psnAdd(responder.epsn, -1),
        aeth: { syndrome: ack, msn: responder.msn },
      });
    if (fault === 'cnp-takes-psn') responder.epsn = psnAdd(responder.epsn, 1);
    if (fault === 'cnp-completes') {
      const wqe = qp.receiveQueue.wqes.shift();
      if (wqe === undefined) return;
      this.#core.complete(qp.recvCq, {
        wr_id: wqe.wr_id,
        status: 'IBV_WC_SUCCESS',
        opcode: 'IBV_WC_RECV',
        byte_len: 0,
        qp_num: qp.num,
      });
    }
  }

  /** A CNP named the QP. */
  notified(qp: QueuePair): void {
    const { dcqcn } = this.#settings;
    const { clock, fault } = this.#core;
    if (dcqcn === undefined) return;
    if (qp.limiter === undefined) {
      const limiter = new RateLimiter({
        clock,
        settings: { ...this.#settings, dcqcn },
        fault,
        again: this.#limited.has(qp),
        record: (cause) => {
          this.#record(qp, limiter, cause);
        },
        released: () => {
          if (qp.limiter === limiter) qp.limiter = undefined;
        },
      });
      qp.limiter = limiter;
      this.#limited.add(qp);
    }
    qp.limiter.notified();
  }

  #record({ num }: QueuePair, { rate, target, alpha }: RateLimiter, cause: RateCause): void {
    if (this.#core.fault === 'rate-reports-missing' && cause === 'cut') return;
    this.listener?.({ qp_num: num, cause, rate, target, alpha }, this.#core.clock.now());
  }
}

/** The QP sends nothing any more: what was known of its rate is forgotten. */
export function forgetRate(qp: QueuePair): void {
  qp.limiter?.stop();
  qp.limiter = undefined;
}
