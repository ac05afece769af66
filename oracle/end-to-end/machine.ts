import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import type { RuleSet } from '../rules.ts';
import type { EndToEndInputs, EndToEndStep, EndToEndValue, EndToEndVariables } from './variables.ts';

export type EndToEndMachine = TypedMachine<EndToEndVariables, EndToEndInputs, EndToEndStep, EndToEndValue>;

/** State, facts and effects of QPs of which no packets are seen, as `spec/machines/end-to-end/machine.yaml` declares them. */
export function endToEndMachine(rules: RuleSet): EndToEndMachine {
  return machineOf(rules, 'end-to-end');
}
