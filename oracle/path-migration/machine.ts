import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import type { RuleSet } from '../rules.ts';
import type {
  PathMigrationInputs,
  PathMigrationStep,
  PathMigrationValue,
  PathMigrationVariables,
} from './variables.ts';

export type PathMachine = TypedMachine<
  PathMigrationVariables,
  PathMigrationInputs,
  PathMigrationStep,
  PathMigrationValue
>;

/** State, facts and effects of path migration as `spec/machines/path-migration/machine.yaml` declares them. */
export function pathMachine(rules: RuleSet): PathMachine {
  return machineOf(rules, 'path-migration');
}
