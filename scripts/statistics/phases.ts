import { decodeSyndrome } from '../../spec/constants.ts';
import type { TraceEvent } from '../../oracle/index.ts';
import type { Packet } from '../../wire/packet.ts';

/** What goes on at a QP of the device when a call is made, the first one that holds. */
export const phases = [
  'RNR wait',
  'message in, part',
  'message out, part',
  'READ answer, part',
  'no answer yet',
  'other traffic',
  'at rest',
] as const;
export type Phase = (typeof phases)[number];

type Event<K extends TraceEvent['kind']> = Extract<TraceEvent, { kind: K }>;

interface Followed {
  /** number of the far end, once it is set */
  far?: number;
  phase: Phase;
}

/** Follows the QPs of a device through a trace, as far as the phases of its calls need it. */
export class Phases {
  readonly #qps = new Map<number, Followed>();
  readonly #handles = new Map<number, Followed>();

  see(event: TraceEvent): void {
    if (event.kind === 'packet') this.#packet(event);
    else if (event.kind === 'call') this.#call(event);
    else if (event.kind === 'settled') this.#settled();
  }

  /** Of a call on one QP, by its handle, or on what QPs have in common; undefined for a QP that is not known. */
  of(handle: number | undefined): Phase | undefined {
    const among = handle === undefined ? [...this.#qps.values()] : [this.#handles.get(handle)];
    const found = among.flatMap((qp) => (qp === undefined ? [] : [qp.phase]));
    return phases.find((phase) => found.includes(phase));
  }

  /** What is half done stays so, and so does a wait for a timer. */
  #settled(): void {
    for (const qp of this.#qps.values()) if (qp.phase === 'other traffic') qp.phase = 'at rest';
  }

  #call(event: Event<'call'>): void {
    if (event.call === 'create_qp') {
      const qp: Followed = { phase: 'at rest' };
      this.#qps.set(event.qp_num, qp);
      this.#handles.set(event.qp, qp);
    } else if (event.call === 'modify_qp') {
      const qp = this.#handles.get(event.qp);
      if (qp !== undefined && event.attr.dest_qp_num !== undefined) qp.far = event.attr.dest_qp_num;
      if (qp !== undefined && event.attr.qp_state === 'IBV_QPS_RESET') qp.phase = 'at rest';
    }
  }

  #packet({ direction, packet }: Event<'packet'>): void {
    const into = direction === 'to-dut';
    const qp = into
      ? this.#qps.get(packet.destQp)
      : [...this.#qps.values()].findLast(({ far }) => far === packet.destQp);
    if (qp !== undefined) qp.phase = phaseAfter(packet, into);
  }
}

/** The phase of a QP after a packet that was the last to reach it, or to leave it. */
function phaseAfter({ info, aeth }: Packet, into: boolean): Phase {
  const part = /_(FIRST|MIDDLE)$/.test(info?.operation ?? '');
  if (info?.kind === 'request') {
    if (part) return into ? 'message in, part' : 'message out, part';
    return into ? 'other traffic' : 'no answer yet';
  }
  if (part) return 'READ answer, part';
  const refused = into && aeth !== undefined && decodeSyndrome(aeth.syndrome).kind === 'rnr-nak';
  return refused ? 'RNR wait' : 'other traffic';
}
