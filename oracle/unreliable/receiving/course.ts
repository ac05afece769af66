import type { Rule } from '../../rules.ts';
import type { ReceiveState } from './state.ts';

/** One way that the rules allow a packet to go. */
export interface Course {
  /** the state that it leads to */
  after: ReceiveState;
  rules: readonly Rule[];
  /** by which the packet was discarded; `undefined`: it was carried out */
  discardedBy: Rule | undefined;
  /** the rule that says what software is to see of it, where it is not the same */
  reportedBy?: Rule;
  /** it was discarded for lack of a receive WQE */
  starved: boolean;
}
