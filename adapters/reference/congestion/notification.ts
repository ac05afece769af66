import { psnDiff, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { cnpFields, destinationOf, sourceQp } from './cnp.ts';
import type { CongestionSettings } from './settings.ts';

const congested = 3;
/** of the mutant that takes its time */
const late = 60_000;

/**
 * Notification point of a device: tells the senders of packets that met congestion, by one CNP in each interval and scope.
 */
export class NotificationPoint {
  readonly #core: Core;
  readonly #settings: CongestionSettings;
  /** when the newest CNP of each scope left */
  readonly #newest = new Map<string, number>();
  /** QP that the first CNP named */
  #firstSource: number | undefined;

  constructor(core: Core, settings: CongestionSettings) {
    this.#core = core;
    this.#settings = settings;
  }

  /** A valid packet for this QP came, whatever it is. */
  arrived(qp: QueuePair, packet: Packet): void {
    if (!this.#marked(packet)) return;
    if (this.#overlooked(qp, packet)) return;
    const { clock, fault } = this.#core;
    const now = clock.now();
    const scope = this.#scopeOf(qp, packet);
    const newest = this.#newest.get(scope);
    if (newest !== undefined && now - newest < this.#interval()) return;
    this.#newest.set(scope, now);
    if (fault === 'ce-raises-event') this.#core.raise({ event_type: 'IBV_EVENT_QP_REQ_ERR', qp_num: qp.num });
    if (fault === 'cnp-repeated') clock.setTimer(this.#interval(), () => this.#notify(qp, packet));
    if (fault === 'cnp-late') clock.setTimer(late, () => this.#notify(qp, packet));
    else this.#notify(qp, packet);
  }

  /** A packet that the device drops came: only mutants answer it. `known`: the QP that it names, if the device has it. */
  dropped(packet: Packet, known: QueuePair | undefined, any: QueuePair | undefined): void {
    const { fault } = this.#core;
    if (fault === 'cnp-for-damaged' && !packet.icrcOk && known !== undefined) this.arrived(known, packet);
    if (fault === 'cnp-for-unknown-qp' && packet.icrcOk && known === undefined && any !== undefined)
      this.arrived(any, packet);
  }

  /** Marked packets that only mutants do not see. */
  #overlooked({ service, responder }: QueuePair, { info, psn }: Packet): boolean {
    const { fault } = this.#core;
    if (service !== 'RC' || info?.kind !== 'request') return false;
    if (fault === 'cnp-not-for-ahead') return psnDiff(psn, responder.epsn) > 0;
    return fault === 'cnp-not-for-duplicates' && psnDiff(psn, responder.epsn) < 0;
  }

  #marked({ ecn, fecn }: Packet): boolean {
    const { fault } = this.#core;
    if (fault === 'ce-unanswered') return false;
    if (fault === 'cnp-for-any-ecn') return ecn !== 0;
    return ecn === congested || (fecn && fault === 'cnp-for-fecn');
  }

  #interval(): number {
    const { fault } = this.#core;
    const { interval } = this.#settings.cnp;
    if (fault === 'cnp-per-packet') return 0;
    if (fault === 'cnp-once') return Infinity;
    return fault === 'cnp-interval-halved' ? interval / 2 : interval;
  }

  #scopeOf(qp: QueuePair, packet: Packet): string {
    const { fault } = this.#core;
    if (fault === 'cnp-paced-by-port') return '';
    if (fault === 'cnp-paced-by-own-qp') return `${qp.num}`;
    switch (this.#settings.cnp.scope) {
      case 'qp':
        return `${qp.num} ${sourceQp(qp, packet)} ${packet.srcIp}`;
      case 'source':
        return packet.srcIp;
      case 'port':
        return '';
    }
  }

  #notify(qp: QueuePair, packet: Packet): void {
    const { fault } = this.#core;
    const to = destinationOf(qp, packet, fault);
    this.#firstSource ??= to.destQp;
    const destQp = fault === 'cnp-names-first-source' && qp.service === 'UD' ? this.#firstSource : to.destQp;
    this.#core.transmit(qp, cnpFields(this.#settings, packet, fault), { ...to, destQp });
  }
}
