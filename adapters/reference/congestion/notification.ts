import type { Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import { cnpDestination, cnpFields, sourceQp } from './cnp.ts';
import type { CongestionSettings } from './settings.ts';

const congested = 3;

/**
 * Notification point of a device: tells the senders of packets that met congestion, by one CNP in each interval and scope.
 */
export class NotificationPoint {
  readonly #core: Core;
  readonly #settings: CongestionSettings;
  /** when the newest CNP of each scope left */
  readonly #newest = new Map<string, number>();

  constructor(core: Core, settings: CongestionSettings) {
    this.#core = core;
    this.#settings = settings;
  }

  /** A valid packet for this QP came, whatever it is. */
  arrived(qp: QueuePair, packet: Packet): void {
    if (!isMarked(this.#core, qp, packet)) return;
    const now = this.#core.clock.now();
    const { interval, scope } = this.#settings.cnp;
    const paced = scopeOf(this.#core, scope, qp, packet);
    const newest = this.#newest.get(paced);
    if (newest !== undefined && now - newest < cnpInterval(this.#core, interval)) return;
    this.#newest.set(paced, now);
    notify(this.#core, this.#settings, qp, packet);
  }
}

/** Whether a packet met congestion. */
export const isMarked = seam((_core: Core, _qp: QueuePair, { ecn }: Packet): boolean => ecn === congested);

/** Nanoseconds between two CNPs of one scope, at least. */
export const cnpInterval = seam((_core: Core, interval: number): number => interval);

/** What one CNP in each interval is sent for. */
export const scopeOf = seam(
  (_core: Core, scope: CongestionSettings['cnp']['scope'], qp: QueuePair, packet: Packet): string => {
    switch (scope) {
      case 'qp':
        return `${qp.num} ${sourceQp(qp, packet)} ${packet.srcIp}`;
      case 'source':
        return packet.srcIp;
      case 'port':
        return '';
    }
  },
);

export const notify = seam(
  (core: Core, settings: CongestionSettings, qp: QueuePair, packet: Packet): void => {
    core.transmit(qp, cnpFields(core, settings, packet), cnpDestination(core, qp, packet));
  },
);
