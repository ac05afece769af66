import { dcqcnTolerance } from '../../spec/dcqcn.ts';
import type { CongestionProfile } from '../../spec/congestion.ts';
import { machineOf } from '../rulebook/machine.ts';
import type { TypedMachine } from '../rulebook/machine.ts';
import type { RuleSet } from '../rules.ts';
import { CongestionVariables } from './variables.ts';
import type { CongestionInputs, CongestionStep, CongestionValue } from './variables.ts';

export type CongestionMachine = TypedMachine<
  CongestionVariables,
  CongestionInputs,
  CongestionStep,
  CongestionValue
>;

/** State, facts and effects of congestion control as `spec/machines/congestion/machine.yaml` declares them. */
export function congestionMachine(rules: RuleSet): CongestionMachine {
  return machineOf(rules, 'congestion');
}

/** What a device declares, and how far it may be off. */
export type Declared = Pick<CongestionInputs, 'profile' | 'cnp' | 'dcqcn' | 'tolerance'>;

const undeclared: Declared['dcqcn'] = {
  g: -1,
  initialAlpha: -1,
  alphaSlot: -1,
  decreaseSlot: -1,
  minDecreaseFactor: -1,
  minRate: -1,
  firstRate: -1,
  timer: -1,
  bytes: -1,
  threshold: -1,
  activeIncrease: -1,
  hyperIncrease: -1,
  clampTarget: undefined,
};

/** Inputs that stay the same over a trace; -1 where the device does not declare something. */
export function declaredInputs(profile: CongestionProfile | undefined): Declared {
  const { rate, pace, burst, path, port } = dcqcnTolerance();
  return {
    profile: { lineRate: profile?.lineRate ?? -1 },
    cnp: { interval: profile?.cnp.interval ?? -1 },
    dcqcn: { ...undeclared, ...profile?.dcqcn },
    tolerance: { rate, pace, burst, path, port },
  };
}

/** Registers of one QP, or of one pacer, as they are at first. */
export function newRegisters(machine: CongestionMachine, declared: Declared): CongestionVariables {
  const registers = new CongestionVariables();
  machine.start(declared, registers);
  return registers;
}
