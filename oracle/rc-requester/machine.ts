import type { Migration } from '../path-migration/migration.ts';
import { firstMigration } from '../path-migration/tables.ts';
import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import type { RuleSet } from '../rules.ts';
import type {
  RcRequesterInputs,
  RcRequesterStep,
  RcRequesterValue,
  RcRequesterVariables,
} from './variables.ts';

type Typed = TypedMachine<RcRequesterVariables, RcRequesterInputs, RcRequesterStep, RcRequesterValue>;
type Read<T> = (inputs: Partial<RcRequesterInputs>, variables: RcRequesterVariables) => T;

/** State, facts and effects of RC requesters as `spec/machines/rc-requester/machine.yaml` declares them. */
export type RequesterMachine = Typed & {
  /** path migration of a QP that begins */
  readonly firstMigration: Migration;
  readonly steps: Readonly<Record<RcRequesterStep, Read<void>>>;
  /** words of facts that are asked for by themselves */
  readonly place: Read<string>;
  readonly copy: Read<string>;
  readonly responsePsn: Read<string>;
  readonly gained: Read<string>;
  readonly workState: Read<string>;
  readonly retransmission: Read<string>;
  readonly unsent: Read<string>;
  readonly requesterFailed: Read<string>;
  /** what is left of a counter: all that it may be, and what it turned out to be */
  readonly left: Readonly<
    Record<
      'retryLeft' | 'rnrLeft',
      {
        readonly possible: Read<readonly string[]>;
        readonly narrow: (
          inputs: Partial<RcRequesterInputs>,
          variables: RcRequesterVariables,
          value: string,
        ) => void;
      }
    >
  >;
  readonly acknowledged: Read<number>;
  readonly resumesAt: Read<number>;
  readonly reachesOldest: Read<boolean>;
  readonly otherCause: Read<string>;
  readonly lastSpent: Read<boolean>;
  readonly mayBeSpent: Read<boolean>;
  readonly surelySpent: Read<boolean>;
  readonly counter: Read<string>;
  /** what a cause of retransmission that waits calls for, and how long it waits */
  readonly callsFor: Read<boolean>;
  readonly holdsBack: Read<boolean>;
  readonly waitsOn: Read<boolean>;
  readonly staysOpen: Read<boolean>;
  readonly inTurn: Read<boolean>;
  readonly endsFirst: Read<boolean>;
  readonly longestWait: Read<number>;
  readonly works: Read<boolean>;
  readonly fit: Read<string>;
  readonly offset: Read<number>;
  readonly segment: Read<number>;
  readonly brought: Read<number>;
  readonly received: Read<number>;
  readonly resendDue: Read<boolean>;
  readonly mayFail: Read<boolean>;
  /** what a completion says that is not a success */
  readonly reportsFailure: Read<boolean>;
  readonly answerUnplaced: Read<boolean>;
  readonly failsBy: Read<string>;
  readonly givenUpFor: Read<string>;
};

/** RangeError where the rules lack the machine, or it lacks a word. */
export function requesterMachine(rules: RuleSet): RequesterMachine {
  const machine: Typed = machineOf(rules, 'rc-requester');
  const step = (name: RcRequesterStep): Read<void> => machine.step(name);
  const left = (fact: string): RequesterMachine['left']['retryLeft'] => ({
    possible: machine.possible(fact),
    narrow: machine.narrow(fact),
  });
  return {
    ...machine,
    firstMigration: firstMigration(rules),
    steps: {
      called: step('called'),
      posted: step('posted'),
      completed: step('completed'),
      sent: step('sent'),
      acknowledged: step('acknowledged'),
      mayHaveTimedOut: step('mayHaveTimedOut'),
      timedOut: step('timedOut'),
      refused: step('refused'),
      mayIgnore: step('mayIgnore'),
      atRest: step('atRest'),
      changedPath: step('changedPath'),
      followedPeer: step('followedPeer'),
      failed: step('failed'),
      responderFailed: step('responderFailed'),
    },
    place: machine.fact('place'),
    copy: machine.fact('copy'),
    responsePsn: machine.fact('responsePsn'),
    gained: machine.fact('gained'),
    workState: machine.fact('workState'),
    retransmission: machine.fact('retransmission'),
    unsent: machine.fact('unsent'),
    requesterFailed: machine.fact('requesterFailed'),
    left: { retryLeft: left('retryLeft'), rnrLeft: left('rnrLeft') },
    acknowledged: machine.number('acknowledged'),
    resumesAt: machine.number('resumesAt'),
    reachesOldest: machine.flag('reachesOldest'),
    otherCause: machine.word('otherCause'),
    lastSpent: machine.flag('lastSpent'),
    mayBeSpent: machine.flag('mayBeSpent'),
    surelySpent: machine.flag('surelySpent'),
    counter: machine.word('counter'),
    callsFor: machine.flag('callsFor'),
    holdsBack: machine.flag('holdsBack'),
    waitsOn: machine.flag('waitsOn'),
    staysOpen: machine.flag('staysOpen'),
    inTurn: machine.flag('inTurn'),
    endsFirst: machine.flag('endsFirst'),
    longestWait: machine.number('longestWait'),
    works: machine.flag('works'),
    fit: machine.fact('fit'),
    offset: machine.number('offset'),
    segment: machine.number('segment'),
    brought: machine.number('brought'),
    received: machine.number('received'),
    resendDue: machine.flag('resendDue'),
    mayFail: machine.flag('mayFail'),
    reportsFailure: machine.flag('reportsFailure'),
    answerUnplaced: machine.flag('answerUnplaced'),
    failsBy: machine.word('failsBy'),
    givenUpFor: machine.word('givenUpFor'),
  };
}
