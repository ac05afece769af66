import type { WcStatus } from '../../spec/verbs.ts';
import type { QpStateName } from '../device/qp-state.ts';
import type { When } from '../spot.ts';
import type { VerbsWork } from './outstanding.ts';
import type { VerbsInputs } from './variables.ts';

/** All that the machine may read of one event. Every one has the same properties, which makes reading them fast. */
export class VerbsEvent implements Partial<VerbsInputs> {
  qp?: VerbsInputs['qp'];
  sight?: VerbsInputs['sight'];
  event?: VerbsInputs['event'];
  work?: VerbsInputs['work'];
  wc?: VerbsInputs['wc'];
  call?: VerbsInputs['call'];
  transition?: VerbsInputs['transition'];
  attr?: VerbsInputs['attr'];
  queried?: VerbsInputs['queried'];
  rights?: VerbsInputs['rights'];
  rereg?: VerbsInputs['rereg'];
  queue?: VerbsInputs['queue'];
  list?: VerbsInputs['list'];
  chain?: VerbsInputs['chain'];
  wr?: VerbsInputs['wr'];
  element?: VerbsInputs['element'];
  binding?: VerbsInputs['binding'];
  window?: VerbsInputs['window'];
  target?: VerbsInputs['target'];
  device?: VerbsInputs['device'];
  async?: VerbsInputs['async'];
  byte?: VerbsInputs['byte'];
}

/** What packets had shown of a QP when an event of it came. */
export type Then = Pick<VerbsInputs['event'], 'unanswered' | 'unreached'>;
export const nothingKnown: Then = { unanswered: false, unreached: false };

/** Where an event is in a trace. */
export function eventInputs(
  { event: index, t: at }: When,
  { raised = false, resting = false }: { raised?: boolean; resting?: boolean } = {},
  then = nothingKnown,
): VerbsInputs['event'] {
  return { index, at, raised, resting, seen: true, ...then };
}

/** Everything has had its time. */
export function restInputs(t: number, raised = false): VerbsInputs['event'] {
  return { index: 0, at: t, raised, resting: true, seen: false, ...nothingKnown };
}

/** A call; `errno`: it failed with it. */
export function callInputs(
  errno: number | undefined,
  qp_state: QpStateName = 'RESET',
  notifies?: boolean,
): VerbsInputs['call'] {
  return { qp_state, notifies, refused: errno !== undefined, errno: errno ?? 0 };
}

const noWork = {
  becomes: 'queued',
  fault: 'none',
  event: 0,
  t: 0,
  past: false,
  quiet: false,
  foreign: false,
} as const;

/** A work request of a queue; `undefined`: none is outstanding. */
export function workInputs(
  queue: VerbsInputs['work']['queue'],
  work?: VerbsWork,
  overtakes = false,
): VerbsInputs['work'] {
  const { becomes, fault, event: index, t: at, past, quiet, foreign } = work ?? noWork;
  return {
    outstanding: work !== undefined,
    queue,
    becomes,
    fault,
    index,
    at,
    past,
    quiet,
    foreign,
    overtakes,
    unused: false,
  };
}

/** A work request that is in the own receive queue of a QP which is on an SRQ. */
export function unusedInputs(): VerbsInputs['work'] {
  return { ...workInputs('receive'), outstanding: true, unused: true };
}

const statuses: Readonly<Record<string, VerbsInputs['wc']['status']>> = {
  IBV_WC_SUCCESS: 'IBV_WC_SUCCESS',
  IBV_WC_WR_FLUSH_ERR: 'IBV_WC_WR_FLUSH_ERR',
  IBV_WC_REM_ABORT_ERR: 'IBV_WC_REM_ABORT_ERR',
  IBV_WC_LOC_LEN_ERR: 'IBV_WC_LOC_LEN_ERR',
  IBV_WC_LOC_QP_OP_ERR: 'IBV_WC_LOC_QP_OP_ERR',
  IBV_WC_LOC_PROT_ERR: 'IBV_WC_LOC_PROT_ERR',
  IBV_WC_FATAL_ERR: 'IBV_WC_FATAL_ERR',
  IBV_WC_GENERAL_ERR: 'IBV_WC_GENERAL_ERR',
  IBV_WC_RESP_TIMEOUT_ERR: 'IBV_WC_RESP_TIMEOUT_ERR',
  IBV_WC_MW_BIND_ERR: 'IBV_WC_MW_BIND_ERR',
  IBV_WC_TM_ERR: 'IBV_WC_TM_ERR',
  IBV_WC_TM_RNDV_INCOMPLETE: 'IBV_WC_TM_RNDV_INCOMPLETE',
};

/** Status of a completion; `undefined`: none has come. `listed`: statuses that a rule names. `taken`: when it was taken. */
export function statusInputs(
  status: WcStatus | undefined,
  listed: readonly string[] = [],
  taken = 0,
): VerbsInputs['wc'] {
  if (status === undefined) return { status: 'none', listed: false, taken };
  return { status: statuses[status] ?? 'other', listed: listed.includes(status), taken };
}
