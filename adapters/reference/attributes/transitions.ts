import { qpTransitions } from '../../../spec/constants.ts';
import { attributeKeys, attributeNames, type AttributeKey } from '../../../spec/qp-attributes.ts';
import type { QpAttr, QpState } from '../../../spec/verbs.ts';
import type { Service } from '../device/service.ts';
import { seam, type Varied } from '../seam.ts';

const bitOfName = new Map(
  [...new Set(Object.values(attributeNames)), 'CUR_STATE'].map((name, i) => [name, 1 << i]),
);
const bitOf = Object.fromEntries(
  attributeKeys.map((key) => [key, bitOfName.get(attributeNames[key]) ?? 0]),
) as Record<AttributeKey, number>;
const curState = bitOfName.get('CUR_STATE') ?? 0;

/** Bit sets of attributes. */
export interface Masks {
  required: number;
  allowed: number;
}

/** The bits of attributes by their names in the transition table. */
export function maskOf(names: readonly string[]): number {
  return names.reduce((mask, name) => mask | (bitOfName.get(name) ?? 0), 0);
}

/** by the state before and the state after */
type Table = Map<string, Map<string, Masks>>;

function tableOf(service: Service): Table {
  const table: Table = new Map();
  for (const { from, to, required, optional } of qpTransitions[service] ?? []) {
    const row = table.get(`IBV_QPS_${from}`) ?? new Map<string, Masks>();
    row.set(`IBV_QPS_${to}`, { required: maskOf(required), allowed: maskOf([...required, ...optional]) });
    table.set(`IBV_QPS_${from}`, row);
  }
  return table;
}

const tables: Readonly<Record<Service, Table>> = {
  RC: tableOf('RC'),
  UC: tableOf('UC'),
  UD: tableOf('UD'),
};
const stateOnly: Masks = { required: 0, allowed: 0 };

/** Whether ibv_modify_qp of a QP in state `from` may take these attributes; source: the transition table. */
export const transitionAllowed = seam(
  (device: Varied, service: Service, from: QpState, attr: QpAttr): boolean => {
    if (attr.cur_qp_state !== undefined && attr.cur_qp_state !== from) return false;
    const masks = masksOf(device, service, from, attr.qp_state ?? from);
    if (masks === undefined) return false;
    let given = attr.cur_qp_state === undefined ? 0 : curState;
    for (const key of attributeKeys) if (attr[key] !== undefined) given |= bitOf[key];
    return (given & ~masks.allowed) === 0 && (masks.required & ~given) === 0;
  },
);

/** What a transition requires and allows; `undefined`: there is none such. Any state but RESET may go to ERR, any to RESET. */
export const masksOf = seam(
  (_device: Varied, service: Service, from: QpState, to: QpState): Masks | undefined => {
    if (to === 'IBV_QPS_RESET') return stateOnly;
    if (to === 'IBV_QPS_ERR') return from === 'IBV_QPS_RESET' ? undefined : stateOnly;
    return tables[service].get(from)?.get(to);
  },
);

/** What the first transition to a state requires and allows, from wherever it is. */
export function masksInto(service: Service, to: QpState): Masks | undefined {
  return [...tables[service]].find(([state, row]) => state !== to && row.has(to))?.[1].get(to);
}
