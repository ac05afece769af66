import type { TraceEvent, TraceHeader, VerbsCall } from '../../../oracle/index.ts';
import { opcodeByName } from '../../../spec/constants.ts';
import type { AccessFlag, QpAttr, QpState } from '../../../spec/verbs.ts';
import type { PacketFields } from '../../../wire/index.ts';
import type { Draw } from '../random.ts';
import type { Wire } from '../views/view.ts';

/** `ORC`: RC whose packets may be placed out of order. */
export type Service = 'RC' | 'UC' | 'UD' | 'ORC';

/** A work request that was posted, and may not have completed. */
export interface Posted {
  wr_id: number;
  queue: 'send' | 'receive';
}

export const dut = { ip: '10.0.0.1', qp: 0x11 };
export const peer = { ip: '10.0.0.2', qp: 0x22 };
/** region 1, which may be used for everything, and region 2, which may only be read from far */
export const regions = [
  { mr: 1, addr: 0x10000n, length: 8192, lkey: 0x66, rkey: 0x77 },
  { mr: 2, addr: 0x20000n, length: 64, lkey: 0x68, rkey: 0x79 },
] as const;
export const qkey = 0x1111;
const ah_attr = { dgid: '00000000000000000000ffff0a000002', sgid_index: 0 };
const rights: AccessFlag[] = [
  'IBV_ACCESS_LOCAL_WRITE',
  'IBV_ACCESS_REMOTE_WRITE',
  'IBV_ACCESS_REMOTE_READ',
  'IBV_ACCESS_REMOTE_ATOMIC',
];
const capabilities = ['rc', 'uc', 'ud', 'atomic', 'srq', 'uc-srq', 'ooo', 'apm'];

/** What a trace of a walk stands on: a QP between two ends, its numbers as a sound device would have them, and the events so far. */
export interface Ground {
  readonly draw: Draw;
  readonly wire: Wire;
  readonly service: Service;
  readonly header: TraceHeader;
  readonly events: TraceEvent[];
  readonly mtu: number;
  readonly shared: boolean;
  t: number;
  /** nanoseconds that most steps take */
  pace: number;
  /** next PSN of the peer and of the device, messages of the peer so far */
  theirs: number;
  ours: number;
  messages: number;
  /** family of the message that is open, by direction */
  open: { 'to-dut'?: string | undefined; 'from-dut'?: string | undefined };
  posted: Posted[];
  made: number;
}

export function call(on: Ground, made: VerbsCall): void {
  on.events.push({ kind: 'call', t: on.t, start: on.t, ...made });
}

/** A packet between both ends; operation without the service. */
export function packet(
  on: Ground,
  direction: 'to-dut' | 'from-dut',
  operation: string,
  psn: number,
  more: Partial<PacketFields>,
): void {
  const [from, to] = direction === 'to-dut' ? [peer, dut] : [dut, peer];
  const { service, wire, events } = on;
  on.t += on.pace;
  const fields = {
    opcode: opcodeByName(`${service}_${operation}`),
    psn: psn & 0xff_ffff,
    destQp: to.qp,
    srcIp: from.ip,
    dstIp: to.ip,
    ...(service === 'UD' && { deth: { qkey, srcQp: from.qp } }),
    ...more,
  };
  const decoded = wire.decode(wire.encode(fields));
  const hidden = on.header.sight.packets === 'mid-path' && !on.header.sight.verbs;
  if (decoded.kind === 'packet')
    events.push({
      kind: 'packet',
      t: on.t,
      direction: hidden ? 'unknown' : direction,
      packet: decoded.packet,
      number: events.length,
    });
}

function headerOf(draw: Draw): TraceHeader {
  const timing = {
    timing: { responseTime: draw.of([1000, 20_000]) ?? 1000, jitter: draw.of([0, 500]) ?? 0 },
  };
  if (draw.below(4) === 0)
    return {
      sight: { packets: 'mid-path', verbs: false },
      clock: 'recorded',
      ...(draw.below(2) === 0 && timing),
    };
  const low = draw.of([10_000, 100_000]) ?? 0;
  const outOfOrder = {
    window: draw.of([2, 8]) ?? 8,
    cap: draw.of([1, 4]) ?? 4,
    rto: { low, high: 4 * low, few: draw.of([1, 2]) ?? 2 },
    fence: draw.of(['indicator', 'application'] as const) ?? 'indicator',
    fencesAll: draw.below(2) === 0,
  };
  return {
    sight: {
      packets: draw.of(['at-device', 'at-device', 'at-device', 'none'] as const) ?? 'none',
      verbs: true,
    },
    clock: draw.of(['virtual', 'virtual', 'real'] as const) ?? 'virtual',
    ...(draw.below(6) > 0 && { capabilities: capabilities.filter(() => draw.below(12) > 0) }),
    dut: { addresses: [dut.ip] },
    ...(draw.below(3) > 0 && timing),
    ...(draw.below(3) > 0 && { outOfOrder }),
    ...(draw.below(3) === 0 && { limits: { maxDestRdAtomic: 4, minTimeout: draw.of([0, 8]) ?? 0 } }),
  };
}

const states = ['RESET', 'INIT', 'RTR', 'RTS'] as const;

/** Attributes of ibv_modify_qp on the way into a state. */
export function attributesOf(on: Ground, state: string): QpAttr {
  const { draw, service, mtu } = on;
  const reliable = service === 'RC' || service === 'ORC';
  const path = { ah_attr, path_mtu: mtu as 256, dest_qp_num: peer.qp, rq_psn: on.theirs };
  const access = reliable ? rights.filter(() => draw.below(10) > 0) : rights.slice(0, 2);
  switch (state) {
    case 'INIT':
      return { pkey_index: 0, port_num: 1, ...(service === 'UD' ? { qkey } : { qp_access_flags: access }) };
    case 'RTR':
      return {
        ...(service !== 'UD' && path),
        ...(reliable && {
          max_dest_rd_atomic: draw.of([4, 4, 1, 0]) ?? 4,
          min_rnr_timer: draw.of([1, 12]) ?? 1,
        }),
      };
    case 'RTS':
      return {
        sq_psn: on.ours,
        ...(reliable && {
          timeout: draw.of([8, 1, 0, 14]) ?? 8,
          retry_cnt: draw.of([0, 1, 2, 7]) ?? 2,
          rnr_retry: draw.of([0, 1, 6, 7]) ?? 1,
          max_rd_atomic: draw.of([1, 2]) ?? 1,
        }),
      };
    default:
      return {};
  }
}

/** The calls that make a QP, and bring it into its state or not quite. */
function connect(on: Ground): void {
  const { draw, service, shared } = on;
  for (const [i, region] of regions.entries())
    call(on, { call: 'reg_mr', pd: 1, access: i === 0 ? rights : ['IBV_ACCESS_REMOTE_READ'], ...region });
  call(on, { call: 'create_cq', cq: 1, cqe: draw.of([64, 64, 64, 1, 2]) ?? 64 });
  if (shared) call(on, { call: 'create_srq', pd: 1, srq: 5, max_wr: 8, max_sge: 2 });
  if (service === 'UD') call(on, { call: 'create_ah', pd: 1, ah: 7, attr: ah_attr });
  const wide = draw.of([64, 64, 2]) ?? 64;
  call(on, {
    call: 'create_qp',
    pd: 1,
    qp: 1,
    qp_num: dut.qp,
    qp_type: service === 'ORC' ? 'IBV_QPT_RC' : `IBV_QPT_${service}`,
    send_cq: 1,
    recv_cq: 1,
    max_recv_wr: wide,
    max_send_wr: wide,
    ...(service === 'ORC' && { ooo: true }),
    ...(shared && { srq: 5 }),
  });
  const last = draw.of([3, 3, 3, 3, 3, 3, 2, 2, 1, 0]) ?? 3;
  for (const state of states.slice(1, last + 1)) {
    const qp_state: QpState = `IBV_QPS_${state}`;
    call(on, { call: 'modify_qp', qp: 1, attr: { qp_state, ...attributesOf(on, state) } });
  }
}

/** A QP that something can happen to. */
export function ground(draw: Draw, wire: Wire): Ground {
  const header = headerOf(draw);
  const psn = draw.of([100, 100, 0xff_fffe]) ?? 100;
  const on: Ground = {
    draw,
    wire,
    service: draw.of(['RC', 'RC', 'UC', 'UD', 'ORC'] as const) ?? 'RC',
    header,
    events: [],
    mtu: draw.of([256, 256, 512]) ?? 256,
    shared: draw.below(5) === 0,
    t: 0,
    pace: draw.of([0, 10, 100, 1000]) ?? 0,
    theirs: psn,
    ours: psn,
    messages: 0,
    open: {},
    posted: [],
    made: 0,
  };
  if (header.sight.verbs) connect(on);
  return on;
}
