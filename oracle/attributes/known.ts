import type { QpAttr } from '../../spec/verbs.ts';
import type { QpStateName } from '../device/qp-state.ts';
import { comparedKeys, type Compared } from './query.ts';
import { valueFacts, type QpLimits } from './values.ts';

/** A value that software set. */
export interface Given {
  value: number;
  /** value of the fact `given` */
  as: 'inside' | 'beyond' | 'below-minimum';
}

/** What is known of one QP besides what software set. */
export interface Known {
  /** as software asked for it, or a query told */
  state: QpStateName;
  /** packets and posts seen when the state was known for sure */
  knownAt: number;
  drained: boolean;
  /** no send WR was posted since it left RESET, so that there is nothing to drain */
  idle: boolean;
  /** in this life */
  given: Map<Compared, Given>;
  /** timeout of its alternate path, which is the QP's own once it has migrated */
  alternate: number | undefined;
}

export function unused(knownAt: number): Known {
  return { state: 'RESET', knownAt, drained: true, idle: true, given: new Map(), alternate: undefined };
}

/** Takes over what ibv_modify_qp has set. */
export function take(known: Known, attr: QpAttr, limits: QpLimits): void {
  if (attr.alt_ah_attr !== undefined) known.alternate = attr.alt_timeout ?? 0;
  const facts = valueFacts(attr, limits);
  const beyond: Readonly<Record<Compared, boolean>> = {
    timeout: facts['timeoutValue'] === 'beyond',
    retry_cnt: facts['retryCntValue'] === 'beyond',
    rnr_retry: facts['rnrRetryValue'] === 'beyond',
    min_rnr_timer: facts['minRnrTimerValue'] === 'beyond',
    max_rd_atomic: facts['maxRdAtomicValue'] === 'beyond',
    max_dest_rd_atomic: facts['maxDestRdAtomicValue'] === 'beyond',
    path_mtu: false,
    dest_qp_num: facts['otherValue'] === 'beyond',
  };
  for (const key of comparedKeys) {
    const value = attr[key];
    if (value === undefined) continue;
    const raised = key === 'timeout' && value > 0 && value < limits.minTimeout;
    known.given.set(key, { value, as: beyond[key] ? 'beyond' : raised ? 'below-minimum' : 'inside' });
  }
}
