import { opcodes } from '../../spec/constants.ts';
import type { Scenario } from '../scenario.ts';
import { CaseError, either, flag, integer, list, object, oneOf, text, variant } from './check.ts';

const psn = integer(0, 0xffffff);
const offset = integer(-0x1000000, 0x1000000);
const decimal = text(/^\d{1,20}$/, 'a decimal number as text');
const access = list(
  oneOf(
    'IBV_ACCESS_LOCAL_WRITE',
    'IBV_ACCESS_REMOTE_WRITE',
    'IBV_ACCESS_REMOTE_READ',
    'IBV_ACCESS_REMOTE_ATOMIC',
  ),
);
const role = oneOf('requester', 'responder');
const kind = text();

const qpPlan = object({
  startPsn: psn,
  access,
  maxDestRdAtomic: integer(0, 255),
  maxRdAtomic: integer(0, 255),
  minRnrTimer: integer(0, 31),
  timeout: integer(0, 31),
  retryCnt: integer(0, 7),
  rnrRetry: integer(0, 7),
});

const region = object(
  { length: integer(0, 1 << 26), access, fill: integer(0, 0xffffffff) },
  { foreignPd: flag },
);

const defect = variant('kind', {
  icrc: object({ kind }),
  tver: object({ kind, value: integer(0, 15) }),
  pkey: object({ kind, value: integer(0, 0xffff) }),
  'dest-qp': object({ kind }),
  'source-ip': object({ kind }),
  service: object({ kind, service: oneOf('UC', 'UD', 'RD', 'XRC') }),
  pad: object({ kind, value: integer(0, 3) }),
  short: object({ kind }),
  ignored: object({
    kind,
    field: oneOf('resv6', 'resv7', 'fecn', 'becn', 'traffic-class', 'hop-limit', 'src-port', 'mig-req'),
  }),
});

const operations = [...new Set(opcodes.flatMap((o) => (o?.service === 'RC' ? [o.operation] : [])))];

const packet = object(
  {
    operation: either(oneOf(...operations), integer(0, 255)),
    psn: object({ from: oneOf('next'), offset }),
    ackReq: flag,
    payload: object({ mtus: integer(0, 4), bytes: integer(-8192, 8192) }),
  },
  {
    solicited: flag,
    target: object(
      { region: integer(0, 1000), offset: integer(-(2 ** 40), 2 ** 40), length: integer(0, 0xffffffff) },
      { rkey: oneOf('good', 'bad') },
    ),
    atomic: object({ compare: decimal, swapOrAdd: decimal }),
    immediate: integer(0, 0xffffffff),
    defect,
  },
);

const wr = object(
  {
    opcode: oneOf(
      'IBV_WR_SEND',
      'IBV_WR_SEND_WITH_IMM',
      'IBV_WR_SEND_WITH_INV',
      'IBV_WR_RDMA_WRITE',
      'IBV_WR_RDMA_WRITE_WITH_IMM',
      'IBV_WR_RDMA_READ',
      'IBV_WR_ATOMIC_CMP_AND_SWP',
      'IBV_WR_ATOMIC_FETCH_AND_ADD',
    ),
    length: integer(0, 1 << 26),
    region: integer(0, 1000),
    offset: integer(-(2 ** 40), 2 ** 40),
    signaled: flag,
  },
  { solicited: flag, compare: decimal, swapOrAdd: decimal },
);

const qpStates = ['RESET', 'INIT', 'RTR', 'RTS', 'SQD', 'SQE', 'ERR'].map((s) => `IBV_QPS_${s}`);
const doing = text();
const step = variant('do', {
  post_recv: object({ do: doing, length: integer(0, 1 << 26) }, { badLkey: flag }),
  post_send: object({ do: doing, wr }),
  inject: object({ do: doing, packet }),
  reinject: object({ do: doing, back: integer(0, 10_000) }),
  settle: object({ do: doing }),
  sleep: object({ do: doing, us: integer(0, 60_000_000) }),
  modify_qp: object({ do: doing, at: role, state: oneOf(...qpStates) }),
  dereg_mr: object({ do: doing, region: integer(0, 1000) }),
});

const fault = object({
  direction: oneOf('to-responder', 'to-requester'),
  match: object(
    {},
    {
      class: oneOf('request', 'data', 'ack', 'nak', 'rnr-nak', 'read-response', 'atomic-ack', 'cnp'),
      opcode: integer(0, 255),
      psnOffset: offset,
      ordinal: integer(0, 1 << 26),
      transmission: integer(0, 1 << 26),
    },
  ),
  action: variant('kind', {
    drop: object({ kind }),
    duplicate: object({ kind, copies: integer(1, 100) }),
    delay: object({ kind, us: integer(0, 60_000_000) }),
    hold: object({ kind, packets: integer(1, 1000) }),
    corrupt: object({ kind, byte: integer(0, 10_000), mask: integer(0, 255), repairIcrc: flag }),
    'set-ce': object({ kind }),
    rewrite: object({
      kind,
      field: oneOf('psn', 'pkey', 'destQp', 'ackReq', 'syndrome', 'msn'),
      xor: integer(0, 0xffffffff),
    }),
  }),
});

const scenario = object({
  version: oneOf(1),
  dut: role,
  ip: oneOf(4, 6),
  mtu: oneOf(256, 512, 1024, 2048, 4096),
  requester: qpPlan,
  responder: qpPlan,
  regions: list(region, 1000),
  srq: flag,
  steps: list(step),
  faults: list(fault),
});

/** The scenario that a value read from a file or token is. Throws CaseError where it is none, saying where. */
export function parseScenario(value: unknown, path = 'scenario'): Scenario {
  scenario(value, path);
  const parsed = value as Scenario;
  for (const [i, s] of parsed.steps.entries()) {
    const named = s.do === 'dereg_mr' ? s.region : s.do === 'inject' ? s.packet.target?.region : undefined;
    if (named !== undefined && named >= parsed.regions.length) {
      throw new CaseError(`${path}.steps[${i}]: there is no region ${named}`);
    }
  }
  return parsed;
}
