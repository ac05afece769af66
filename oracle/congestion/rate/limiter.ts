import type { CongestionContext } from '../context.ts';
import type { Qp } from '../../device/qp.ts';
import type { CongestionVariables } from '../variables.ts';

/** A CNP that reached the device. */
export interface ArrivedCnp {
  t: number;
  event: number;
  /** the reaction point must take note of it */
  owed: boolean;
}

/** The reaction point's registers for one QP, and which events of the trace they come from. */
export class Limiter {
  readonly qp: Qp;
  readonly registers: CongestionVariables;
  /** a CNP or a report has named the QP */
  named = false;
  /** CNPs that the reaction point has not said that it noted, oldest first */
  unnoted: ArrivedCnp[] = [];
  /** index of the CNP that `oldestUncut` is the time of */
  uncutEvent = 0;

  constructor(qp: Qp, context: CongestionContext) {
    this.qp = qp;
    this.registers = context.registers();
  }
}
