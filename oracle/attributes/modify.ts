import { accessFlags } from '../../spec/constants.ts';
import type { AccessFlag, QpAttr } from '../../spec/verbs.ts';
import { stateName } from '../device/qp-state.ts';
import type { MachineBook } from '../rulebook/machine-book.ts';
import type { Met } from '../rulebook/machine-tables.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import type { Rule } from '../rules.ts';
import type { Spot } from '../spot.ts';
import { attributeFacts, hasTransition } from './attributes.ts';
import { attributeTable, type AttributeTable } from './tables.ts';
import type { AttributesInputs, AttributesVariables } from './variables.ts';

const remoteRights: readonly AccessFlag[] = [
  'IBV_ACCESS_REMOTE_WRITE',
  'IBV_ACCESS_REMOTE_READ',
  'IBV_ACCESS_REMOTE_ATOMIC',
];

export type AttributeBook = MachineBook<AttributeTable, AttributesVariables, AttributesInputs>;

/** All that the machine may read of one event. Every one has the same properties, which makes reading them fast. */
export class AttributesEvent implements Partial<AttributesInputs> {
  readonly device: AttributesInputs['device'];
  readonly service: AttributesInputs['service'];
  call?: AttributesInputs['call'];
  transition?: AttributesInputs['transition'];
  attr?: AttributesInputs['attr'];
  queried?: AttributesInputs['queried'];
  drained?: AttributesInputs['drained'];

  constructor(device: AttributesInputs['device'], service: AttributesInputs['service'] = 'RC') {
    this.device = device;
    this.service = service;
  }
}

/** A call of ibv_modify_qp of a QP in this state, and when it was made; `errno`: it failed with it. */
export function askCall(
  inputs: AttributesEvent,
  qp: AttributesVariables,
  { attr, errno, began }: { attr: QpAttr; errno: number | undefined; began: number },
): void {
  const { qp_state: asked, cur_qp_state: named, alt_ah_attr: alternate, qp_access_flags: rights } = attr;
  const to = asked === undefined ? qp.qpState : stateName(asked);
  inputs.call = {
    attributes: Object.keys(attr).length,
    moves: asked !== undefined,
    qp_state: to,
    cur_qp_state: named && stateName(named),
    refused: errno !== undefined,
    errno: errno ?? 0,
    began,
  };
  inputs.transition = { exists: hasTransition(qp.qpState, to) };
  inputs.attr = {
    timeout: attr.timeout,
    retry_cnt: attr.retry_cnt,
    rnr_retry: attr.rnr_retry,
    min_rnr_timer: attr.min_rnr_timer,
    max_rd_atomic: attr.max_rd_atomic,
    max_dest_rd_atomic: attr.max_dest_rd_atomic,
    path_mtu: attr.path_mtu,
    dest_qp_num: attr.dest_qp_num,
    rq_psn: attr.rq_psn,
    sq_psn: attr.sq_psn,
    pkey_index: attr.pkey_index,
    port_num: attr.port_num,
    rights: rightsOf(rights),
    qkey: attr.qkey === undefined ? undefined : attr.qkey >>> 0,
    alt_timeout: attr.alt_timeout,
    alternate: alternate !== undefined,
    remoteAtomic: rights?.includes('IBV_ACCESS_REMOTE_ATOMIC') === true,
  };
}

/** Bits of the operations that the far end is allowed, those of <infiniband/verbs.h>. */
export function rightsOf(flags: QpAttr['qp_access_flags']): number | undefined {
  return flags
    ?.filter((flag) => remoteRights.includes(flag))
    .reduce((bits, flag) => bits | accessFlags.number(flag), 0);
}

/** Whether a device may take a call of ibv_modify_qp, or refuse it. */
export function judgeModify(
  book: AttributeBook,
  qp: AttributesVariables,
  { attr, inputs, errno }: { attr: QpAttr; inputs: Partial<AttributesInputs>; errno: number | undefined },
  spot: Spot,
): void {
  const met = { inputs, variables: qp, given: attributeFacts(qp.qpState, attr) };
  const rule = decided(book, met);
  if (rule === undefined) return;
  if (ruleWord(rule, 'result') === 'either')
    return book.choice(rule, errno === undefined ? 'accepted' : 'refused');
  const what = (): string => `ibv_modify_qp in ${qp.qpState} with ${words(attr)}`;
  const observed = errno === undefined ? 'it succeeds' : `it fails with errno ${errno}`;
  if (book.unmet([rule], 'result', met).length > 0) {
    const accepted = ruleWord(rule, 'result') === 'accepted';
    return book.violate(rule, spot, `${what()} ${accepted ? 'succeeds' : 'fails'}`, observed);
  }
  if (errno === undefined) return;
  for (const wrong of book.unmet(book.decide('qp-modify-refused', met), 'errno', met))
    book.violate(wrong, spot, `${what()} fails with errno 22 (EINVAL)`, observed);
}

/** The rule that decides, the tables before it passed; all of them count as exercised. */
function decided(book: AttributeBook, met: Met<AttributesVariables, AttributesInputs>): Rule | undefined {
  let found: Rule | undefined;
  let table: AttributeTable | undefined = 'qp-modify-transition';
  while (table !== undefined) {
    [found] = book.decide(table, met);
    table = attributeTable(ruleWord(found, 'next'));
  }
  return found;
}

/** The attributes of a call as a person reads them. */
function words(attr: QpAttr): string {
  const parts = Object.entries(attr).map(([key, value]) => {
    if (key === 'qp_state' || key === 'cur_qp_state')
      return `${key} ${String(value).slice('IBV_QPS_'.length)}`;
    return typeof value === 'number' ? `${key} ${value}` : key;
  });
  return parts.length === 0 ? 'no attributes' : parts.join(', ');
}
