import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mtu, scriptedRequester } from './scripted-requester.ts';

const us = 1000;

describe('reference requester, what an answer tells', () => {
  it('completes up to the PSN of an ACK in the window, in order and once; duplicates and ghosts tell nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 4 * mtu }), { minLength: 1, maxLength: 6 }),
        fc.array(fc.integer({ min: -5, max: 30 }), { maxLength: 10 }),
        async (lengths, acks) => {
          const r = await scriptedRequester({ qp: { timeout: 0 } });
          for (const length of lengths) await r.post('IBV_WR_RDMA_WRITE', length);
          r.clock.advance(5 * us);
          const last: number[] = [];
          let end = 0;
          for (const length of lengths) last.push((end += Math.max(1, Math.ceil(length / mtu))) - 1);
          let acked = -1;
          const expected: number[] = [];
          for (const psn of acks) {
            r.ack(psn);
            if (psn > acked && psn < end) {
              for (const [i, end] of last.entries()) if (end > acked && end <= psn) expected.push(i + 1);
              acked = psn;
            }
          }
          r.clock.advance(50 * us);
          const statuses = await r.statuses();
          expect(statuses).toEqual(expected.map((id) => [id, 'IBV_WC_SUCCESS']));
          expect(r.psns()).toEqual(Array.from({ length: end }, (_, i) => i));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('completes only what was signaled', async () => {
    const r = await scriptedRequester();
    await r.post('IBV_WR_SEND', 8, { signaled: false });
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.ack(1);
    r.clock.advance(5 * us);
    expect(await r.statuses()).toEqual([[2, 'IBV_WC_SUCCESS']]);
  });

  it('drops answers that are damaged, from elsewhere, or come in RTR', async () => {
    const r = await scriptedRequester({ qp: { timeout: 0 } });
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.ack(0, { icrcXor: 1 });
    r.ack(0, { srcIp: '10.0.0.3' });
    r.ack(0, { pkey: 0x1234 });
    r.clock.advance(5 * us);
    expect(await r.statuses()).toEqual([]);
    const early = await scriptedRequester({ upTo: 'RTR' });
    early.ack(0);
    early.nak(0, 'invalid-request');
    early.clock.advance(5 * us);
    expect(await early.state()).toBe('IBV_QPS_RTR');
  });

  it.each(['bad-response', 'drop'] as const)(
    'meets reserved syndromes as set: %s',
    async (reservedSyndrome) => {
      for (const value of [0x40, 0x5f, 0x64, 0x65, 0x7f, 0x80, 0xff]) {
        const r = await scriptedRequester({ qp: { timeout: 0 }, config: { reservedSyndrome } });
        await r.post('IBV_WR_SEND');
        r.clock.advance(5 * us);
        r.raw(0, value);
        r.clock.advance(5 * us);
        expect(r.psns()).toEqual([0]);
        expect(await r.statuses()).toEqual(reservedSyndrome === 'drop' ? [] : [[1, 'IBV_WC_BAD_RESP_ERR']]);
      }
    },
  );
});

describe('reference requester, what leaves', () => {
  it.each([
    { config: { ackEvery: 1 }, asks: [0, 1, 2, 3, 4, 5] },
    { config: { ackEvery: 2 }, asks: [1, 2, 4, 5] },
    { config: { ackEvery: 1_000_000 }, asks: [2, 5] },
    { config: { ackEvery: 1_000_000, askEvery: 2 }, asks: [5] },
    { config: { ackEvery: 1_000_000, askEvery: 9 }, asks: [5] },
    { config: { ackEvery: 1_000_000, askEvery: 9, window: 4 }, asks: [3] },
  ])('asks for ACKs as set: $config', async ({ config, asks }) => {
    const r = await scriptedRequester({ qp: { timeout: 0 }, config });
    await r.post('IBV_WR_RDMA_WRITE', 3 * mtu);
    await r.post('IBV_WR_SEND', 3 * mtu);
    r.clock.advance(5 * us);
    expect(r.sent.filter((s) => s.packet.ackReq).map((s) => s.psn)).toEqual(asks);
  });

  it('asks for every message where the next has to wait', async () => {
    const r = await scriptedRequester({ qp: { timeout: 0, max_rd_atomic: 1 }, config: { askEvery: 100 } });
    await r.post('IBV_WR_RDMA_READ');
    await r.post('IBV_WR_SEND');
    await r.post('IBV_WR_RDMA_READ');
    await r.post('IBV_WR_SEND', 8, { sg_list: [{ addr: 0n, length: 8, lkey: 1 }] });
    r.clock.advance(5 * us);
    expect(r.sent.map((s) => [s.psn, s.packet.ackReq])).toEqual([
      [0, true],
      [1, true],
    ]);
  });

  it('keeps at most max_rd_atomic READs and ATOMICs outstanding, and nothing overtakes one that waits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('READ', 'ATOMIC', 'SEND'), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 4 }),
        async (kinds, max_rd_atomic) => {
          const r = await scriptedRequester({ qp: { timeout: 0, max_rd_atomic } });
          for (const kind of kinds) {
            if (kind === 'READ') await r.post('IBV_WR_RDMA_READ');
            else if (kind === 'ATOMIC') await r.post('IBV_WR_ATOMIC_FETCH_AND_ADD');
            else await r.post('IBV_WR_SEND');
          }
          for (let answered = 0; ; answered++) {
            r.clock.advance(5 * us);
            const sent = new Set(r.psns()).size;
            const open = kinds.slice(answered, sent).filter((kind) => kind !== 'SEND').length;
            expect(open).toBeLessThanOrEqual(max_rd_atomic);
            const next = kinds[sent];
            // Only a READ or ATOMIC over the limit may hold up the queue.
            expect(next === undefined || (next !== 'SEND' && open === max_rd_atomic)).toBe(true);
            if (answered === sent) break;
            const kind = kinds[answered];
            if (kind === 'READ') r.read(answered, 'ONLY', 8, 1);
            else if (kind === 'ATOMIC') r.atomic(answered, 1n);
            else r.ack(answered);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('holds a fenced request back until the READs before it are complete', async () => {
    const r = await scriptedRequester({ qp: { timeout: 0 } });
    await r.post('IBV_WR_RDMA_READ', 300);
    await r.post('IBV_WR_SEND', 8, { send_flags: ['IBV_SEND_FENCE'] });
    r.clock.advance(5 * us);
    r.read(0, 'FIRST', mtu, 1);
    r.clock.advance(5 * us);
    expect(r.psns()).toEqual([0]);
    r.read(1, 'LAST', 44, 1);
    r.clock.advance(5 * us);
    expect(r.psns()).toEqual([0, 2]);
  });

  it('finishes in SQD what has begun, starts nothing, and says when it is drained', async () => {
    const r = await scriptedRequester({ qp: { timeout: 0 }, config: { window: 2 } });
    await r.post('IBV_WR_SEND', 3 * mtu);
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    await r.side.verbs.modify_qp(r.side.qp, { qp_state: 'IBV_QPS_SQD', en_sqd_async_notify: true });
    r.ack(1);
    r.clock.advance(5 * us);
    expect(r.psns()).toEqual([0, 1, 2]);
    expect(r.events).toEqual([]);
    r.nak(2, 'psn-sequence-error');
    r.clock.advance(5 * us);
    r.ack(2);
    r.clock.advance(5 * us);
    expect(r.psns()).toEqual([0, 1, 2, 2]);
    expect(r.events.map((e) => e.event_type)).toEqual(['IBV_EVENT_SQ_DRAINED']);
    await r.side.verbs.modify_qp(r.side.qp, { qp_state: 'IBV_QPS_RTS' });
    r.clock.advance(5 * us);
    expect(r.psns()).toEqual([0, 1, 2, 2, 3]);
  });

  it('refuses to post before RTS', async () => {
    const r = await scriptedRequester({ upTo: 'RTR' });
    await expect(r.post('IBV_WR_SEND')).rejects.toThrow(/errno 22/);
  });
});
