import type { CongestionContext } from '../context.ts';
import type { Rule } from '../../rules.ts';
import type { Spot } from '../../spot.ts';
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
  readonly #all: ReadonlyMap<Qp, Limiter>;
  /** a CNP or a report has named the QP */
  named = false;
  /** CNPs that the reaction point has not said that it noted, oldest first */
  unnoted: ArrivedCnp[] = [];
  /** what the byte counter counted that has not left yet: it has if so many bytes were in the port already */
  counted: { rule: Rule; spot: Spot; bytes: number; observed: string } | undefined;
  /** index of what the next packet waits behind: the packet before it, or its work request */
  packetBehind = 0;
  /** index of the CNP that `oldestUncut` is the time of */
  uncutEvent = 0;

  /** `all`: those of all QPs of the device. */
  constructor(qp: Qp, context: CongestionContext, all: ReadonlyMap<Qp, Limiter>) {
    this.qp = qp;
    this.#all = all;
    this.registers = context.registers();
  }

  /** A CNP or a report has named another QP. */
  get othersNamed(): boolean {
    for (const other of this.#all.values()) if (other !== this && other.named) return true;
    return false;
  }

  /** The CNP of which the reaction point now says that it noted it: one that it had to note, if there is one, else the oldest. */
  take(): ArrivedCnp | undefined {
    const owed = this.unnoted.findIndex((cnp) => cnp.owed);
    return this.unnoted.splice(Math.max(0, owed), 1)[0];
  }

  /** From now on the reaction point need not note a CNP that has come. */
  forgive(): void {
    this.unnoted = this.unnoted.map((cnp) => ({ ...cnp, owed: false }));
  }
}
