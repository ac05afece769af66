import type { PacketFields } from '../../../wire/index.ts';
import { call, dut, packet, qkey, regions, peer, type Ground } from './ground.ts';
import type { SendWr, WcOpcode, WcStatus, WrOpcode } from '../../../spec/verbs.ts';
import { packetCount, positionOf } from '../../segments.ts';

/** A send work request with the numbers that a device gives it. */
interface Work {
  wr_id: number;
  opcode: WrOpcode;
  length: number;
  psn: number;
  packets: number;
  /** message number, and of an out-of-order QP the numbers of its receive WQE and READ */
  msn: number;
  receive: number | undefined;
  read: number | undefined;
}

/** A device that sends what was posted to it, packet by packet, and what was sent and acknowledged of it. */
interface Sender {
  readonly on: Ground;
  readonly work: Work[];
  /** PSN sent next, behind all that was sent, oldest not acknowledged, behind all that was posted */
  cursor: number;
  end: number;
  una: number;
  postedEnd: number;
  receives: number;
  reads: number;
  completed: number;
}

const { addr, lkey } = regions[0];
const far = { va: 0x4000n, rkey: 9 };
const opcodes: readonly WrOpcode[] = [
  'IBV_WR_SEND',
  'IBV_WR_SEND',
  'IBV_WR_SEND',
  'IBV_WR_RDMA_WRITE',
  'IBV_WR_SEND_WITH_IMM',
  'IBV_WR_RDMA_READ',
];
const wcOpcodes: Readonly<Partial<Record<WrOpcode, WcOpcode>>> = {
  IBV_WR_RDMA_WRITE: 'IBV_WC_RDMA_WRITE',
  IBV_WR_RDMA_READ: 'IBV_WC_RDMA_READ',
};

function post(to: Sender): void {
  const { on } = to;
  const { draw, service, mtu } = on;
  const opcode =
    draw.of(service === 'RC' || service === 'ORC' ? opcodes : opcodes.slice(0, 3)) ?? 'IBV_WR_SEND';
  const read = opcode === 'IBV_WR_RDMA_READ';
  const length = read || service === 'UD' ? 16 : (draw.of([16, 16, 16, 0, mtu + 16]) ?? 16);
  const signaled = draw.below(6) > 0;
  const wr: SendWr = {
    wr_id: ++on.made,
    opcode,
    sg_list: length === 0 ? [] : [{ addr: addr + (read ? 4096n : 0n), length, lkey }],
    send_flags: [
      ...(signaled ? (['IBV_SEND_SIGNALED'] as const) : []),
      ...(draw.below(10) === 0 ? (['IBV_SEND_FENCE'] as const) : []),
    ],
    remote_addr: far.va,
    rkey: far.rkey,
    ...(opcode === 'IBV_WR_SEND_WITH_IMM' && { imm_data: 7 }),
    ...(service === 'UD' && { ah: 7, remote_qpn: peer.qp, remote_qkey: qkey }),
  };
  call(on, { call: 'post_send', qp: 1, wr });
  const consumes = opcode === 'IBV_WR_SEND' || opcode === 'IBV_WR_SEND_WITH_IMM';
  const packets = read ? 1 : packetCount(length, mtu);
  to.work.push({
    wr_id: wr.wr_id,
    opcode,
    length,
    psn: to.postedEnd,
    packets,
    msn: to.work.length + 1,
    receive: consumes ? to.receives++ : undefined,
    read: read ? to.reads++ : undefined,
  });
  to.postedEnd += packets;
}

/** The packet that a work request calls for at this PSN. */
function sendAt(to: Sender, psn: number): void {
  const { on } = to;
  const { mtu, service, draw } = on;
  const work = to.work.find((one) => psn >= one.psn && psn < one.psn + one.packets);
  if (work === undefined) return;
  const at = psn - work.psn;
  const last = at === work.packets - 1;
  const ooo = service === 'ORC';
  const flags = (work.receive === undefined ? 0 : 1) | (work.read === undefined ? 0 : 2);
  const ooeth = { flags, recvWqeSn: work.receive ?? 0, readWqeSn: work.read ?? 0, offset: at * mtu };
  const common: Partial<PacketFields> = { ...(ooo && { ooeth }), ackReq: last || draw.below(2) === 0 };
  const reth = { reth: { ...far, dmaLen: work.length } };
  if (work.read !== undefined) packet(on, 'from-dut', 'RDMA_READ_REQUEST', psn, { ...common, ...reth });
  else {
    const family = work.opcode === 'IBV_WR_RDMA_WRITE' ? 'RDMA_WRITE' : 'SEND';
    const immediate = last && work.opcode === 'IBV_WR_SEND_WITH_IMM';
    packet(
      on,
      'from-dut',
      `${family}_${positionOf(at, work.packets)}${immediate ? '_WITH_IMMEDIATE' : ''}`,
      psn,
      {
        ...common,
        ...(family === 'RDMA_WRITE' && (at === 0 || ooo) && reth),
        ...(immediate && { immediate: 7 }),
        payload: new Uint8Array(last ? work.length - at * mtu : mtu),
      },
    );
  }
  to.cursor = service === 'ORC' ? Math.max(to.cursor, psn + 1) : psn + 1;
  to.end = Math.max(to.end, psn + 1);
}

/** Sends what is next, or something again. */
function sends(to: Sender): void {
  const { draw } = to.on;
  if (draw.below(3) > 0 || to.end === to.una) sendAt(to, to.cursor);
  else sendAt(to, draw.below(3) > 0 ? to.una : to.una + draw.below(to.end - to.una));
}

/** The far end answers something that is under way, or nearly. */
function answered(to: Sender): void {
  const { on } = to;
  const { draw, service } = on;
  const range = to.end - to.una;
  const psn = to.una - (draw.below(6) === 0 ? 1 : 0) + (range > 0 ? draw.below(range) : 0);
  const msn = to.work.filter((one) => one.psn + one.packets <= psn + 1).length;
  const work = to.work.find((one) => one.psn === psn);
  const syndrome =
    draw.of([
      0x1f,
      0x1f,
      0x1f,
      0x1f,
      0x21,
      0x21,
      0x22,
      0x60,
      0x60,
      draw.of([0x61, 0x62, 0x63, 0x00, 0x7f, 0x64]) ?? 0x1f,
    ]) ?? 0x1f;
  const ooeth = {
    flags: work?.read === undefined ? 0 : 2,
    recvWqeSn: 0,
    readWqeSn: work?.read ?? 0,
    offset: 0,
  };
  if (work?.read !== undefined && draw.below(4) > 0) {
    packet(on, 'to-dut', 'RDMA_READ_RESPONSE_ONLY', psn, {
      aeth: { syndrome: 0x1f, msn },
      payload: new Uint8Array(16),
      ...(service === 'ORC' && { ooeth }),
    });
  } else {
    const refuses = syndrome >= 0x20;
    const aeth = { syndrome, msn: Math.max(0, refuses ? msn - 1 : msn) };
    const selective = draw.below(3) === 0 && range > 1;
    const trigger = selective ? psn + 1 + draw.below(range) : psn;
    const saeth = { flags: selective ? 1 : 0, trigger: trigger & 0xff_ffff };
    packet(on, 'to-dut', 'ACKNOWLEDGE', psn, { aeth, ...(service === 'ORC' && { ooeth, saeth }) });
    if (refuses) return;
  }
  to.una = Math.max(to.una, psn + 1);
}

const statuses: readonly WcStatus[] = [
  'IBV_WC_RETRY_EXC_ERR',
  'IBV_WC_RNR_RETRY_EXC_ERR',
  'IBV_WC_REM_ACCESS_ERR',
  'IBV_WC_WR_FLUSH_ERR',
  'IBV_WC_BAD_RESP_ERR',
];

/** The oldest work request completes: with success if it is acknowledged, mostly. */
function completes(to: Sender): void {
  const { on, work, completed } = to;
  const one = work[completed];
  if (one === undefined) return;
  const done = one.psn + one.packets <= to.una;
  if (!done && on.draw.below(4) > 0) return;
  to.completed++;
  const status = (done ? 'IBV_WC_SUCCESS' : on.draw.of(statuses)) ?? 'IBV_WC_SUCCESS';
  const opcode = wcOpcodes[one.opcode] ?? 'IBV_WC_SEND';
  on.events.push({
    kind: 'completion',
    t: on.t,
    cq: 1,
    wc: { wr_id: one.wr_id, status, qp_num: dut.qp, ...(done && { opcode }) },
  });
}

/** Times that a requester goes by: its timers, the waits of RNR NAKs, and what a device may take. */
function elapses({ on }: Sender): void {
  const { draw, header } = on;
  const { rto = { low: 10_000, high: 40_000 } } = header.outOfOrder ?? {};
  const response = header.timing?.responseTime ?? 1000;
  const base = draw.of([8192, 1_048_576, 10_000, 20_000, response, rto.low, rto.high]) ?? 0;
  const factor = draw.of([0.5, 1, 1, 1.01, 2, 2.5, 4, 4.01, 5, 10, 10.5]) ?? 1;
  on.t += Math.round(base * factor) + (draw.of([0, 0, 0, 1, -1]) ?? 0);
  if (draw.below(6) === 0) on.events.push({ kind: 'settled', t: (on.t += response + 1000) });
}

function asks({ on }: Sender): void {
  const { draw } = on;
  const turn = draw.below(4);
  if (turn === 0)
    call(on, {
      call: 'query_qp',
      qp: 1,
      attr: { qp_state: draw.of(['IBV_QPS_RTS', 'IBV_QPS_ERR'] as const) ?? 'IBV_QPS_RTS' },
    });
  else if (turn === 1)
    call(on, {
      call: 'modify_qp',
      qp: 1,
      attr: { qp_state: draw.of(['IBV_QPS_SQD', 'IBV_QPS_RTS', 'IBV_QPS_ERR'] as const) ?? 'IBV_QPS_SQD' },
    });
  else if (turn === 2)
    call(on, {
      call: 'modify_qp',
      qp: 1,
      attr:
        draw.of([
          { timeout: draw.of([0, 1, 8]) ?? 0 },
          { retry_cnt: draw.below(4) },
          { rnr_retry: draw.below(4) },
        ]) ?? {},
    });
}

/** A device sends what is posted, the far end answers, time goes by: each mostly what fits, when it will. */
export function drill(on: Ground, steps: number): void {
  const to: Sender = {
    on,
    work: [],
    cursor: on.ours,
    end: on.ours,
    una: on.ours,
    postedEnd: on.ours,
    receives: 0,
    reads: 0,
    completed: 0,
  };
  const reliable = on.service === 'RC' || on.service === 'ORC';
  for (let left = steps; left > 0; left--) {
    const turn = on.draw.below(20);
    if (to.work.length === 0 || turn < 3) post(to);
    else if (turn < 9) sends(to);
    else if (turn < 14) {
      if (reliable) answered(to);
      else completes(to);
    } else if (turn < 17) elapses(to);
    else if (turn < 19) completes(to);
    else asks(to);
  }
}
