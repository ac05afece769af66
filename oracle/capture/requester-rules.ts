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

/** By demand, the rule that makes it. */
type Demanding = Readonly<Record<CapturedDemand, Rule | undefined>>;

function demanding(tables: RequesterTables, copy: 'first' | 'repeat', requestKind: Family): Demanding {
  const rules = tables.request.by({ copy, requestKind });
  const rule = (key: CapturedDemand): Rule | undefined =>
    rules.find((one) => ruleWord(one, key) !== undefined);
  return {
    mustHeader: rule('mustHeader'),
    mustOpcode: rule('mustOpcode'),
    mustPayload: rule('mustPayload'),
    mustTarget: rule('mustTarget'),
    mustSame: rule('mustSame'),
    mustSolicit: rule('mustSolicit'),
    mustBare: rule('mustBare'),
  };
}

export function capturedRequesterRules(tables: RequesterTables): CapturedRequesterRules {
  const found: Record<'first' | 'repeat', Partial<Record<Family, Demanding>>> = { first: {}, repeat: {} };
  const waits = {
    running: tables.rnrTimer.by({ rnrWait: 'running' })[0],
    over: tables.rnrTimer.by({ rnrWait: 'over' })[0],
  };
  return {
    demand: (key, copy, kind) => {
      if (kind === 'other') return undefined;
      const known = found[copy][kind] ?? (found[copy][kind] = demanding(tables, copy, kind));
      return known[key];
    },
    rnr: (wait) => waits[wait],
  };
}
