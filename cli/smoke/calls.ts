import { guardBytes, VerbsError } from '../../adapters/adapter.ts';
import type { RegisteredMr } from '../../adapters/adapter.ts';
import type { AhAttr, QpAttr, QpState, Wc } from '../../spec/verbs.ts';
import { addressOf, gidIndexOf, gidOf } from '../../suites/driver/setup/gid.ts';
import { must, Wrong, type Subject } from './step.ts';

/** One call, or a few that belong together. Resolves to a remark, or to nothing; throws whatever the call throws, or Wrong. */
export interface CallStep {
  name: string;
  run: () => Promise<string | undefined | void>;
}

const regionBytes = 256;
const noSuchHandle = 0x7fffff;

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) === 0;
}

/** Every call that a scenario is made of, in an order in which each can succeed. */
export function callSteps({ bench, profile }: Subject): CallStep[] {
  const { verbs, clock } = bench;
  const has = (word: (typeof profile.capabilities)[number]): boolean => profile.capabilities.includes(word);
  const ip = profile.ipVersions[0] ?? 4;
  const service = has('rc') ? 'IBV_QPT_RC' : has('uc') ? 'IBV_QPT_UC' : 'IBV_QPT_UD';
  const ah: AhAttr = {
    dgid: gidOf(addressOf(bench.peer, ip)),
    sgid_index: gidIndexOf(bench.dut, ip),
    hop_limit: 64,
    port_num: 1,
  };
  const made = { pd: 0, cq: 0, qp: 0, mr: { mr: 0, addr: 0n, lkey: 0, rkey: 0 } satisfies RegisteredMr };

  const state = async (wanted: QpState): Promise<void> => {
    const { qp_state } = await verbs.query_qp(made.qp);
    must(qp_state === wanted, `query_qp says ${qp_state ?? 'nothing'}, not ${wanted}`);
  };
  const connected: Partial<Record<QpState, QpAttr>> =
    service === 'IBV_QPT_UD'
      ? {}
      : {
          IBV_QPS_RTR: {
            path_mtu: profile.pathMtus[0] ?? 256,
            dest_qp_num: 0x700001,
            rq_psn: 0,
            ah_attr: ah,
            ...(service === 'IBV_QPT_RC' && { max_dest_rd_atomic: 1, min_rnr_timer: 12 }),
          },
          IBV_QPS_RTS: {
            sq_psn: 0,
            ...(service === 'IBV_QPT_RC' && { timeout: 14, retry_cnt: 7, rnr_retry: 6, max_rd_atomic: 1 }),
          },
        };
  const initial: QpAttr = {
    pkey_index: 0,
    port_num: 1,
    ...(service === 'IBV_QPT_UD' ? { qkey: 1 } : { qp_access_flags: ['IBV_ACCESS_REMOTE_WRITE'] }),
  };
  const modify = (to: QpState, attr: QpAttr = {}): CallStep => ({
    name: `modify_qp ${to.replace('IBV_QPS_', '')}`,
    run: async () => {
      await verbs.modify_qp(made.qp, { qp_state: to, ...attr });
      await state(to);
    },
  });
  const completion = async (): Promise<Wc | undefined> => {
    for (let waited = 0; waited <= 10; waited++) {
      const [wc] = await verbs.poll_cq(made.cq, 16);
      if (wc !== undefined) return wc;
      await clock.sleep(profile.responseTime / 10);
    }
    return undefined;
  };
  const unknownQp = async (): Promise<void> => {
    const refused = await verbs.query_qp(noSuchHandle).then(
      () => false,
      (error: unknown) => {
        if (error instanceof VerbsError) return true;
        throw error;
      },
    );
    must(refused, 'query_qp of a QP that nobody made gave attributes');
  };

  const memory: CallStep[] = [
    {
      name: 'reg_mr',
      run: async () => {
        made.mr = await verbs.reg_mr({
          pd: made.pd,
          length: regionBytes,
          access: ['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_REMOTE_WRITE'],
        });
        must(
          made.mr.addr % 4096n === 0n,
          `the region begins at ${made.mr.addr}, which is no page's beginning`,
        );
      },
    },
    {
      name: 'read_memory, write_memory',
      run: async () => {
        const { mr } = made.mr;
        const whole = await verbs.read_memory(mr, -guardBytes, regionBytes + 2 * guardBytes);
        must(
          whole.length === regionBytes + 2 * guardBytes && whole.every((byte) => byte === 0),
          `a new region and ${guardBytes} bytes on either side are to be zeros`,
        );
        const bytes = Uint8Array.from({ length: 9 }, (_, i) => 0xf0 + i);
        await verbs.write_memory(mr, 7, bytes);
        must(equal(await verbs.read_memory(mr, 7, 9), bytes), 'what was written is not what is read');
        must((await verbs.read_memory(mr, 6, 1))[0] === 0, 'write_memory wrote before its offset');
      },
    },
  ];
  const queues: CallStep[] = [
    {
      name: 'create_cq',
      run: async () => {
        made.cq = await verbs.create_cq({ cqe: 16 });
      },
    },
    {
      name: 'poll_cq',
      run: async () => must((await verbs.poll_cq(made.cq, 16)).length === 0, 'a new CQ holds completions'),
    },
    {
      name: 'create_qp',
      run: async () => {
        const { pd, cq } = made;
        const cap = { max_send_wr: 4, max_recv_wr: 4, max_send_sge: 1, max_recv_sge: 1 };
        const { qp, qp_num } = await verbs.create_qp({ pd, qp_type: service, send_cq: cq, recv_cq: cq, cap });
        made.qp = qp;
        must(qp_num > 1 && qp_num < 0xffffff, `QP number ${qp_num} is not in 2..0xfffffe`);
        await state('IBV_QPS_RESET');
        return `number ${qp_num}`;
      },
    },
    { name: 'query_qp of no QP', run: unknownQp },
    modify('IBV_QPS_INIT', initial),
    modify('IBV_QPS_RTR', connected.IBV_QPS_RTR),
    modify('IBV_QPS_RTS', connected.IBV_QPS_RTS),
    {
      name: 'post_recv',
      run: async () => {
        const { addr, lkey } = made.mr;
        await verbs.post_recv(made.qp, { wr_id: 77, sg_list: [{ addr, length: regionBytes, lkey }] });
      },
    },
    modify('IBV_QPS_ERR'),
    {
      name: 'flushed receive',
      run: async () => {
        const wc = await completion();
        if (wc === undefined) throw new Wrong('no completion of the receive posted, after modify_qp to ERR');
        must(wc.wr_id === 77, `the completion has wr_id ${wc.wr_id}, not 77`);
        must(wc.status === 'IBV_WC_WR_FLUSH_ERR', `the completion has ${wc.status}, not IBV_WC_WR_FLUSH_ERR`);
      },
    },
    { name: 'destroy_qp', run: async () => verbs.destroy_qp(made.qp) },
    { name: 'destroy_cq', run: async () => verbs.destroy_cq(made.cq) },
    { name: 'dereg_mr', run: async () => verbs.dereg_mr(made.mr.mr) },
  ];
  const shared: CallStep = {
    name: 'create_srq, destroy_srq',
    run: async () => verbs.destroy_srq(await verbs.create_srq({ pd: made.pd, max_wr: 4, max_sge: 1 })),
  };
  const datagrams: CallStep = {
    name: 'create_ah, destroy_ah',
    run: async () => {
      const { create_ah, destroy_ah } = verbs;
      if (create_ah === undefined || destroy_ah === undefined)
        throw new Wrong('the capability ud needs create_ah and destroy_ah');
      await destroy_ah.call(verbs, await create_ah.call(verbs, { pd: made.pd, attr: ah }));
    },
  };
  return [
    {
      name: 'alloc_pd',
      run: async () => {
        made.pd = await verbs.alloc_pd();
      },
    },
    ...memory,
    ...(has('srq') ? [shared] : []),
    ...(has('ud') ? [datagrams] : []),
    ...queues,
    { name: 'dealloc_pd', run: async () => verbs.dealloc_pd(made.pd) },
  ];
}
