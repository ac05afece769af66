import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import type { RuleSet } from '../rules.ts';
import type {
  RcResponderInputs,
  RcResponderStep,
  RcResponderValue,
  RcResponderVariables,
} from './variables.ts';

export type ResponderMachine = TypedMachine<
  RcResponderVariables,
  RcResponderInputs,
  RcResponderStep,
  RcResponderValue
>;

/** State, facts and effects of RC responders as `spec/machines/rc-responder/machine.yaml` declares them. */
export function responderMachine(rules: RuleSet): ResponderMachine {
  return machineOf(rules, 'rc-responder');
}
