import type { QpAttr } from '../../spec/verbs.ts';
import { gidOfAddress } from '../reference/index.ts';
import type { Clock, RegisteredMr } from '../adapter.ts';
import type { Host } from './fabric.ts';

export interface FlowOptions {
  clock: Clock;
  from: Host;
  to: Host;
  /** bits per second that the software offers; absent: as much as it can */
  offered?: number;
  /** nanoseconds of the clock before which it posts nothing */
  begin: number;
  /** bytes of one RDMA WRITE, and how many of them may be under way */
  message: number;
  depth: number;
  mtu: 256 | 512 | 1024 | 2048 | 4096;
}

/** RDMA WRITEs of RC from one host to another, one after the other. */
export class Flow {
  readonly qpNum: number;
  /** QP number at the receiver */
  readonly destQp: number;
  readonly #options: FlowOptions;
  readonly #qp: number;
  readonly #cq: number;
  readonly #local: RegisteredMr;
  readonly #remote: RegisteredMr;
  #posted = 0;
  #done = 0;

  private constructor(options: FlowOptions, ends: { near: End; far: End }) {
    this.#options = options;
    this.qpNum = ends.near.qpNum;
    this.destQp = ends.far.qpNum;
    this.#qp = ends.near.qp;
    this.#cq = ends.near.cq;
    this.#local = ends.near.mr;
    this.#remote = ends.far.mr;
  }

  static async open(options: FlowOptions): Promise<Flow> {
    const near = await makeEnd(options.from, options);
    const far = await makeEnd(options.to, options);
    await connect(options.from, near, options.to, far, options.mtu);
    await connect(options.to, far, options.from, near, options.mtu);
    return new Flow(options, { near, far });
  }

  /** Takes completions and posts what is due by now. Throws where a WRITE failed. */
  async pump(): Promise<void> {
    const { from, depth, message, offered, begin, clock } = this.#options;
    const { verbs } = from.nic;
    for (const wc of await verbs.poll_cq(this.#cq, depth)) {
      if (wc.status !== 'IBV_WC_SUCCESS') throw new Error(`a WRITE of ${from.name} ended with ${wc.status}`);
      this.#done++;
    }
    const open = clock.now() - begin;
    const due = open < 0 ? 0 : offered === undefined ? Infinity : (offered * open) / 1e9 / 8 / message;
    while (this.#posted - this.#done < depth && this.#posted < due) {
      this.#posted++;
      await verbs.post_send(this.#qp, {
        wr_id: this.#posted,
        opcode: 'IBV_WR_RDMA_WRITE',
        sg_list: [{ addr: this.#local.addr, length: message, lkey: this.#local.lkey }],
        send_flags: ['IBV_SEND_SIGNALED'],
        remote_addr: this.#remote.addr,
        rkey: this.#remote.rkey,
      });
    }
  }
}

interface End {
  qp: number;
  qpNum: number;
  cq: number;
  mr: RegisteredMr;
}

async function makeEnd({ nic: { verbs } }: Host, { message, depth }: FlowOptions): Promise<End> {
  const pd = await verbs.alloc_pd();
  const mr = await verbs.reg_mr({
    pd,
    length: message,
    access: ['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_REMOTE_WRITE'],
  });
  const cq = await verbs.create_cq({ cqe: 2 * depth });
  const cap = { max_send_wr: depth, max_recv_wr: 1, max_send_sge: 1, max_recv_sge: 1 };
  const { qp, qp_num } = await verbs.create_qp({ pd, qp_type: 'IBV_QPT_RC', send_cq: cq, recv_cq: cq, cap });
  return { qp, qpNum: qp_num, cq, mr };
}

async function connect(near: Host, own: End, far: Host, other: End, mtu: FlowOptions['mtu']): Promise<void> {
  const steps: QpAttr[] = [
    { qp_state: 'IBV_QPS_INIT', pkey_index: 0, port_num: 1, qp_access_flags: ['IBV_ACCESS_REMOTE_WRITE'] },
    {
      qp_state: 'IBV_QPS_RTR',
      ah_attr: { dgid: gidOfAddress(far.endpoint.ipv4), sgid_index: 0 },
      path_mtu: mtu,
      dest_qp_num: other.qpNum,
      rq_psn: 0,
      max_dest_rd_atomic: 1,
      min_rnr_timer: 12,
    },
    { qp_state: 'IBV_QPS_RTS', timeout: 14, retry_cnt: 7, rnr_retry: 6, sq_psn: 0, max_rd_atomic: 1 },
  ];
  for (const step of steps) await near.nic.verbs.modify_qp(own.qp, step);
}
