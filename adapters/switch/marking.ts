import type { SwitchPlan } from '../../spec/congestion.ts';
import { seeded } from '../seeded.ts';
import { congested, ect1, notEct } from './ecn-bits.ts';
import type { SwitchFault } from './faults.ts';

/** Share of packets that are marked, by the bytes in the queue when they come. */
export function markingProbability(queued: number, { low, high, most }: SwitchPlan['marking']): number {
  if (queued <= low) return 0;
  if (queued > high) return 1;
  return (most * (queued - low)) / (high - low);
}

/** Decides which packets are marked; the same plan and the same packets give the same marks. */
export class Marker {
  readonly #curve: SwitchPlan['marking'];
  readonly #fault: SwitchFault | undefined;
  readonly #draw: () => number;

  constructor(curve: SwitchPlan['marking'], fault?: SwitchFault) {
    this.#curve = curve;
    this.#fault = fault;
    this.#draw = seeded(curve.seed);
  }

  /** ECN bits of a packet behind the queue, by those before it. */
  mark(ecn: number, queued: number): number {
    const fault = this.#fault;
    // Drawn for each packet, so that what is marked does not hang on what else passes.
    const drawn = this.#draw();
    if (ecn === congested) return fault === 'switch-clears-ce' ? 2 : ecn;
    if (ecn === notEct && fault !== 'switch-marks-not-ect') return ecn;
    if (ecn === ect1 && fault === 'switch-marks-ect0-only') return ecn;
    if (drawn >= this.#probability(queued)) return ecn;
    return fault === 'switch-sets-ect1' ? ect1 : congested;
  }

  #probability(queued: number): number {
    const { low, high, most } = this.#curve;
    const between = queued > low && queued <= high;
    const fault = this.#fault;
    if (fault === 'switch-never-marks' || (fault === 'switch-marks-none-between' && between)) return 0;
    if (fault === 'switch-marks-below-low') return queued > low / 2 ? 1 : 0;
    if (fault === 'switch-marks-all-between' && between) return 1;
    if (fault === 'switch-marks-flat' && between) return most / 2;
    const chance = markingProbability(queued, this.#curve);
    return fault === 'switch-marks-convex' && between ? chance ** 2 / most : chance;
  }
}
