/**
 * What a device says of its congestion control: rates in bits per second, times in nanoseconds of the clock. Vendors' choices,
 * which rules take as data.
 */
export interface CongestionProfile {
  /** rate of the port, which no flow exceeds */
  lineRate: number;
  /** notification point: at least `interval` between two CNPs of one `scope` */
  cnp: { interval: number; scope: CnpScope };
  /** reaction point; absent: none, or one that is not DC-QCN */
  dcqcn?: DcqcnParameters;
  /** steps in which the reaction point keeps rates, bits per second, and alpha, where they are coarser than numbers are */
  resolution?: { rate: number; alpha: number };
}

/** What one CNP pacer serves: a QP, all QPs that one address sends to, or the whole port. */
export type CnpScope = 'qp' | 'source' | 'port';

/** Parameters of DC-QCN. Profiles with names: `spec/constants/dcqcn.yaml`. */
export interface DcqcnParameters {
  /** weight of the newest slot in alpha, in (0, 1): alpha' = (1 - g) * alpha + g * CNP_arrived */
  g: number;
  /** alpha before the first CNP, in [0, 1] */
  initialAlpha: number;
  alphaSlot: number;
  decreaseSlot: number;
  /** smallest share of its rate that one cut leaves, in [0.5, 1) */
  minDecreaseFactor: number;
  minRate: number;
  /** an increase event each `timer` nanoseconds and each `bytes` bytes without a cut */
  timer: number;
  bytes: number;
  /** increase events of a stage after which the next stage begins */
  threshold: number;
  /** bits per second by which the target rises with each event of the stage */
  activeIncrease: number;
  hyperIncrease: number;
  /** each cut sets the target to the rate in force; otherwise only the first after an increase does */
  clampTarget: boolean;
  /** the first CNP sets rate and target to this, in place of a cut; absent: it cuts like any other */
  firstRate?: number;
}

/** What the reaction point says of one QP after something befell it. */
export interface RateRecord {
  qp_num: number;
  cause: RateCause;
  /** rate now in force and target of fast recovery, bits per second */
  rate: number;
  target: number;
  /** in [0, 1] */
  alpha: number;
}

/**
 * `cnp`: a CNP named the QP; `cut`: a decrease slot that held a CNP (or its first CNP) took effect; `alpha-slot`: a slot of
 * alpha ended; `timer`, `bytes`: an increase event.
 */
export type RateCause = 'cnp' | 'cut' | 'alpha-slot' | 'timer' | 'bytes';

/** A switch on the path of a scenario; sizes in bytes, rates in bits per second. */
export interface SwitchPlan {
  /** rate of the output towards the responder, which is where packets queue */
  rate: number;
  /** bytes that the queue holds */
  buffer: number;
  /** marking curve: never below `low`, always above `high`, in between with a probability that rises linearly to `most` */
  marking: { low: number; high: number; most: number; seed: number };
  /** pauses its inputs before the queue is full, so that nothing is dropped; otherwise the tail is dropped */
  lossless: boolean;
  /** other traffic to the same output: constant rate, in packets of `bytes`, from `from` until `until` microseconds */
  cross?: { rate: number; bytes: number; from: number; until: number; ecn: 0 | 1 | 2 }[];
}
