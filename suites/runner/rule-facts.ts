import type { Rule } from '../../oracle/index.ts';
import type { Demand, RuleResult } from '../../report/results.ts';

/** What a finding tells of the rule that it breaks. */
export function demandOf({ id, level, says, covers, source, uncovered }: Rule): Demand {
  return {
    rule: id,
    level,
    says,
    statements: [...covers],
    ...(source !== undefined && { source }),
    ...(uncovered !== undefined && { uncovered }),
  };
}

/** What a report says of every rule, whatever its verdict. */
export function ruleFacts(
  rule: Rule,
): Pick<
  RuleResult,
  | 'id'
  | 'says'
  | 'level'
  | 'impact'
  | 'table'
  | 'statements'
  | 'location'
  | 'source'
  | 'uncovered'
  | 'erratum'
  | 'latitude'
> {
  const { id, says, level, impact, table, location, source, uncovered, erratum, latitude } = rule;
  return {
    id,
    says,
    level,
    impact,
    table,
    statements: [...rule.covers],
    location: { file: location.file, line: location.line },
    ...(source !== undefined && { source }),
    ...(uncovered !== undefined && { uncovered }),
    ...(erratum !== undefined && { erratum }),
    ...(latitude !== undefined && { latitude }),
  };
}
