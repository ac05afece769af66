import { expect } from 'vitest';
import type { RegisteredMr, Verbs } from '../adapters/adapter.ts';
import type { PathMtu, SendWr, Wc, WrOpcode } from '../spec/verbs.ts';
import { everyRight } from './rights.ts';
import { seeded } from '../adapters/seeded.ts';

/** One device and its address. */
export interface Party {
  verbs: Verbs;
  pd: number;
  /** GID of the address, and its index in the device's table */
  gid: string;
  gidIndex: number;
}

/** One end of a connection. */
export interface End {
  party: Party;
  cq: number;
  qp: number;
  num: number;
  mr: RegisteredMr;
}

export interface LinkOptions {
  mtu: PathMtu;
  /** first PSN of requests of the first end and of the second */
  psns: readonly [number, number];
  timeout: number;
  /** messages under way at a time, and the greatest length of one (multiple of 8) */
  depth: number;
  slot: number;
  readDepth: number;
}

export const operations: readonly WrOpcode[] = [
  'IBV_WR_SEND',
  'IBV_WR_SEND_WITH_IMM',
  'IBV_WR_RDMA_WRITE',
  'IBV_WR_RDMA_WRITE_WITH_IMM',
  'IBV_WR_RDMA_READ',
  'IBV_WR_ATOMIC_FETCH_AND_ADD',
  'IBV_WR_ATOMIC_CMP_AND_SWP',
];

async function makeEnd(party: Party, { depth, slot }: LinkOptions): Promise<End> {
  const { verbs, pd } = party;
  const cq = await verbs.create_cq({ cqe: 4 * depth });
  const mr = await verbs.reg_mr({ pd, length: depth * slot, access: everyRight });
  const cap = { max_send_wr: depth, max_recv_wr: depth, max_send_sge: 1, max_recv_sge: 1 };
  const { qp, qp_num } = await verbs.create_qp({ pd, qp_type: 'IBV_QPT_RC', send_cq: cq, recv_cq: cq, cap });
  return { party, cq, qp, num: qp_num, mr };
}

async function connectEnd(end: End, other: End, options: LinkOptions, first: boolean): Promise<void> {
  const { verbs, gidIndex } = end.party;
  const [own, others] = first ? options.psns : options.psns.toReversed();
  await verbs.modify_qp(end.qp, {
    qp_state: 'IBV_QPS_INIT',
    pkey_index: 0,
    port_num: 1,
    qp_access_flags: everyRight.slice(1),
  });
  await verbs.modify_qp(end.qp, {
    qp_state: 'IBV_QPS_RTR',
    ah_attr: { dgid: other.party.gid, sgid_index: gidIndex },
    path_mtu: options.mtu,
    dest_qp_num: other.num,
    rq_psn: others ?? 0,
    max_dest_rd_atomic: options.readDepth,
    min_rnr_timer: 12,
  });
  await verbs.modify_qp(end.qp, {
    qp_state: 'IBV_QPS_RTS',
    sq_psn: own ?? 0,
    timeout: options.timeout,
    retry_cnt: 7,
    rnr_retry: 7,
    max_rd_atomic: options.readDepth,
  });
}

/** Two RC QPs, connected to each other. */
export async function makeLink(a: Party, b: Party, options: LinkOptions): Promise<readonly [End, End]> {
  const ends = [await makeEnd(a, options), await makeEnd(b, options)] as const;
  await connectEnd(ends[0], ends[1], options, true);
  await connectEnd(ends[1], ends[0], options, false);
  return ends;
}

interface Batch {
  requester: End;
  responder: End;
  options: LinkOptions;
  seed: number;
  count: number;
  /** pauses before the receives are posted; default none, and before anything is sent */
  late?: number;
  /** lets time pass between two looks at the completions; throws when it has been too long */
  pause: () => Promise<void>;
}

async function collect(end: End, wanted: number, pause: () => Promise<void>): Promise<Wc[]> {
  const found: Wc[] = [];
  while (found.length < wanted) {
    const more = await end.party.verbs.poll_cq(end.cq, 64);
    found.push(...more);
    if (more.some((wc) => wc.status !== 'IBV_WC_SUCCESS')) break;
    if (more.length === 0) await pause();
  }
  return found;
}

/**
 * Posts `count` (at most `depth`) messages of random kinds and lengths at once, waits for all completions and compares
 * the memory of both ends with what the messages must have made of it.
 */
export async function exchange({
  requester,
  responder,
  options,
  seed,
  count,
  late = 0,
  pause,
}: Batch): Promise<void> {
  const random = seeded(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const { slot, depth } = options;
  const bytes = (): Buffer => Buffer.from(Array.from({ length: slot * depth }, () => below(256)));
  const local = bytes();
  const remote = bytes();
  const [r, s] = [requester.party.verbs, responder.party.verbs];
  await Promise.all([r.write_memory(requester.mr.mr, 0, local), s.write_memory(responder.mr.mr, 0, remote)]);
  const posts: SendWr[] = [];
  let receives = 0;
  const post: (() => Promise<void>)[] = [];
  for (let i = 0; i < count; i++) {
    const opcode = operations[below(operations.length)] ?? 'IBV_WR_SEND';
    const at = i * slot;
    const length = opcode.startsWith('IBV_WR_ATOMIC') ? 8 : 1 + below(slot);
    const base: SendWr = {
      wr_id: i,
      opcode,
      sg_list: [{ addr: requester.mr.addr + BigInt(at), length, lkey: requester.mr.lkey }],
      send_flags: ['IBV_SEND_SIGNALED'],
      remote_addr: responder.mr.addr + BigInt(at),
      rkey: responder.mr.rkey,
      imm_data: below(2 ** 32),
    };
    const takesReceive = /SEND|WITH_IMM/.test(opcode);
    if (takesReceive) {
      receives++;
      const sg_list = [{ addr: responder.mr.addr + BigInt(at), length: slot, lkey: responder.mr.lkey }];
      const receive = (): Promise<void> => s.post_recv(responder.qp, { wr_id: i, sg_list });
      if (late === 0) await receive();
      else post.push(receive);
    }
    if (opcode === 'IBV_WR_RDMA_READ') remote.copy(local, at, at, at + length);
    else if (opcode.startsWith('IBV_WR_ATOMIC')) {
      const before = remote.readBigUInt64LE(at);
      const add = opcode === 'IBV_WR_ATOMIC_FETCH_AND_ADD';
      base.compare_add = add ? BigInt(below(2 ** 32)) : before ^ BigInt(below(2));
      base.swap = BigInt(below(2 ** 32));
      const swapped = base.compare_add === before ? base.swap : before;
      remote.writeBigUInt64LE(add ? BigInt.asUintN(64, before + base.compare_add) : swapped, at);
      local.writeBigUInt64LE(before, at);
    } else local.copy(remote, at, at, at + length);
    posts.push(base);
  }
  // one after the other for the order, without waiting for each answer
  await Promise.all(posts.map((wr) => r.post_send(requester.qp, wr)));
  for (let i = 0; i < late; i++) await pause();
  for (const receive of post) await receive();
  const [sent, received] = await Promise.all([
    collect(requester, count, pause),
    collect(responder, receives, pause),
  ]);
  expect([...sent, ...received].filter((wc) => wc.status !== 'IBV_WC_SUCCESS')).toEqual([]);
  expect(sent.map((wc) => wc.wr_id)).toEqual(posts.map((wr) => wr.wr_id));
  expect(received).toHaveLength(receives);
  const [l, m] = await Promise.all([
    r.read_memory(requester.mr.mr, 0, local.length),
    s.read_memory(responder.mr.mr, 0, remote.length),
  ]);
  expect(Buffer.from(l).equals(local), 'data at the requester').toBe(true);
  expect(Buffer.from(m).equals(remote), 'data at the responder').toBe(true);
}
