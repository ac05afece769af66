import type { Packet } from '../../wire/packet.ts';
import type { When } from '../spot.ts';
import type { TraceEvent, TraceHeader, Violation } from '../trace.ts';
import { CapturedCnps } from './captured-cnps.ts';
import { CapturedPace } from './captured-pace.ts';
import { CapturedReaction } from './captured-reaction.ts';
import { judgeCaptured } from './cnp-format.ts';
import type { CongestionContext } from './context.ts';

export function isCnp({ info }: Packet): boolean {
  return info?.kind === 'cnp';
}

/**
 * Judges the CNPs of a capture: their format, their pace where a profile tells one, and where nothing was lost their causes, and what
 * their addressees make of them.
 */
export class CapturedCongestion {
  readonly #context: CongestionContext;
  readonly #cnps: CapturedCnps | undefined;
  readonly #pace: CapturedPace | undefined;
  readonly #reaction: CapturedReaction | undefined;

  /** `suspect`: something is wrong if the capture shows no frame twice. */
  constructor(
    context: CongestionContext,
    { complete, dut, congestion }: TraceHeader,
    suspect: (violation: Violation) => void,
  ) {
    this.#context = context;
    if (complete !== undefined) this.#cnps = new CapturedCnps(context, complete.addresses);
    if (dut !== undefined || congestion === undefined) return;
    this.#pace = new CapturedPace(context, congestion, suspect);
    const { dcqcn } = congestion;
    // a first rate may be set again by any CNP that finds the line rate, and may be higher than what a cut leaves
    if (complete !== undefined && dcqcn !== undefined && dcqcn.firstRate === undefined)
      this.#reaction = new CapturedReaction(context, complete.addresses, suspect);
  }

  /** What a capture that lost nothing shows of causes. */
  see(event: TraceEvent, index: number): void {
    if (event.kind === 'gap') {
      this.#cnps?.forget();
      this.#reaction?.forget();
    }
    if (event.kind !== 'packet') return;
    const when = { event: index, t: event.t };
    if (isCnp(event.packet)) {
      this.#cnps?.cnp(event.packet, when);
      this.#reaction?.cnp(event.packet, when);
      return;
    }
    this.#cnps?.packet(event.packet, when);
    this.#reaction?.packet(event.packet, when);
  }

  /** A CNP, of whatever device. */
  cnp(packet: Packet, when: When): void {
    judgeCaptured(this.#context, packet, when);
    this.#pace?.cnp(packet, when);
  }
}
