import { opcodeByName } from '../../../spec/constants.ts';
import type { Packet } from '../../../wire/index.ts';
import type { Core } from '../core.ts';
import type { Destination } from '../path.ts';
import type { QueuePair } from '../qp.ts';
import type { CongestionSettings } from './settings.ts';

const opcode = opcodeByName('CNP');
const congested = 3;
const datagramService = 3;

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
    if (packet.ecn !== congested) return;
    const now = this.#core.clock.now();
    const scope = this.#scopeOf(qp, packet);
    const newest = this.#newest.get(scope);
    if (newest !== undefined && now - newest < this.#settings.cnp.interval) return;
    this.#newest.set(scope, now);
    this.#notify(qp, packet);
  }

  #scopeOf(qp: QueuePair, packet: Packet): string {
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
    const { cnpDscp, cnpEcn } = this.#settings;
    const to: Destination = {
      remote: {
        ip: packet.srcIp,
        version: packet.ipVersion,
        trafficClass: 0,
        hopLimit: 64,
        flowLabel: 0,
      },
      destQp: sourceQp(qp, packet),
      srcPort: qp.srcPort,
    };
    this.#core.transmit(
      qp,
      { opcode, psn: 0, migReq: false, pkey: packet.pkey, trafficClass: (cnpDscp << 2) | cnpEcn },
      to,
    );
  }
}

/** The QP whose packet it is: of a datagram the packet says so, else the QP is connected to it. */
function sourceQp(qp: QueuePair, packet: Packet): number {
  const named = packet.opcode >> 5 === datagramService ? packet.deth?.srcQp : undefined;
  return named ?? qp.destQp;
}
