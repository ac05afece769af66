import type { Migration } from '../path-migration/migration.ts';
import { firstMigration } from '../path-migration/tables.ts';
import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import type { RuleSet } from '../rules.ts';
import type {
  RcResponderInputs,
  RcResponderStep,
  RcResponderValue,
  RcResponderVariables,
} from './variables.ts';

type Typed = TypedMachine<RcResponderVariables, RcResponderInputs, RcResponderStep, RcResponderValue>;

export type ResponderMachine = Typed & {
  /** path migration of a QP that begins */
  readonly firstMigration: Migration;
  /** what is asked of every packet: not looked up by name each time */
  readonly wqeWaits: ReturnType<Typed['flag']>;
  readonly readFits: ReturnType<Typed['flag']>;
  readonly readEnds: ReturnType<Typed['flag']>;
  readonly newestPsn: ReturnType<Typed['number']>;
  readonly responded: ReturnType<Typed['step']>;
  readonly caughtUp: ReturnType<Typed['step']>;
};

/** State, facts and effects of RC responders as `spec/machines/rc-responder/machine.yaml` declares them. */
export function responderMachine(rules: RuleSet): ResponderMachine {
  const machine: Typed = machineOf(rules, 'rc-responder');
  return {
    ...machine,
    firstMigration: firstMigration(rules),
    wqeWaits: machine.flag('wqeWaits'),
    readFits: machine.flag('readFits'),
    readEnds: machine.flag('readEnds'),
    newestPsn: machine.number('newestPsn'),
    responded: machine.step('responded'),
    caughtUp: machine.step('caughtUp'),
  };
}
