import type { Decider } from './decide.ts';
import type { ReplyDemands } from './responses/demands.ts';
import type { Effects } from './effects.ts';
import type { ResponderMachine } from './machine.ts';
import type { Reports } from './software/reports.ts';

/** The compiled parts that judging a responder needs; shared by all connections. */
export interface ResponderRules {
  machine: ResponderMachine;
  decider: Decider;
  effects: Effects;
  demands: ReplyDemands;
  reports: Reports;
}
