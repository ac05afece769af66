/**
 * What judging costs per packet, and what it holds in memory, as a connection grows from 10^3 to 10^6 packets:
 * `npx tsx bench/judge.ts [most packets [course...]]`. One QP of a device seen with its verbs calls, as responder and as
 * requester, and the same packets as a capture shows them; WRITEs of three packets, SENDs, and READs of three responses. Either
 * one message at a time and a pause now and then (`settled`), or four under way all the time and receives posted meanwhile.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Judge, loadRules, type Judgement, type TraceEvent, type TraceHeader } from '../oracle/index.ts';
import { opcodeByName } from '../spec/constants.ts';
import type { AccessFlag, SendWr, WcOpcode } from '../spec/verbs.ts';
import { decode, encode, psnAdd, type Packet, type PacketFields } from '../wire/index.ts';

type Role = 'responder' | 'requester' | 'capture';

interface Course {
  role: Role;
  /** messages under way */
  underWay: number;
  /** packets between pauses */
  pause: number;
}

const oneByOne = { underWay: 1, pause: 200 };
const neverAtRest = { underWay: 4, pause: Number.POSITIVE_INFINITY };
const courses: Readonly<Record<string, Course>> = {
  responder: { role: 'responder', ...oneByOne },
  requester: { role: 'requester', ...oneByOne },
  capture: { role: 'capture', ...oneByOne },
  'responder-busy': { role: 'responder', ...neverAtRest },
  'requester-busy': { role: 'requester', ...neverAtRest },
};

const dut = { ip: '10.0.0.1', qp: 0x11 };
const peer = { ip: '10.0.0.2', qp: 0x22 };
const mtu = 256;
const body = new Uint8Array(mtu).fill(0x5a);
const region = { addr: 0x10000n, length: 65536, lkey: 0x66, rkey: 0x77 };
const access: AccessFlag[] = [
  'IBV_ACCESS_LOCAL_WRITE',
  'IBV_ACCESS_REMOTE_WRITE',
  'IBV_ACCESS_REMOTE_READ',
  'IBV_ACCESS_REMOTE_ATOMIC',
];
const header: TraceHeader = {
  sight: { packets: 'at-device', verbs: true },
  clock: 'virtual',
  capabilities: ['rc', 'atomic'],
  dut: { addresses: [dut.ip] },
  limits: { maxDestRdAtomic: 16 },
  timing: { responseTime: 20_000, jitter: 0 },
};
const captured: TraceHeader = { sight: { packets: 'mid-path', verbs: false }, clock: 'recorded' };
// Near the end of the PSNs, so that every length sees them wrap.
const firstPsn = 0xffff00;

function packetOf(fields: PacketFields): Packet {
  const decoded = decode(encode(fields));
  if (decoded.kind !== 'packet') throw new Error(decoded.reason);
  return decoded.packet;
}

function* connection(): Generator<TraceEvent> {
  const at = { t: 0, start: 0 } as const;
  const memory = { lkey: region.lkey, rkey: region.rkey, addr: region.addr, length: region.length };
  yield { kind: 'call', ...at, call: 'reg_mr', pd: 1, mr: 1, ...memory, access };
  const bytes = new Uint8Array(region.length).fill(0x5a);
  yield { kind: 'call', ...at, call: 'write_memory', mr: 1, offset: 0, bytes };
  const queues = { send_cq: 1, recv_cq: 1, max_recv_wr: 1024, max_send_wr: 1024 };
  yield {
    kind: 'call',
    ...at,
    call: 'create_qp',
    pd: 1,
    qp: 1,
    qp_num: dut.qp,
    qp_type: 'IBV_QPT_RC',
    ...queues,
  };
  yield {
    kind: 'call',
    ...at,
    call: 'modify_qp',
    qp: 1,
    attr: { qp_state: 'IBV_QPS_INIT', pkey_index: 0, port_num: 1, qp_access_flags: access },
  };
  yield {
    kind: 'call',
    ...at,
    call: 'modify_qp',
    qp: 1,
    attr: {
      qp_state: 'IBV_QPS_RTR',
      path_mtu: mtu,
      rq_psn: firstPsn,
      dest_qp_num: peer.qp,
      min_rnr_timer: 12,
      max_dest_rd_atomic: 16,
      ah_attr: { dgid: '00000000000000000000ffff0a000002', sgid_index: 0 },
    },
  };
  yield {
    kind: 'call',
    ...at,
    call: 'modify_qp',
    qp: 1,
    attr: {
      qp_state: 'IBV_QPS_RTS',
      timeout: 14,
      retry_cnt: 7,
      rnr_retry: 7,
      sq_psn: firstPsn,
      max_rd_atomic: 16,
    },
  };
}

/** One message: its work request, the packets of the request and of the answer, without times and addresses. */
interface Message {
  wr: Omit<SendWr, 'wr_id'>;
  opcode: WcOpcode;
  request: { operation: string; fields?: Partial<PacketFields> }[];
  /** offsets of PSNs from the first of the request */
  answer: { operation: string; psn: number; aeth: boolean; payload?: Uint8Array }[];
  psns: number;
}

const remote = { remote_addr: region.addr, rkey: region.rkey };
const sge = (length: number): SendWr['sg_list'] => [
  { addr: region.addr + 32768n, length, lkey: region.lkey },
];
const reth = { va: region.addr, rkey: region.rkey, dmaLen: 3 * mtu };
const signaled: SendWr['send_flags'] = ['IBV_SEND_SIGNALED'];

const messages: readonly Message[] = [
  {
    wr: { opcode: 'IBV_WR_RDMA_WRITE', sg_list: sge(3 * mtu), send_flags: signaled, ...remote },
    opcode: 'IBV_WC_RDMA_WRITE',
    request: [
      { operation: 'RDMA_WRITE_FIRST', fields: { reth, payload: body } },
      { operation: 'RDMA_WRITE_MIDDLE', fields: { payload: body } },
      { operation: 'RDMA_WRITE_LAST', fields: { payload: body, ackReq: true } },
    ],
    answer: [{ operation: 'ACKNOWLEDGE', psn: 2, aeth: true }],
    psns: 3,
  },
  {
    wr: { opcode: 'IBV_WR_SEND', sg_list: sge(64), send_flags: signaled },
    opcode: 'IBV_WC_SEND',
    request: [{ operation: 'SEND_ONLY', fields: { payload: body.subarray(0, 64), ackReq: true } }],
    answer: [{ operation: 'ACKNOWLEDGE', psn: 0, aeth: true }],
    psns: 1,
  },
  {
    wr: { opcode: 'IBV_WR_RDMA_READ', sg_list: sge(3 * mtu), send_flags: signaled, ...remote },
    opcode: 'IBV_WC_RDMA_READ',
    request: [{ operation: 'RDMA_READ_REQUEST', fields: { reth } }],
    answer: [
      { operation: 'RDMA_READ_RESPONSE_FIRST', psn: 0, aeth: true, payload: body },
      { operation: 'RDMA_READ_RESPONSE_MIDDLE', psn: 1, aeth: false, payload: body },
      { operation: 'RDMA_READ_RESPONSE_LAST', psn: 2, aeth: true, payload: body },
    ],
    psns: 3,
  },
];

/** The events of one message: those of its request, and those of its answer, ended by its completion. */
class Exchange {
  readonly #role: Role;
  readonly #message: number;
  readonly #shape: Message;
  readonly #psn: number;

  constructor(role: Role, message: number, psn: number) {
    const shape = messages[message % messages.length];
    if (shape === undefined) throw new Error('no messages');
    this.#role = role;
    this.#message = message;
    this.#shape = shape;
    this.#psn = psn;
  }

  get end(): number {
    return psnAdd(this.#psn, this.#shape.psns);
  }

  /** Whether it takes a receive WQE. */
  get receives(): boolean {
    return this.#role !== 'requester' && this.#shape.opcode === 'IBV_WC_SEND';
  }

  *request(clock: Clock): Generator<TraceEvent> {
    const [asks, answers] = this.#role === 'requester' ? [dut, peer] : [peer, dut];
    const t = clock.pass(1000);
    const wr = { ...this.#shape.wr, wr_id: this.#message };
    if (this.#role === 'requester') yield { kind: 'call', t, start: t, call: 'post_send', qp: 1, wr };
    for (const [i, { operation, fields }] of this.#shape.request.entries()) {
      const to = { destQp: answers.qp, srcIp: asks.ip, dstIp: answers.ip, psn: psnAdd(this.#psn, i) };
      const packet = packetOf({ opcode: opcodeByName(`RC_${operation}`), ...to, ...fields });
      yield clock.packet(this.#role === 'requester' ? 'from-dut' : 'to-dut', packet);
    }
  }

  *answer(clock: Clock): Generator<TraceEvent> {
    const [asks, answers] = this.#role === 'requester' ? [dut, peer] : [peer, dut];
    const aeth = { syndrome: 0x1f, msn: (this.#message + 1) & 0xffffff };
    clock.pass(1000);
    for (const part of this.#shape.answer) {
      const to = { destQp: asks.qp, srcIp: answers.ip, dstIp: asks.ip, psn: psnAdd(this.#psn, part.psn) };
      const packet = packetOf({
        opcode: opcodeByName(`RC_${part.operation}`),
        ...to,
        ...(part.aeth ? { aeth } : {}),
        ...(part.payload === undefined ? {} : { payload: part.payload }),
      });
      yield clock.packet(this.#role === 'requester' ? 'to-dut' : 'from-dut', packet);
    }
    const t = clock.pass(500);
    const done = { status: 'IBV_WC_SUCCESS', qp_num: dut.qp } as const;
    if (this.#role === 'requester') {
      const wc = { ...done, wr_id: this.#message, opcode: this.#shape.opcode };
      yield { kind: 'completion', t, cq: 1, wc };
    } else if (this.receives) {
      const wc = { ...done, wr_id: clock.received++, opcode: 'IBV_WC_RECV', byte_len: 64 } as const;
      yield { kind: 'completion', t, cq: 1, wc };
    }
  }
}

/** Time, and what is counted along a trace. */
class Clock {
  t = 1000;
  packets = 0;
  /** receive WQEs posted, and those complete */
  posted = 0;
  received = 0;

  pass(nanoseconds: number): number {
    return (this.t += nanoseconds);
  }

  packet(direction: 'to-dut' | 'from-dut', packet: Packet): TraceEvent {
    return { kind: 'packet', t: this.pass(100), direction, packet, number: ++this.packets };
  }

  *receive(count: number): Generator<TraceEvent> {
    const { t } = this;
    for (let i = 0; i < count; i++) {
      const wr = { wr_id: this.posted++, sg_list: sge(mtu) };
      yield { kind: 'call', t, start: t, call: 'post_recv', qp: 1, wr };
    }
  }
}

/** The trace of one connection with at least so many packets. A receive is posted for each that completes. */
function* trace({ role, underWay, pause }: Course, packets: number): Generator<TraceEvent> {
  yield* connection();
  const clock = new Clock();
  if (role !== 'requester') yield* clock.receive(2 * underWay);
  const open: Exchange[] = [];
  let settled = 0;
  let psn = firstPsn;
  function* answer(): Generator<TraceEvent> {
    const exchange = open.shift();
    if (exchange === undefined) return;
    yield* exchange.answer(clock);
    if (exchange.receives) yield* clock.receive(1);
  }
  for (let message = 0; clock.packets < packets; message++) {
    const exchange = new Exchange(role, message, psn);
    psn = exchange.end;
    open.push(exchange);
    yield* exchange.request(clock);
    if (open.length >= underWay) yield* answer();
    if (clock.packets - settled < pause) continue;
    settled = clock.packets;
    while (open.length > 0) yield* answer();
    yield { kind: 'settled', t: clock.pass(100_000) };
  }
  while (open.length > 0) yield* answer();
  yield { kind: 'settled', t: clock.pass(100_000) };
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes that are held after everything that can go has gone. */
function held(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

interface Cost {
  packets: number;
  /** microseconds per packet */
  each: number;
  judgement: Judgement;
}

const batch = 1000;
const samples = 10;

/** Batches of the trace, made before they are taken; `packets` counts those up to the end of the batch. */
function* batches(course: Course, packets: number): Generator<{ events: TraceEvent[]; packets: number }> {
  let events: TraceEvent[] = [];
  let number = 0;
  for (const event of trace(course, packets)) {
    if (event.kind === 'packet') number = event.number;
    if (course.role !== 'capture') events.push(event);
    else if (event.kind === 'packet') events.push({ ...event, direction: 'unknown' });
    if (events.length < batch) continue;
    yield { events, packets: number };
    events = [];
  }
  yield { events, packets: number };
}

function judgeOf({ role }: Course): Judge {
  return new Judge(role === 'capture' ? captured : header, rules);
}

/** Microseconds of processor time that the process has used: a busy machine changes it less than the time of day. */
function used(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Judges so many traces of that length, one after the other. */
function cost(course: Course, packets: number, rounds: number): Cost {
  let spent = 0;
  let judged = 0;
  let judgement: Judgement | undefined;
  for (let round = 0; round < rounds; round++) {
    const judge = judgeOf(course);
    let number = 0;
    for (const { events, packets: until } of batches(course, packets)) {
      number = until;
      const begun = used();
      for (const event of events) judge.push(event);
      spent += used() - begun;
    }
    const begun = used();
    judgement = judge.finish();
    spent += used() - begun;
    judged += number;
  }
  if (judgement === undefined) throw new RangeError('no rounds');
  return { packets: judged / rounds, each: spent / judged, judgement };
}

/** Most bytes held while judging, above those before. In a pass of its own: collecting garbage slows what comes after. */
function memory(course: Course, packets: number): number {
  const before = held();
  const judge = judgeOf(course);
  let most = 0;
  let sampled = 0;
  for (const { events, packets: until } of batches(course, packets)) {
    for (const event of events) judge.push(event);
    events.length = 0;
    if (until < ((sampled + 1) * packets) / samples) continue;
    most = Math.max(most, held() - before);
    sampled++;
  }
  judge.finish();
  return most;
}

const rules = loadRules();
const mostPackets = Number(process.argv[2] ?? 1_000_000);
const chosen = process.argv.slice(3);
const enough = 100_000;
let sound = true;
for (const [name, course] of Object.entries(courses)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  cost(course, 1000, 50);
  const sizes = [1000, 10_000, 100_000, 1_000_000].filter((size) => size <= mostPackets);
  const costs: Cost[] = [];
  for (const size of sizes) {
    const found = cost(course, size, Math.ceil(enough / size));
    costs.push(found);
    const { packets, each, judgement } = found;
    const { violations, notJudged, inconclusive } = judgement;
    sound &&= violations.length + inconclusive.length === 0;
    const [violation] = violations;
    const remarks = [
      ...(violation === undefined ? [] : [`VIOLATIONS: ${violations.length} (${violation.rule})`]),
      ...inconclusive.map((why) => `INCONCLUSIVE: ${why}`),
      ...[...notJudged].map(([what, n]) => `not judged: ${n} ${what}`),
    ];
    console.log(
      `${name.padEnd(14)}  ${String(packets).padStart(8)} packets  ${each.toFixed(2).padStart(7)} us/packet  ` +
        `holds ${(memory(course, size) / 1024).toFixed(0).padStart(6)} KiB  ${remarks.join(', ')}`.trimEnd(),
    );
  }
  const [first, last] = [costs[0], costs.at(-1)];
  if (first !== undefined && last !== undefined) {
    console.log(`${name.padEnd(14)}  longest against shortest: ${(last.each / first.each).toFixed(2)}`);
  }
}
process.exitCode = sound ? 0 : 1;
