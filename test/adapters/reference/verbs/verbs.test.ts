import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { qpTransitions } from '../../../../spec/constants.ts';
import type { QpAttr, QpState } from '../../../../spec/verbs.ts';
import type { Bench } from '../../../../adapters/adapter.ts';
import { mutantIds, referenceAdapter } from '../../../../adapters/reference/index.ts';
import { transitionAllowed } from '../../../../adapters/reference/attributes/transitions.ts';
import { VirtualClock } from '../../../../adapters/virtual-clock.ts';
import { connect, makeSide, poll } from '../pair.ts';

const values: Record<string, QpAttr> = {
  CUR_STATE: {},
  EN_SQD_ASYNC_NOTIFY: { en_sqd_async_notify: true },
  ACCESS_FLAGS: { qp_access_flags: [] },
  PKEY_INDEX: { pkey_index: 0 },
  PORT: { port_num: 1 },
  QKEY: { qkey: 1 },
  AV: { ah_attr: { dgid: '00000000000000000000ffff0a000002', sgid_index: 0 } },
  PATH_MTU: { path_mtu: 1024 },
  TIMEOUT: { timeout: 1 },
  RETRY_CNT: { retry_cnt: 1 },
  RNR_RETRY: { rnr_retry: 1 },
  RQ_PSN: { rq_psn: 1 },
  MAX_QP_RD_ATOMIC: { max_rd_atomic: 1 },
  MIN_RNR_TIMER: { min_rnr_timer: 1 },
  SQ_PSN: { sq_psn: 1 },
  MAX_DEST_RD_ATOMIC: { max_dest_rd_atomic: 1 },
  PATH_MIG_STATE: { path_mig_state: 'IBV_MIG_MIGRATED' },
  DEST_QPN: { dest_qp_num: 1 },
};
const states = ['RESET', 'INIT', 'RTR', 'RTS', 'SQD', 'SQE', 'ERR'] as const;

describe('reference verbs', () => {
  it('take a transition exactly with a mask that the table allows', () => {
    const names = Object.keys(values).filter((name) => name !== 'CUR_STATE');
    let taken = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...states),
        fc.constantFrom(...states),
        fc.subarray(names),
        fc.boolean(),
        (from, to, extra, start) => {
          const row = qpTransitions['RC']?.find((t) => t.from === from && t.to === to);
          const mask = new Set(start ? [...(row?.required ?? []), ...extra.slice(0, 1)] : extra);
          const attr: QpAttr = { qp_state: `IBV_QPS_${to}` as QpState };
          for (const name of mask) Object.assign(attr, values[name]);
          const bare = mask.size === 0;
          const wanted =
            to === 'RESET'
              ? bare
              : to === 'ERR'
                ? bare && from !== 'RESET'
                : row !== undefined &&
                  row.required.every((name) => mask.has(name)) &&
                  [...mask].every((name) => [...row.required, ...row.optional].includes(name));
          if (wanted) taken++;
          expect(transitionAllowed({ variant: undefined }, 'RC', `IBV_QPS_${from}`, attr)).toBe(wanted);
        },
      ),
      { numRuns: 2000 },
    );
    expect(taken).toBeGreaterThan(50);
  });

  it('post by state: refused before, flushed in ERR', async () => {
    const side = await makeSide(new VirtualClock(), 0, () => undefined);
    const wr = { wr_id: 1, opcode: 'IBV_WR_SEND', sg_list: [] } as const;
    const post = () => side.verbs.post_send(side.qp, { ...wr, sg_list: [] });
    const recv = () => side.verbs.post_recv(side.qp, { wr_id: 2, sg_list: [] });
    await expect(post()).rejects.toMatchObject({ errno: 22 });
    await recv();
    await side.verbs.modify_qp(side.qp, { qp_state: 'IBV_QPS_ERR' });
    await post();
    await recv();
    expect((await poll(side)).map((wc) => [wc.wr_id, wc.status])).toEqual([
      [2, 'IBV_WC_WR_FLUSH_ERR'],
      [1, 'IBV_WC_WR_FLUSH_ERR'],
      [2, 'IBV_WC_WR_FLUSH_ERR'],
    ]);
    await side.verbs.modify_qp(side.qp, { qp_state: 'IBV_QPS_RESET' });
    await expect(recv()).rejects.toMatchObject({ errno: 22 });
  });

  it('resize a CQ to what it holds, and not below', async () => {
    const side = await makeSide(new VirtualClock(), 0, () => undefined);
    const { verbs, cq, qp } = side;
    for (const wr_id of [1, 2, 3]) await verbs.post_recv(qp, { wr_id, sg_list: [] });
    await verbs.modify_qp(qp, { qp_state: 'IBV_QPS_ERR' });
    const size = await verbs.cq_size?.(cq);
    await expect(verbs.resize_cq?.(cq, 2)).rejects.toMatchObject({ errno: 22 });
    expect(await verbs.cq_size?.(cq)).toBe(size);
    expect(await verbs.resize_cq?.(cq, 3)).toBe(3);
    expect((await poll(side)).map((wc) => wc.wr_id)).toEqual([1, 2, 3]);
    await expect(verbs.resize_cq?.(cq, 0)).rejects.toMatchObject({ errno: 22 });
    for (const wr_id of [4, 5, 6, 7]) await verbs.post_recv(qp, { wr_id, sg_list: [] });
    expect(side.events.map((event) => event.event_type)).toContain('IBV_EVENT_CQ_ERR');
  });

  it('SQD holds new WRs and RTS lets them go', async () => {
    const clock = new VirtualClock();
    let frames = 0;
    const side = await makeSide(clock, 0, () => frames++);
    await connect(side, { num: 3, ip: '10.0.0.2' }, 0, 0);
    await side.verbs.modify_qp(side.qp, { qp_state: 'IBV_QPS_SQD', en_sqd_async_notify: true });
    await side.verbs.post_send(side.qp, { wr_id: 1, opcode: 'IBV_WR_SEND', sg_list: [] });
    clock.advance(10_000);
    expect(frames).toBe(0);
    expect(side.events.map((e) => e.event_type)).toEqual(['IBV_EVENT_SQ_DRAINED']);
    await side.verbs.modify_qp(side.qp, { qp_state: 'IBV_QPS_RTS' });
    clock.advance(10_000);
    expect(frames).toBe(1);
  });

  it('are wrapped by spreading, call by call and frame by frame', async () => {
    const bench = await referenceAdapter().open({});
    const seen: number[] = [];
    const wrapped: Bench = {
      ...bench,
      verbs: { ...bench.verbs, query_qp: async (qp) => ({ ...(await bench.verbs.query_qp(qp)), qkey: 7 }) },
      wire: { ...bench.wire!, onFrame: (listener) => bench.wire!.onFrame((f, t) => listener(f, t + 1)) },
    };
    wrapped.wire!.onFrame((_, time) => seen.push(time));
    const pd = await wrapped.verbs.alloc_pd();
    const cq = await wrapped.verbs.create_cq({ cqe: 4 });
    const cap = { max_send_wr: 1, max_recv_wr: 1, max_send_sge: 1, max_recv_sge: 1 };
    const { qp } = await wrapped.verbs.create_qp({
      pd,
      qp_type: 'IBV_QPT_RC',
      send_cq: cq,
      recv_cq: cq,
      cap,
    });
    expect((await wrapped.verbs.query_qp(qp)).qkey).toBe(7);
    expect((await bench.verbs.query_qp(qp)).qkey).toBeUndefined();
    expect(seen).toEqual([]);
  });

  it('have mutants with unique ids', async () => {
    expect(new Set(mutantIds).size).toBe(mutantIds.length);
    for (const id of mutantIds)
      expect((await referenceAdapter({ mutant: id }).open({})).profile.name).toContain(id);
    expect(() => referenceAdapter({ mutant: 'none-such' })).toThrow(RangeError);
  });
});
