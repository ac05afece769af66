import { ruleWord } from '../rulebook/outcome.ts';
import type { Rule } from '../rules.ts';
import type { Family } from '../device/packet/opcode-shape.ts';
import type { RequesterTables } from '../rc-requester/tables.ts';

/** What a capture can hold a request against; keys of the outcomes of table rc-requester-request. */
export type CapturedDemand =
  'mustHeader' | 'mustOpcode' | 'mustPayload' | 'mustTarget' | 'mustSame' | 'mustSolicit' | 'mustBare';

/** Rules of the requester for what a capture shows of it. */
export interface CapturedRequesterRules {
  /** the rule that makes the demand on such a packet; `undefined` where none does */
  demand(key: CapturedDemand, copy: 'first' | 'repeat', kind: Family): Rule | undefined;
  /** the rule for what is sent again while the wait of an RNR NAK runs, or after it */
  rnr(wait: 'running' | 'over'): Rule | undefined;
}

export function capturedRequesterRules(tables: RequesterTables): CapturedRequesterRules {
  const found: Record<'first' | 'repeat', Map<CapturedDemand, Map<Family, Rule | undefined>>> = {
    first: new Map(),
    repeat: new Map(),
  };
  const waits = {
    running: tables.rnrTimer.by({ rnrWait: 'running' })[0],
    over: tables.rnrTimer.by({ rnrWait: 'over' })[0],
  };
  return {
    demand: (key, copy, kind) => {
      if (kind === 'other') return undefined;
      const byKey = found[copy];
      let byKind = byKey.get(key);
      if (byKind === undefined) byKey.set(key, (byKind = new Map()));
      const known = byKind.get(kind);
      if (known !== undefined || byKind.has(kind)) return known;
      const rules = tables.request.by({ copy, requestKind: kind });
      const rule = rules.find((one) => ruleWord(one, key) !== undefined);
      byKind.set(kind, rule);
      return rule;
    },
    rnr: (wait) => waits[wait],
  };
}
