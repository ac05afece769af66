import type { CongestionProfile } from '../../../spec/congestion.ts';

/** What a conformant device may choose of its congestion control. */
export interface CongestionSettings extends CongestionProfile {
  /** ECN bits of the CNPs themselves */
  cnpEcn: 0 | 1 | 2;
  /** DSCP of CNPs, 0..63 */
  cnpDscp: number;
  /** the first CNP of a decrease slot cuts at once, or at the end of its slot */
  cut: 'at-once' | 'slot-end';
  /**
   * increase events of either kind are counted together, stage by stage, and each restarts both spans; or timer and bytes
   * have a count and a span each
   */
  increase: 'one-count' | 'two-counts';
  /** requests and READ responses have one rate together; or each has it alone, and requests alone are counted in bytes */
  directions: 'together' | 'apart';
}

/**
 * The default device. Short slots and spans, so that little traffic shows much; its smallest rate still lets a packet of the
 * largest path MTU leave every 9 microseconds.
 */
export const defaultCongestion: CongestionSettings = {
  lineRate: 100e9,
  cnp: { interval: 50_000, scope: 'qp' },
  dcqcn: {
    g: 1 / 8,
    initialAlpha: 1,
    alphaSlot: 25_000,
    decreaseSlot: 20_000,
    minDecreaseFactor: 0.55,
    minRate: 4e9,
    timer: 60_000,
    bytes: 16_384,
    threshold: 3,
    activeIncrease: 200e6,
    hyperIncrease: 1e9,
    clampTarget: false,
  },
  cnpEcn: 1,
  cnpDscp: 48,
  cut: 'slot-end',
  increase: 'one-count',
  directions: 'together',
};

/** What such a device says of itself. */
export function profileOf({ lineRate, cnp, dcqcn }: CongestionSettings): CongestionProfile {
  return { lineRate, cnp, ...(dcqcn !== undefined && { dcqcn }) };
}
