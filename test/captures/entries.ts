import type { CongestionProfile } from '../../spec/congestion.ts';
import type { Complete, How } from './checked.ts';
import type { Talk } from './talk.ts';

/** A capture in which a NIC does something that no conformant one does. */
export interface Fault {
  /** what it does */
  says: string;
  /** the rule that has to be called broken, or each of several of which one has to be */
  rules: readonly [string, ...string[]];
  talk: Talk;
  /** it is certain only of a capture that has lost nothing, and that is said */
  complete?: Complete;
  /** it is certain only where the parameters of congestion control are known: `--profile` */
  profile?: NonNullable<How['profile']>;
}

/** A capture in which every NIC may be conformant. */
export interface Clean {
  says: string;
  talk: Talk;
  /** words of the reason for which nothing can be decided; without it the result is clean */
  inconclusive?: RegExp;
  /** `--complete` holds of it, and it is clean with that as well */
  complete?: Complete;
  /** it is judged by these parameters of congestion control */
  profile?: NonNullable<How['profile']>;
  snaplen?: number;
}

/** A fault that a capture shows and that is not called one. */
export interface Unfound {
  says: string;
  why: string;
  talk: Talk;
  complete?: Complete;
  /** words of the reason for which nothing can be decided, if there is any */
  inconclusive?: RegExp;
}

/** A capture taken at the ports of both ends. */
export const everywhere: Complete = { addresses: [] };
/** Taken at the port of the requester, whose ACK timeout is `timeout`; 14: 67 ms. */
export const atA = (timeout?: number): Complete => ({
  addresses: ['10.0.0.1'],
  ...(timeout !== undefined && { timeout }),
});
/** Taken at the port of the responder. */
export const atB: Complete = { addresses: ['10.0.0.2'] };

/** Congestion control of NICs at 20 Mb/s, by which little traffic shows much. */
export const slow: CongestionProfile = {
  lineRate: 20e6,
  cnp: { interval: 200_000, scope: 'qp' },
  dcqcn: {
    g: 1 / 16,
    initialAlpha: 1,
    alphaSlot: 55_000,
    decreaseSlot: 50_000,
    minDecreaseFactor: 0.5,
    minRate: 1e6,
    timer: 1_500_000,
    bytes: 10e6,
    threshold: 5,
    activeIncrease: 100e3,
    hyperIncrease: 1e6,
    clampTarget: true,
  },
};
