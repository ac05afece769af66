import type { Packet } from '../../wire/packet.ts';
import type { Link } from '../device/objects/link.ts';
import type { Objects } from '../device/objects.ts';
import type { Claim } from '../device/observer.ts';
import { isResponse } from '../device/packet/opcode-shape.ts';
import type { Qp } from '../device/qp.ts';
import type { When } from '../spot.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import { unreliableServiceOf, shapeOf } from './packet-view.ts';
import type { UnreliablePair } from './pair.ts';
import type { UnreliableService } from './qp.ts';
import { tableOf } from './tables.ts';
import type { UnreliableBook } from './tables.ts';
import { UnreliableVariables } from './variables.ts';

/** Which packet is of which UC or UD QP of a device. */
export class UnreliablePackets {
  readonly #header: TraceHeader;
  readonly #book: UnreliableBook;
  readonly #objects: Objects;
  readonly #pairs: ReadonlyMap<Qp, UnreliablePair>;
  readonly #link: Link;

  constructor(
    header: TraceHeader,
    book: UnreliableBook,
    { objects, pairs, link }: { objects: Objects; pairs: ReadonlyMap<Qp, UnreliablePair>; link: Link },
  ) {
    this.#header = header;
    this.#book = book;
    this.#objects = objects;
    this.#pairs = pairs;
    this.#link = link;
  }

  byNumber(number: number | undefined): UnreliablePair | undefined {
    const qp = number === undefined ? undefined : this.#objects.byNumber(number);
    return qp && this.#pairs.get(qp);
  }

  see({ packet, direction, t }: Extract<TraceEvent, { kind: 'packet' }>, event: number): Claim {
    const addresses = this.#header.dut?.addresses;
    const inbound = direction === 'unknown' ? addresses?.includes(packet.dstIp) : direction === 'to-dut';
    return inbound === true ? this.#arrived(packet, event) : this.#sent(packet, { event, t });
  }

  #arrived(packet: Packet, event: number): Claim {
    const pair = this.byNumber(packet.destQp);
    if (pair !== undefined) {
      this.#book.ledger.packets++;
      if (this.#link.up) pair.receiver.packet(packet, event);
      // it never came, or just before the link was down
      else if (!this.#link.surelyDown) pair.receiver.loseSight('the link was down');
      return 'mine';
    }
    if (!this.#link.up) return 'shared';
    const service = unreliableServiceOf(packet);
    if (service === undefined || this.#objects.byNumber(packet.destQp)?.kind === 'RC') return 'shared';
    this.#stray(service, packet, event);
    if (this.#objects.has('RC')) return 'shared';
    this.#book.ledger.packets++;
    return 'mine';
  }

  /** A packet to a QP number that the device does not have. */
  #stray(service: UnreliableService, packet: Packet, event: number): void {
    const nobody = {
      qpNumber: -1,
      kind: service,
      state: 'RTS',
      pmtu: 0,
      mayMigrate: false,
      posted: { length: 0 },
    } as const;
    const inputs = {
      qp: nobody,
      packet,
      deth: {},
      opcode: shapeOf(packet.opcode),
      samePartition: true,
      addressed: true,
    };
    const { rule } = this.#book.only(tableOf(service, 'admission'), {
      inputs,
      variables: new UnreliableVariables(),
    });
    for (const { receiver } of this.#pairs.values()) receiver.stray(packet, rule, event);
  }

  #sent(packet: Packet, when: When): Claim {
    const pair = this.#senderOf(packet);
    if (pair === undefined) return 'shared';
    this.#book.ledger.packets++;
    if (isResponse(packet.opcode)) pair.receiver.answered(packet, when);
    else if (packet.info?.service !== 'CNP') {
      const { memory } = pair.receiver.state;
      const address = (ah: number | undefined): string | undefined =>
        ah === undefined ? undefined : this.#objects.addressOf(ah);
      pair.sender.sent(packet, { address, memory }, when);
    }
    return 'mine';
  }

  /** The QP that the packet comes from. Of the only QP of a device, whatever it looks like. */
  #senderOf(packet: Packet): UnreliablePair | undefined {
    const found = this.byNumber(packet.deth?.srcQp);
    if (found !== undefined) return found;
    if (this.#objects.departedSender(packet) !== undefined) return undefined;
    const [only, second] = [...this.#pairs.values()];
    if (only !== undefined && second === undefined && !this.#objects.has('RC')) return only;
    const service = unreliableServiceOf(packet);
    for (const pair of this.#pairs.values())
      if (pair.qp.peerQpNumber === packet.destQp && pair.qp.kind === service) return pair;
    return undefined;
  }
}
