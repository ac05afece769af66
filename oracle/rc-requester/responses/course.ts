import type { Rule } from '../../rules.ts';
import type { Requester } from '../requester.ts';
import type { ResponseView } from './view.ts';
import type { Arrival, RequesterState } from '../state.ts';
import type { RequesterTables } from '../tables.ts';

/** One thing that a conformant device may make of a response; `apply` changes the state accordingly. */
export interface Course {
  rules: readonly Rule[];
  /** `nothing`: at any time; `progress`: later just as well as now, as long as the requester goes on */
  effect: 'nothing' | 'progress' | 'other';
  apply: (state: RequesterState) => void;
}

/** A response that a device looks at: what it says, and the rule that decides. */
export interface Taken {
  requester: Requester;
  tables: RequesterTables;
  arrival: Arrival;
  view: ResponseView;
  rule: Rule;
}
