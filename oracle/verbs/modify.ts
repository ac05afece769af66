import { qpTransitions } from '../../spec/constants.ts';
import { attributeKeys, attributeNames } from '../../spec/qp-attributes.ts';
import type { QpAttr } from '../../spec/verbs.ts';
import type { QpStateName } from '../device/qp-state.ts';
import type { Service } from '../device/qp.ts';

const psnLimit = 2 ** 24;

/** Facts of the table verbs-modify. `undrained`: work may be under way in SQD. */
export function movementFacts(
  service: Service,
  from: QpStateName,
  attr: QpAttr,
  to: QpStateName,
  undrained: boolean,
): { movement: string; lacking: 'some' | 'none'; surplus: 'some' | 'none' } {
  const given = new Set(
    attributeKeys.filter((key) => attr[key] !== undefined).map((key) => attributeNames[key]),
  );
  if (attr.cur_qp_state !== undefined) given.add('CUR_STATE');
  const alone = { lacking: 'none', surplus: given.size > 0 ? 'some' : 'none' } as const;
  if (to === 'RESET') return { movement: 'to-RESET', ...alone };
  if (to === 'ERR') return { movement: from === 'RESET' ? 'none' : 'to-ERR', ...alone };
  const found = (qpTransitions[service] ?? []).find((t) => t.from === from && t.to === to);
  if (found === undefined) return { movement: 'none', lacking: 'none', surplus: 'none' };
  const { required, optional } = found;
  const movement =
    from === 'SQD' && undrained ? 'undrained' : from === 'SQE' && to === 'RTS' ? 'recovery' : 'known';
  return {
    movement,
    lacking: required.some((name) => !given.has(name)) ? 'some' : 'none',
    surplus: [...given].some((name) => ![...required, ...optional].includes(name)) ? 'some' : 'none',
  };
}

/** Whether all values are such as every device takes: no reason to refuse the call. */
export function plainValues(attr: QpAttr): boolean {
  const inside = (value: number | undefined, limit: number): boolean =>
    value === undefined || (value >= 0 && value < limit);
  return (
    inside(attr.rq_psn, psnLimit) &&
    inside(attr.sq_psn, psnLimit) &&
    inside(attr.dest_qp_num, psnLimit) &&
    inside(attr.pkey_index, 1) &&
    (attr.port_num ?? 1) === 1 &&
    attr.alt_ah_attr === undefined &&
    attr.path_mig_state === undefined
  );
}
