import type { TraceEvent } from '../oracle/trace.ts';
import { greatestPathMtu } from '../spec/constants.ts';
import { psnAdd, psnDiff, type Packet } from '../wire/index.ts';
import type { Cast } from './ladder-cast.ts';

/** The newest PSN that each QP of the device has used, to tell responses to what was never sent. */
export class SentPsns {
  /** by the peer's QP number, which requests carry */
  readonly #newest = new Map<number, number>();

  /** "PSN never sent" of a response whose PSN lies beyond all requests of its QP; nothing of other events. */
  take(event: TraceEvent, cast: Cast): string | undefined {
    if (event.kind === 'call') this.#called(event, cast);
    if (event.kind !== 'packet' || event.packet.info?.service !== 'RC') return undefined;
    const { packet, direction } = event;
    const { kind } = event.packet.info;
    if (direction === 'from-dut') {
      if (kind === 'request') this.#sent(packet, cast);
      return undefined;
    }
    const peer = kind === 'response' ? cast.peerOfNumber(packet.destQp) : undefined;
    const newest = peer === undefined ? undefined : this.#newest.get(peer);
    return newest !== undefined && psnDiff(packet.psn, newest) > 0 ? 'PSN never sent' : undefined;
  }

  #sent(packet: Packet, cast: Cast): void {
    const { destQp, psn, info, reth } = packet;
    const mtu = cast.connectedTo(destQp)?.attr.path_mtu ?? greatestPathMtu;
    // a READ has the PSNs of its responses
    const responses = info?.family === 'read' ? Math.ceil((reth?.dmaLen ?? 0) / mtu) : 1;
    const last = psnAdd(psn, Math.max(1, responses) - 1);
    const newest = this.#newest.get(destQp);
    if (newest === undefined || psnDiff(last, newest) > 0) this.#newest.set(destQp, last);
  }

  /** Behind RESET the PSNs begin anew. */
  #called(event: Extract<TraceEvent, { kind: 'call' }>, cast: Cast): void {
    if (event.call !== 'modify_qp' || event.attr.qp_state !== 'IBV_QPS_RESET') return;
    const peer = cast.peerOf(event.qp);
    if (peer !== undefined) this.#newest.delete(peer);
  }
}
