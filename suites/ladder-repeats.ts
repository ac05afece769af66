import { inUnits } from '../oracle/time.ts';
import type { TraceEvent } from '../oracle/trace.ts';
import { ackTimeout, decodeSyndrome, rnrNanoseconds } from '../spec/constants.ts';
import type { Cast } from './ladder-cast.ts';

/** Requests that the device sends again, with the time that has passed and the timer that it is held to. */
export class Repeats {
  readonly #sent = new Map<string, { t: number; family: string | undefined }>();
  readonly #refused = new Map<number, { t: number; code: number }>();

  /** What there is to say of a packet that was sent before, e.g. "again after 66.100 ms (T 67.109 ms)". */
  take(event: TraceEvent, cast: Cast): string | undefined {
    if (event.kind === 'call') this.#called(event, cast);
    if (event.kind !== 'packet') return undefined;
    const { packet, t, direction } = event;
    const { aeth } = packet;
    if (direction === 'to-dut' && aeth !== undefined) {
      const { kind, value } = decodeSyndrome(aeth.syndrome);
      if (kind === 'rnr-nak') this.#refused.set(packet.psn, { t, code: value });
      return undefined;
    }
    if (direction !== 'from-dut' || packet.info?.kind !== 'request' || packet.info.service !== 'RC')
      return undefined;
    const key = `${packet.destQp} ${packet.psn}`;
    const last = this.#sent.get(key);
    const { family } = packet.info;
    this.#sent.set(key, { t, family });
    // where a defect has moved the PSNs, another request has that of one that was sent
    if (last === undefined || last.family !== family) return undefined;
    const before = last.t;
    const refused = this.#refused.get(packet.psn);
    if (refused !== undefined && refused.t > before) {
      const wait = inUnits(rnrNanoseconds(refused.code));
      return `again ${inUnits(t - refused.t)} after the RNR NAK (wait ${wait})`;
    }
    const code = cast.connectedTo(packet.destQp)?.attr.timeout ?? ackTimeout.off;
    const timer =
      code === ackTimeout.off ? 'no timer' : `T ${inUnits(ackTimeout.baseNanoseconds * 2 ** code)}`;
    return `again after ${inUnits(t - before)} (${timer})`;
  }

  /** Behind RESET a PSN that was used before is that of another packet. */
  #called(event: Extract<TraceEvent, { kind: 'call' }>, cast: Cast): void {
    if (event.call !== 'modify_qp' || event.attr.qp_state !== 'IBV_QPS_RESET') return;
    const peer = cast.peerOf(event.qp);
    for (const key of this.#sent.keys()) if (key.startsWith(`${peer} `)) this.#sent.delete(key);
    this.#refused.clear();
  }
}
