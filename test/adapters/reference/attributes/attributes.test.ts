import { describe, expect, it } from 'vitest';
import { referenceAdapter, type ReferenceConfig } from '../../../../adapters/reference/index.ts';
import type { Verbs } from '../../../../adapters/adapter.ts';
import type { QpAttr } from '../../../../spec/verbs.ts';

async function qpInSqd(
  config: Partial<ReferenceConfig> = {},
  mutant?: string,
): Promise<{ verbs: Verbs; modify: (attr: QpAttr) => Promise<void>; query: () => Promise<QpAttr> }> {
  const adapter = referenceAdapter({ responder: config, ...(mutant !== undefined && { mutant }) });
  const { verbs } = await adapter.open({});
  const pd = await verbs.alloc_pd();
  const cq = await verbs.create_cq({ cqe: 1 });
  const cap = { max_send_wr: 1, max_recv_wr: 1, max_send_sge: 1, max_recv_sge: 1 };
  const { qp } = await verbs.create_qp({ pd, qp_type: 'IBV_QPT_RC', send_cq: cq, recv_cq: cq, cap });
  const modify = async (attr: QpAttr): Promise<void> => verbs.modify_qp(qp, attr);
  await modify({ qp_state: 'IBV_QPS_INIT', pkey_index: 0, port_num: 1, qp_access_flags: [] });
  await modify({
    qp_state: 'IBV_QPS_RTR',
    path_mtu: 1024,
    dest_qp_num: 0x22,
    rq_psn: 0,
    max_dest_rd_atomic: 1,
    min_rnr_timer: 12,
    ah_attr: { dgid: '00000000000000000000ffff0a000002', sgid_index: 0 },
  });
  await modify({
    qp_state: 'IBV_QPS_RTS',
    timeout: 14,
    retry_cnt: 5,
    rnr_retry: 4,
    sq_psn: 0,
    max_rd_atomic: 1,
  });
  await modify({ qp_state: 'IBV_QPS_SQD' });
  return { verbs, modify, query: async () => verbs.query_qp(qp) };
}

const wide = { timeout: 33, retry_cnt: 9, rnr_retry: 15, min_rnr_timer: 255 };

describe('parameters of the reference NIC', () => {
  it('are cut to their fields', async () => {
    const { modify, query } = await qpInSqd();
    await modify(wide);
    expect(await query()).toMatchObject({ timeout: 1, retry_cnt: 1, rnr_retry: 7, min_rnr_timer: 31 });
  });

  it.each(Object.entries(wide))('are refused where so configured: %s %i', async (key, value) => {
    const { modify, query } = await qpInSqd({ outOfRange: 'refuse' });
    const before = await query();
    await expect(modify({ retry_cnt: 2, [key]: value })).rejects.toThrow(/errno 22/);
    expect(await query()).toEqual(before);
  });

  it.each<QpAttr>([
    { timeout: 256 },
    { retry_cnt: -1 },
    { min_rnr_timer: 1.5 },
    { max_rd_atomic: 17 },
    { max_dest_rd_atomic: 17 },
    { pkey_index: 1 },
    { port_num: 2 },
  ])('are refused where no device can have them: %o', async (attr) => {
    const { modify } = await qpInSqd();
    await expect(modify(attr)).rejects.toThrow(/errno 22/);
  });

  it('fit what the device says of itself', async () => {
    const { verbs, modify } = await qpInSqd();
    const device = await verbs.query_device?.();
    if (device === undefined) throw new Error('the reference NIC has no query_device');
    const { max_qp_rd_atom, max_qp_init_rd_atom, local_ca_ack_delay } = device;
    expect(local_ca_ack_delay).toBeLessThan(32);
    await modify({ max_dest_rd_atomic: max_qp_rd_atom, max_rd_atomic: max_qp_init_rd_atom });
    await expect(modify({ max_dest_rd_atomic: max_qp_rd_atom + 1 })).rejects.toThrow(/errno 22/);
    await expect(modify({ max_rd_atomic: max_qp_init_rd_atom + 1 })).rejects.toThrow(/errno 22/);
  });
});

describe('faults of a mutant', () => {
  it('show in what a refused call leaves behind', async () => {
    const { modify, query } = await qpInSqd({}, 'refused-call-applied');
    await expect(modify({ timeout: 3, rq_psn: 1 })).rejects.toThrow(/errno 22/);
    expect((await query()).timeout).toBe(3);
  });
});
