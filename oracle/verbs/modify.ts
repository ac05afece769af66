import { qpTransitions } from '../../spec/constants.ts';
import { attributeKeys, attributeNames } from '../../spec/qp-attributes.ts';
import type { QpAttr } from '../../spec/verbs.ts';
import type { QpStateName } from '../device/qp-state.ts';
import type { Service } from '../device/qp.ts';
import type { VerbsInputs } from './variables.ts';

const stateAlone = { required: [], optional: [] };

/** The transition that a call asks for, and its attributes against those that the transition takes. */
export function transitionInputs(
  service: Service,
  from: QpStateName,
  to: QpStateName,
  attr: QpAttr,
): VerbsInputs['transition'] {
  const given = new Set(
    attributeKeys.filter((key) => attr[key] !== undefined).map((key) => attributeNames[key]),
  );
  if (attr.cur_qp_state !== undefined) given.add('CUR_STATE');
  const found = (qpTransitions[service] ?? []).find((t) => t.from === from && t.to === to);
  const { required, optional } = found ?? stateAlone;
  return {
    exists: found !== undefined,
    lacking: required.filter((name) => !given.has(name)).length,
    surplus: [...given].filter((name) => ![...required, ...optional].includes(name)).length,
  };
}

export function attributeInputs(attr: QpAttr): VerbsInputs['attr'] {
  const migrates = attr.alt_ah_attr !== undefined || attr.path_mig_state !== undefined;
  return { ...attr, migrates };
}
