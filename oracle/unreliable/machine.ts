import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import type { Outcome, RuleSet } from '../rules.ts';
import type { UnreliableInputs, UnreliableStep, UnreliableValue, UnreliableVariables } from './variables.ts';

type Typed = TypedMachine<UnreliableVariables, UnreliableInputs, UnreliableStep, UnreliableValue>;
type Read<T> = (inputs: Partial<UnreliableInputs>, variables: UnreliableVariables) => T;
type Effect = (outcome: Outcome, inputs: Partial<UnreliableInputs>, variables: UnreliableVariables) => void;

/** State, facts and effects of UC and UD QPs as `spec/machines/unreliable/machine.yaml` declares them. */
export interface UnreliableMachine extends Typed {
  /** bytes in a receive buffer: in front of a message, and where the payload of a packet begins and ends */
  readonly front: Read<number>;
  readonly offset: Read<number>;
  readonly reached: Read<number>;
  /** bytes that a receive completion tells */
  readonly byteLength: Read<number>;
  /** the packet ends a message */
  readonly ends: Read<boolean>;
  readonly receive: Read<string>;
  readonly workPlace: Read<string>;
  /** of a work request: what it takes, and whether it is open */
  readonly packets: Read<number>;
  readonly stopped: Read<boolean>;
  readonly doubtful: Read<boolean>;
  readonly payloadOpen: Read<boolean>;
  /** whether work requests may be posted to be sent */
  readonly sends: Read<boolean>;
  /** of its next packet */
  readonly opcodeAsPosted: Read<boolean>;
  readonly sentPosition: Read<string>;
  readonly sentImmediate: Read<boolean>;
  readonly segment: Read<number>;
  readonly farQp: Read<number>;
  readonly qkeySent: Read<number>;
  /** effects by outcome: those of other outcomes, which are built in, come between them */
  readonly effects: Readonly<
    Record<'message' | 'notice' | 'qp' | 'receiveQueue' | 'grh' | 'expectedPsn' | 'completion', Effect>
  >;
}

/** RangeError where the rules lack the machine, or it lacks a word. */
export function unreliableMachine(rules: RuleSet): UnreliableMachine {
  const machine: Typed = machineOf(rules, 'unreliable');
  return {
    ...machine,
    front: machine.number('front'),
    offset: machine.number('offset'),
    reached: machine.number('reached'),
    byteLength: machine.number('byteLength'),
    ends: machine.flag('ends'),
    receive: machine.fact('receive'),
    workPlace: machine.fact('workPlace'),
    packets: machine.number('packets'),
    stopped: machine.flag('stopped'),
    doubtful: machine.flag('doubtful'),
    payloadOpen: machine.flag('payloadOpen'),
    sends: machine.flag('sends'),
    opcodeAsPosted: machine.flag('opcodeAsPosted'),
    sentPosition: machine.word('sentPosition'),
    sentImmediate: machine.flag('sentImmediate'),
    segment: machine.number('segment'),
    farQp: machine.number('farQp'),
    qkeySent: machine.number('qkeySent'),
    effects: {
      message: machine.effect('message'),
      notice: machine.effect('notice'),
      qp: machine.effect('qp'),
      receiveQueue: machine.effect('receiveQueue'),
      grh: machine.effect('grh'),
      expectedPsn: machine.effect('expectedPsn'),
      completion: machine.effect('completion'),
    },
  };
}
