import type { Decider } from '../model/decide.ts';
import type { ReplyDemands } from '../model/responder-demands.ts';
import type { Effects } from '../model/responder-effects.ts';
import type { Reports } from '../model/responder-reports.ts';

/** The compiled parts that judging a responder needs; shared by all connections. */
export interface ResponderRules {
  decider: Decider;
  effects: Effects;
  demands: ReplyDemands;
  reports: Reports;
}
