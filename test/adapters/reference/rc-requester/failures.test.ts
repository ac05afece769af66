import { describe, expect, it } from 'vitest';
import { mtu, scriptedRequester } from './scripted-requester.ts';

const us = 1000;

describe('reference requester, failures', () => {
  it.each([
    ['invalid-request', 'IBV_WC_REM_INV_REQ_ERR'],
    ['remote-access-error', 'IBV_WC_REM_ACCESS_ERR'],
    ['remote-operational-error', 'IBV_WC_REM_OP_ERR'],
  ] as const)(
    'completes what came before a NAK %s, fails its request, flushes the rest',
    async (code, status) => {
      const r = await scriptedRequester({ qp: { timeout: 1 } });
      for (let i = 0; i < 4; i++) await r.post('IBV_WR_RDMA_WRITE', 300, { signaled: i !== 2 });
      await r.side.verbs.post_recv(r.side.qp, { wr_id: 90, sg_list: [] });
      await r.side.verbs.post_recv(r.side.qp, { wr_id: 91, sg_list: [] });
      r.clock.advance(5 * us);
      r.nak(5, code);
      r.clock.advance(5 * us);
      expect(await r.state()).toBe('IBV_QPS_ERR');
      await r.post('IBV_WR_SEND');
      const all = await r.statuses();
      expect(all.filter(([id]) => id < 90)).toEqual([
        [1, 'IBV_WC_SUCCESS'],
        [2, 'IBV_WC_SUCCESS'],
        [3, status],
        [4, 'IBV_WC_WR_FLUSH_ERR'],
        [5, 'IBV_WC_WR_FLUSH_ERR'],
      ]);
      expect(all.filter(([id]) => id >= 90)).toEqual([
        [90, 'IBV_WC_WR_FLUSH_ERR'],
        [91, 'IBV_WC_WR_FLUSH_ERR'],
      ]);
      r.clock.advance(1000 * us);
      expect(r.psns()).toHaveLength(8);
    },
  );

  it.each(['bad-response', 'drop'] as const)(
    'meets data that were not asked for as set: %s',
    async (badResponse) => {
      const answers: ((r: Awaited<ReturnType<typeof scriptedRequester>>) => void)[] = [
        (r) => r.read(0, 'FIRST', mtu - 4, 1),
        (r) => r.read(0, 'ONLY', mtu, 1),
        (r) => r.read(0, 'MIDDLE', mtu, 1),
        (r) => r.read(0, 'ONLY', 300, 1),
        (r) => r.atomic(0, 1n),
      ];
      for (const answer of answers) {
        const r = await scriptedRequester({ qp: { timeout: 0 }, config: { badResponse } });
        await r.post('IBV_WR_RDMA_READ', 300);
        r.clock.advance(5 * us);
        answer(r);
        r.clock.advance(5 * us);
        expect(await r.statuses()).toEqual(badResponse === 'drop' ? [] : [[1, 'IBV_WC_BAD_RESP_ERR']]);
        expect([...(await r.buffer(1, 300))].every((byte) => byte === 0)).toBe(true);
      }
    },
  );

  it.each(['packet', 'message'] as const)('checks its own memory as set: %s', async (localCheck) => {
    const r = await scriptedRequester({ qp: { timeout: 0 }, config: { localCheck } });
    const { addr, lkey } = r.side.mr;
    await r.post('IBV_WR_SEND', 0, {
      sg_list: [
        { addr, length: mtu, lkey },
        { addr, length: 8, lkey: 1 },
      ],
    });
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    expect(r.psns()).toEqual(localCheck === 'packet' ? [0] : []);
    expect(await r.statuses()).toEqual([
      [1, 'IBV_WC_LOC_PROT_ERR'],
      [2, 'IBV_WC_WR_FLUSH_ERR'],
    ]);
  });

  it('fails a READ whose data it may not store, when the requests before it are done', async () => {
    const r = await scriptedRequester({ qp: { timeout: 0 } });
    await r.post('IBV_WR_SEND');
    await r.post('IBV_WR_RDMA_READ', 8, { sg_list: [{ addr: r.side.mr.addr, length: 8, lkey: 1 }] });
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.read(1, 'ONLY', 8, 1);
    r.clock.advance(5 * us);
    expect(await r.statuses()).toEqual([
      [1, 'IBV_WC_SUCCESS'],
      [2, 'IBV_WC_LOC_PROT_ERR'],
      [3, 'IBV_WC_WR_FLUSH_ERR'],
    ]);
  });

  it('fails a SEND whose data it may not read, when the requests before it are done', async () => {
    const r = await scriptedRequester({ qp: { timeout: 0 } });
    await r.post('IBV_WR_SEND');
    await r.post('IBV_WR_SEND', 8, { sg_list: [{ addr: r.side.mr.addr, length: 8, lkey: 1 }] });
    r.clock.advance(5 * us);
    expect(await r.statuses()).toEqual([]);
    r.ack(0);
    r.clock.advance(5 * us);
    expect(r.psns()).toEqual([0]);
    expect(await r.statuses()).toEqual([
      [1, 'IBV_WC_SUCCESS'],
      [2, 'IBV_WC_LOC_PROT_ERR'],
    ]);
  });
});
