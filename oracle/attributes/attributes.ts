import { qpTransitions } from '../../spec/constants.ts';
import { attributeKeys, attributeNames } from '../../spec/qp-attributes.ts';
import type { QpAttr } from '../../spec/verbs.ts';
import { stateName, type QpStateName } from '../device/qp-state.ts';

const ofMigration: ReadonlySet<string> = new Set(['ALT_PATH', 'PATH_MIG_STATE']);

interface Taken {
  required: readonly string[];
  optional: readonly string[];
}
const stateAlone: Taken = { required: [], optional: [] };
const transitions = new Map<string, Taken>(
  (qpTransitions['RC'] ?? []).map(({ from, to, required, optional }) => [
    `${from}-${to}`,
    { required, optional },
  ]),
);

export function hasTransition(from: QpStateName, to: QpStateName): boolean {
  return transitions.has(`${from}-${to}`);
}

type AttributeFacts = Readonly<Record<'missing' | 'foreign' | 'migration', string>>;

/** Facts by the attributes that a call gives, a bit set, of each transition. Software gives few sets. */
const known = new Map<Taken, Map<number, AttributeFacts>>();

/** Facts of the table qp-modify-attributes, by the attributes that a call gives and those of its transition. */
export function attributeFacts(from: QpStateName, attr: QpAttr): AttributeFacts {
  const to = attr.qp_state === undefined ? from : stateName(attr.qp_state);
  const taken = transitions.get(`${from}-${to}`) ?? stateAlone;
  let set = 0;
  attributeKeys.forEach((key, i) => {
    if (attr[key] !== undefined) set |= 1 << i;
  });
  let found = known.get(taken);
  if (found === undefined) known.set(taken, (found = new Map()));
  let facts = found.get(set);
  if (facts === undefined) found.set(set, (facts = factsOf(taken, set)));
  return facts;
}

function factsOf(taken: Taken, set: number): AttributeFacts {
  const given = new Set(attributeKeys.filter((_, i) => (set >> i) & 1).map((key) => attributeNames[key]));
  const missing = taken.required.filter((name) => !given.has(name));
  const allowed = new Set([...taken.required, ...taken.optional]);
  const foreign = [...given].filter((name) => !allowed.has(name));
  return {
    missing: missing.length > 1 ? 'several' : missingName(missing[0]),
    // what retransmission depends on comes first
    foreign: foreignNames.find((word) => foreign.some((name) => foreignName(name) === word)) ?? 'none',
    migration: [...given].some((name) => allowed.has(name) && ofMigration.has(name)) ? 'given' : 'none',
  };
}

function missingName(name: string | undefined): string {
  switch (name) {
    case undefined:
      return 'none';
    case 'MIN_RNR_TIMER':
      return 'min-rnr-timer';
    case 'MAX_DEST_RD_ATOMIC':
      return 'max-dest-rd-atomic';
    case 'RQ_PSN':
      return 'rq-psn';
    case 'TIMEOUT':
      return 'timeout';
    case 'RETRY_CNT':
      return 'retry-cnt';
    case 'RNR_RETRY':
      return 'rnr-retry';
    case 'SQ_PSN':
      return 'sq-psn';
    case 'MAX_QP_RD_ATOMIC':
      return 'max-rd-atomic';
    default:
      return 'other';
  }
}

const foreignNames = ['requester', 'responder', 'min-rnr-timer', 'other'] as const;

function foreignName(name: string): (typeof foreignNames)[number] {
  switch (name) {
    case 'TIMEOUT':
    case 'RETRY_CNT':
    case 'RNR_RETRY':
    case 'SQ_PSN':
    case 'MAX_QP_RD_ATOMIC':
      return 'requester';
    case 'RQ_PSN':
    case 'MAX_DEST_RD_ATOMIC':
      return 'responder';
    case 'MIN_RNR_TIMER':
      return 'min-rnr-timer';
    default:
      return 'other';
  }
}
