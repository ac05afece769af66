import { qpTransitions } from '../../../spec/constants.ts';
import { attributeKeys, attributeNames, type AttributeKey } from '../../../spec/qp-attributes.ts';
import type { QpAttr, QpState } from '../../../spec/verbs.ts';
import type { Service } from '../device/service.ts';
import { takenAnywhere, withoutRequirement, type Fault } from './faults.ts';

const bitOfName = new Map(
  [...new Set(Object.values(attributeNames)), 'CUR_STATE'].map((name, i) => [name, 1 << i]),
);
const bitOf = Object.fromEntries(
  attributeKeys.map((key) => [key, bitOfName.get(attributeNames[key]) ?? 0]),
) as Record<AttributeKey, number>;
const curState = bitOfName.get('CUR_STATE') ?? 0;

/** Bit sets of attributes. */
interface Masks {
  required: number;
  allowed: number;
}

function maskOf(names: readonly string[]): number {
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
export function transitionAllowed(service: Service, from: QpState, attr: QpAttr, fault?: Fault): boolean {
  if (fault === 'kept-state-unchecked' && attr.qp_state === undefined) return true;
  if (attr.cur_qp_state !== undefined && attr.cur_qp_state !== from) return false;
  const masks = masksOf(tables[service], from, attr.qp_state ?? from, fault);
  if (masks === undefined) return false;
  let given = attr.cur_qp_state === undefined ? 0 : curState;
  for (const key of attributeKeys) if (attr[key] !== undefined) given |= bitOf[key];
  const allowed = masks.allowed | maskOf(takenAnywhere(fault));
  const required = masks.required & ~maskOf(withoutRequirement(fault));
  return (given & ~allowed) === 0 && (required & ~given) === 0;
}

function masksOf(table: Table, from: QpState, to: QpState, fault: Fault): Masks | undefined {
  if (to === 'IBV_QPS_RESET') return stateOnly;
  if (to === 'IBV_QPS_ERR') return from === 'IBV_QPS_RESET' ? undefined : stateOnly;
  const masks = table.get(from)?.get(to);
  if (masks !== undefined || fault !== 'transition-unchecked') return masks;
  return [...table].find(([state, row]) => state !== to && row.has(to))?.[1].get(to);
}
