import type { AhAttr, QpAttr } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import type { Objects } from '../device/objects.ts';
import { addressOf } from '../device/packet/address.ts';
import type { PostedSend } from '../device/queues/posted-send.ts';
import { serviceOf } from '../device/qp.ts';
import type { Qp } from '../device/qp.ts';

/** What software has asked of the packets of one QP. */
interface Asked {
  /** of its connection, the newest last */
  primary: AhAttr[];
  /** alternate paths that it has had, and may have taken */
  readonly alternate: AhAttr[];
  /** datagrams that may not have left yet */
  datagrams: Datagram[];
  /** how many of these have left */
  left: number;
}

/** A datagram that was posted, where its address handle is known. */
interface Datagram {
  readonly path: AhAttr | undefined;
  readonly to: number | undefined;
  readonly length: number;
}

/** Which paths the packets of a device may have taken, as its software has set them. */
export class Routes {
  readonly #objects: Objects;
  readonly #asked = new Map<Qp, Asked>();

  constructor(objects: Objects) {
    this.#objects = objects;
  }

  created(qp: Qp): void {
    this.#asked.set(qp, { primary: [], alternate: [], datagrams: [], left: 0 });
  }

  destroyed(qp: Qp): void {
    this.#asked.delete(qp);
  }

  modified(qp: Qp, { ah_attr: primary, alt_ah_attr: alternate }: QpAttr): void {
    const asked = this.#asked.get(qp);
    if (primary !== undefined) asked?.primary.push(primary);
    if (alternate !== undefined) asked?.alternate.push(alternate);
  }

  posted(qp: Qp, { wr, length }: PostedSend): void {
    if (qp.kind !== 'UD') return;
    const path = wr.ah === undefined ? undefined : this.#objects.pathOf(wr.ah);
    this.#asked.get(qp)?.datagrams.push({ path, to: wr.remote_qpn, length });
  }

  /** Everything is at rest: what was sent over an earlier primary path has been seen. */
  settle(): void {
    for (const asked of this.#asked.values()) {
      asked.primary = asked.primary.slice(-1);
      if (asked.left < asked.datagrams.length) continue;
      asked.datagrams = [];
      asked.left = 0;
    }
  }

  /** The QP that the packet comes from, and paths that it may have taken; `undefined` where that is unknown. */
  of(packet: Packet): { qp: Qp; paths: readonly AhAttr[] } | undefined {
    const { deth, destQp, dstIp, info } = packet;
    const leads = ({ dgid }: AhAttr): boolean => addressOf(dgid) === dstIp;
    if (deth !== undefined) return this.#ofDatagram(packet, deth.srcQp, leads);
    let sender: Qp | undefined;
    const paths: AhAttr[] = [];
    for (const [qp, { primary, alternate }] of this.#asked) {
      if (qp.peerQpNumber !== destQp || serviceOf(qp) !== info?.service) continue;
      sender ??= qp;
      for (const path of primary) if (leads(path)) paths.push(path);
      for (const path of alternate) if (leads(path)) paths.push(path);
    }
    return found(sender, paths);
  }

  #ofDatagram(
    { destQp, payloadLength }: Packet,
    srcQp: number,
    leads: (path: AhAttr) => boolean,
  ): ReturnType<Routes['of']> {
    const qp = this.#objects.byNumber(srcQp);
    const asked = qp && this.#asked.get(qp);
    if (asked === undefined) return undefined;
    asked.left++;
    const fitting = asked.datagrams.filter(({ to, length }) => to === destQp && length === payloadLength);
    return found(
      qp,
      fitting.flatMap(({ path }) => (path !== undefined && leads(path) ? [path] : [])),
    );
  }
}

function found(
  qp: Qp | undefined,
  paths: readonly AhAttr[],
): { qp: Qp; paths: readonly AhAttr[] } | undefined {
  return qp === undefined || paths.length === 0 ? undefined : { qp, paths };
}
