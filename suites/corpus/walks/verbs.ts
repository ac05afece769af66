import type { TraceEvent } from '../../../oracle/index.ts';
import { eventType, wcStatus } from '../../../spec/constants.ts';
import type { EventType, QpAttr, QpState, SendWr, WcStatus, WrOpcode } from '../../../spec/verbs.ts';
import { attributesOf, call, dut, peer, qkey, regions, type Ground } from './ground.ts';

const [everything, readable] = regions;
const opcodes: readonly WrOpcode[] = [
  'IBV_WR_SEND',
  'IBV_WR_SEND',
  'IBV_WR_SEND_WITH_IMM',
  'IBV_WR_RDMA_WRITE',
  'IBV_WR_RDMA_WRITE_WITH_IMM',
  'IBV_WR_RDMA_READ',
  'IBV_WR_ATOMIC_FETCH_AND_ADD',
];

function element(on: Ground, length: number): SendWr['sg_list'] {
  const { draw } = on;
  const region = draw.below(10) > 0 ? everything : readable;
  const lkey = draw.below(16) > 0 ? region.lkey : 1;
  const at = BigInt(draw.of([0, 0, 4096, 8180]) ?? 0);
  return draw.below(20) > 0 ? [{ addr: region.addr + at, length, lkey }] : [];
}

function receives(on: Ground): void {
  const { draw, shared, posted } = on;
  const wr = { wr_id: ++on.made, sg_list: element(on, draw.of([256, 256, 1024, 8, 0]) ?? 256) };
  call(on, shared ? { call: 'post_srq_recv', srq: 5, wr } : { call: 'post_recv', qp: 1, wr });
  posted.push({ wr_id: wr.wr_id, queue: 'receive' });
}

function sends(on: Ground): void {
  const { draw, mtu, service, posted } = on;
  const opcode = draw.of(opcodes) ?? 'IBV_WR_SEND';
  const atomic = opcode === 'IBV_WR_ATOMIC_FETCH_AND_ADD';
  const length = atomic ? 8 : (draw.of([16, 16, 16, 0, mtu, mtu + 16, 2 * mtu]) ?? 16);
  const flags = (
    ['IBV_SEND_SIGNALED', 'IBV_SEND_SOLICITED', 'IBV_SEND_FENCE', 'IBV_SEND_INLINE'] as const
  ).filter((_, i) => (i === 0 ? draw.below(5) > 0 : draw.below(12) === 0));
  const wr: SendWr = {
    wr_id: ++on.made,
    opcode,
    sg_list: element(on, length),
    send_flags: [...flags],
    remote_addr: 0x4000n,
    rkey: 9,
    ...(atomic && { compare_add: 1n }),
    ...(service === 'UD' && {
      ah: 7,
      remote_qpn: peer.qp,
      remote_qkey: draw.of([qkey, 2 ** 31, 0x2222]) ?? qkey,
    }),
  };
  call(on, { call: 'post_send', qp: 1, wr });
  posted.push({ wr_id: wr.wr_id, queue: 'send' });
}

const statuses: readonly WcStatus[] = Object.keys(wcStatus.numbers) as WcStatus[];

/** A completion of the oldest work request of a queue, or of another. */
function completes(on: Ground): void {
  const { draw, posted, events, t } = on;
  const queue = draw.of(['send', 'receive']);
  const waiting = posted.filter((work) => work.queue === queue);
  const work = draw.below(10) > 0 ? waiting[0] : draw.of(waiting);
  if (work === undefined) return;
  posted.splice(posted.indexOf(work), 1);
  const status =
    draw.of([
      'IBV_WC_SUCCESS',
      'IBV_WC_SUCCESS',
      'IBV_WC_SUCCESS',
      'IBV_WC_WR_FLUSH_ERR',
      draw.of(statuses),
    ] as const) ?? 'IBV_WC_SUCCESS';
  const received = queue === 'receive' && status === 'IBV_WC_SUCCESS';
  const event: TraceEvent = {
    kind: 'completion',
    t,
    cq: 1,
    wc: {
      wr_id: work.wr_id,
      status,
      qp_num: dut.qp,
      ...(received && {
        opcode:
          draw.of(['IBV_WC_RECV', 'IBV_WC_RECV', 'IBV_WC_RECV_RDMA_WITH_IMM'] as const) ?? 'IBV_WC_RECV',
        byte_len: draw.of([16, 16, 272, 1, 0, 56]) ?? 16,
        ...(draw.below(3) === 0 && { imm_data: 7 }),
        ...(on.service === 'UD' && { src_qp: peer.qp, grh: true }),
      }),
    },
  };
  events.push(event);
}

const stateNames = ['RESET', 'INIT', 'RTR', 'RTS', 'SQD', 'SQE', 'ERR'] as const;

/** Attributes that a call may give besides. */
function besides(on: Ground): QpAttr {
  const { draw } = on;
  if (draw.below(3) > 0) return {};
  return (
    draw.of<QpAttr>([
      { timeout: draw.of([0, 1, 8]) ?? 0 },
      { retry_cnt: draw.below(8) },
      { rnr_retry: draw.below(8) },
      { rq_psn: draw.of([5, 0xff_ffff, 2 ** 24]) ?? 0 },
      { sq_psn: draw.of([5, 0xff_ffff, 2 ** 24]) ?? 0 },
      { dest_qp_num: draw.of([5, 0xff_ffff, 2 ** 24]) ?? 0 },
      { pkey_index: draw.below(2) },
      { port_num: 1 + draw.below(2) },
      { qkey },
      { en_sqd_async_notify: true },
      { min_rnr_timer: draw.below(32) },
      { max_dest_rd_atomic: draw.below(5) },
      { max_rd_atomic: draw.below(3) },
      { cur_qp_state: 'IBV_QPS_RTS' },
      { path_mig_state: 'IBV_MIG_MIGRATED' },
    ]) ?? {}
  );
}

function modifies(on: Ground): void {
  const { draw, events, t } = on;
  const state = draw.of(stateNames) ?? 'ERR';
  const name: QpState = `IBV_QPS_${state}`;
  const named = draw.below(4) > 0;
  const attr = { ...(named && { qp_state: name, ...attributesOf(on, state) }), ...besides(on) };
  if (draw.below(3) > 0) call(on, { call: 'modify_qp', qp: 1, attr });
  else {
    const errno = draw.of([22, 22, 5]) ?? 22;
    const attempted = { call: 'modify_qp', qp: 1, attr } as const;
    events.push({ kind: 'call-failed', t, start: t, call: 'modify_qp', qp: 1, errno, attempted });
  }
  if (state === 'RESET' && named) on.posted = [];
}

function queries(on: Ground): void {
  const { draw } = on;
  const state = draw.of(['RTS', 'RTS', 'RTR', 'ERR', 'ERR', draw.of(stateNames)] as const) ?? 'RTS';
  call(on, { call: 'query_qp', qp: 1, attr: { qp_state: `IBV_QPS_${state}`, ...besides(on) } });
}

const kinds: readonly EventType[] = Object.keys(eventType.numbers) as EventType[];

function announces(on: Ground): void {
  const { draw, events, t } = on;
  const event_type =
    draw.of([
      'IBV_EVENT_COMM_EST',
      'IBV_EVENT_SQ_DRAINED',
      'IBV_EVENT_QP_FATAL',
      'IBV_EVENT_QP_ACCESS_ERR',
      draw.of(kinds),
    ] as const) ?? 'IBV_EVENT_QP_FATAL';
  const whose = draw.of([
    { qp_num: dut.qp },
    { qp_num: dut.qp },
    { qp_num: dut.qp },
    { cq: 1 },
    { srq: 5 },
    { port_num: 1 },
    {},
  ]);
  events.push({ kind: 'async', t, event: { event_type, ...whose } });
}

function reads(on: Ground): void {
  const { draw, events, t } = on;
  const bytes = new Uint8Array(16).fill(draw.of([0, 0, 0xab]) ?? 0);
  events.push({ kind: 'memory', t, mr: 1 + draw.below(2), offset: draw.of([0, 0, 4096, -16]) ?? 0, bytes });
}

/** A call of software, or what a call gives back to it. */
export function software(on: Ground): void {
  const { draw } = on;
  const turn = draw.below(26);
  if (turn < 6) receives(on);
  else if (turn < 12) sends(on);
  else if (turn < 18) completes(on);
  else if (turn < 20) modifies(on);
  else if (turn < 21) queries(on);
  else if (turn < 23) announces(on);
  else if (turn < 25) reads(on);
  else if (draw.below(2) === 0) call(on, { call: 'dereg_mr', mr: 1 + draw.below(2) });
  else call(on, { call: 'write_memory', mr: 1, offset: 0, bytes: new Uint8Array(16).fill(0xab) });
}
