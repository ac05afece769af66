import { ruleWord } from '../rulebook/outcome.ts';
import type { Rule } from '../rules.ts';
import type { Family } from '../device/packet/opcode-shape.ts';
import type { RequesterTables } from '../rc-requester/tables.ts';

/** What a capture can hold a request against; keys of the outcomes of table rc-requester-request. */
export type CapturedDemand = 'mustHeader' | 'mustOpcode' | 'mustPayload' | 'mustTarget' | 'mustSame';

/** Rules of the requester for what a capture shows of it. */
export interface CapturedRequesterRules {
  /** the rule that makes the demand on such a packet; `undefined` where none does */
  demand(key: CapturedDemand, copy: 'first' | 'repeat', kind: Family): Rule | undefined;
  /** the rule for what is sent again while the wait of an RNR NAK runs, or after it */
  rnr(wait: 'running' | 'over'): Rule | undefined;
}

export function capturedRequesterRules(tables: RequesterTables): CapturedRequesterRules {
  const found = new Map<string, Rule | undefined>();
  const kept = (key: string, find: () => Rule | undefined): Rule | undefined => {
    if (!found.has(key)) found.set(key, find());
    return found.get(key);
  };
  return {
    demand: (key, copy, kind) =>
      kind === 'other'
        ? undefined
        : kept(`${key} ${copy} ${kind}`, () =>
            tables.request.by({ copy, requestKind: kind }).find((rule) => ruleWord(rule, key) !== undefined),
          ),
    rnr: (wait) => kept(wait, () => tables.rnrTimer.by({ rnrWait: wait })[0]),
  };
}
