import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mtu, scriptedRequester, type Requester } from './scripted-requester.ts';

const us = 1000;

/** What a packet sent again has in common with its first copy. */
function identity(r: Requester, index: number): unknown {
  const { psn, opcode, payload, reth, atomicEth, immediate, solicited } = r.sent[index]!.packet;
  return { psn, opcode, payload: [...payload], reth, atomicEth, immediate, solicited };
}

describe('reference requester, retries', () => {
  it('goes back to the PSN of a sequence NAK at once, and sends the same packets', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 4 * mtu }), { minLength: 1, maxLength: 5 }),
        fc.nat(19),
        fc.constantFrom('packet', 'message'),
        async (lengths, wished, retryFrom) => {
          const r = await scriptedRequester({ qp: { timeout: 20 }, config: { retryFrom } });
          for (const length of lengths) await r.post('IBV_WR_RDMA_WRITE_WITH_IMM', length, { imm_data: 7 });
          r.clock.advance(5 * us);
          const first = r.psns();
          const nak = wished % first.length;
          const starts: number[] = [];
          let end = 0;
          for (const length of lengths) {
            starts.push(end);
            end += Math.max(1, Math.ceil(length / mtu));
          }
          r.nak(nak, 'psn-sequence-error');
          r.clock.advance(3 * us);
          const from = retryFrom === 'packet' ? nak : starts.findLast((psn) => psn <= nak)!;
          expect(r.psns()).toEqual([...first, ...first.slice(from)]);
          for (let i = first.length; i < r.sent.length; i++)
            expect(identity(r, i)).toEqual(identity(r, i - first.length + from));
          const done = starts.filter((psn) => psn > 0 && psn <= nak).length;
          expect(await r.statuses()).toEqual(
            Array.from({ length: done }, (_, i) => [i + 1, 'IBV_WC_SUCCESS']),
          );
        },
      ),
      { numRuns: 80 },
    );
  });

  it.each([0, 1, 3, 7])('makes %i retries for sequence NAKs', async (retry_cnt) => {
    const r = await scriptedRequester({ qp: { timeout: 0, retry_cnt } });
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    for (let i = 0; i <= retry_cnt; i++) {
      expect(r.psns()).toHaveLength(i + 1);
      r.nak(0, 'psn-sequence-error');
      r.clock.advance(5 * us);
    }
    expect(r.psns()).toHaveLength(retry_cnt + 1);
    expect(await r.statuses()).toEqual([[1, 'IBV_WC_RETRY_EXC_ERR']]);
  });

  it.each([0, 1, 6])('makes %i RNR retries', async (rnr_retry) => {
    const r = await scriptedRequester({ qp: { timeout: 0, rnr_retry, retry_cnt: 0 } });
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    for (let i = 0; i <= rnr_retry; i++) {
      expect(r.psns()).toHaveLength(i + 1);
      r.rnr(0, 1);
      r.clock.advance(20 * us);
    }
    expect(r.psns()).toHaveLength(rnr_retry + 1);
    expect(await r.statuses()).toEqual([[1, 'IBV_WC_RNR_RETRY_EXC_ERR']]);
  });

  it('makes RNR retries for ever with rnr_retry 7', async () => {
    const r = await scriptedRequester({ qp: { timeout: 0, rnr_retry: 7, retry_cnt: 0 } });
    await r.post('IBV_WR_SEND');
    for (let i = 0; i < 40; i++) {
      r.clock.advance(20 * us);
      r.rnr(0, 1);
    }
    r.clock.advance(20 * us);
    r.ack(0);
    r.clock.advance(20 * us);
    expect(r.psns()).toHaveLength(41);
    expect(await r.statuses()).toEqual([[1, 'IBV_WC_SUCCESS']]);
  });

  it('has all its retries again when a request is cleared, and not for duplicates', async () => {
    const r = await scriptedRequester({ qp: { timeout: 0, retry_cnt: 1, rnr_retry: 1 } });
    for (let i = 0; i < 5; i++) {
      await r.post('IBV_WR_SEND');
      r.clock.advance(5 * us);
      r.nak(i, 'psn-sequence-error');
      r.clock.advance(5 * us);
      r.rnr(i, 1);
      r.clock.advance(20 * us);
      r.ack(i);
      r.clock.advance(5 * us);
    }
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.nak(5, 'psn-sequence-error');
    r.ack(4);
    r.ack(3);
    r.clock.advance(5 * us);
    r.nak(5, 'psn-sequence-error');
    r.clock.advance(5 * us);
    expect((await r.statuses()).at(-1)).toEqual([6, 'IBV_WC_RETRY_EXC_ERR']);
  });

  it.each([
    ['packet', 'IBV_WC_SUCCESS'],
    ['request', 'IBV_WC_RETRY_EXC_ERR'],
  ] as const)('counts progress within a request as set: %s', async (counterReload, status) => {
    const r = await scriptedRequester({ qp: { timeout: 0, retry_cnt: 1 }, config: { counterReload } });
    await r.post('IBV_WR_SEND', 4 * mtu);
    r.clock.advance(5 * us);
    for (const psn of [1, 2]) {
      r.nak(psn, 'psn-sequence-error');
      r.clock.advance(5 * us);
    }
    r.ack(3);
    r.clock.advance(5 * us);
    expect(await r.statuses()).toEqual([[1, status]]);
  });

  it.each([
    [true, 'IBV_WC_SUCCESS'],
    [false, 'IBV_WC_RNR_RETRY_EXC_ERR'],
  ] as const)(
    'reloads the RNR counter for an RNR NAK that acknowledges: %s',
    async (rnrNakReloads, status) => {
      const r = await scriptedRequester({ qp: { timeout: 0, rnr_retry: 1 }, config: { rnrNakReloads } });
      await r.post('IBV_WR_SEND');
      await r.post('IBV_WR_SEND');
      r.clock.advance(5 * us);
      r.rnr(0, 1);
      r.clock.advance(20 * us);
      r.rnr(1, 1);
      r.clock.advance(20 * us);
      r.ack(1);
      r.clock.advance(5 * us);
      expect((await r.statuses()).at(-1)).toEqual([2, status]);
    },
  );

  it.each([
    ['progress', 1, 'IBV_WC_SUCCESS'],
    ['never', 1, 'IBV_WC_RNR_RETRY_EXC_ERR'],
    ['progress', 0, 'IBV_WC_RNR_RETRY_EXC_ERR'],
    ['always', 0, 'IBV_WC_SUCCESS'],
  ] as const)(
    'reloads the RNR counter as set, %s, for a sequence NAK of PSN %i',
    async (sequenceNakReloadsRnr, psn, status) => {
      const r = await scriptedRequester({
        qp: { timeout: 0, rnr_retry: 1 },
        config: { sequenceNakReloadsRnr },
      });
      await r.post('IBV_WR_SEND');
      await r.post('IBV_WR_SEND');
      r.clock.advance(5 * us);
      r.rnr(0, 1);
      r.clock.advance(20 * us);
      r.nak(psn, 'psn-sequence-error');
      r.clock.advance(5 * us);
      r.rnr(psn, 1);
      r.clock.advance(20 * us);
      r.ack(1);
      r.clock.advance(5 * us);
      expect((await r.statuses())[psn]).toEqual([psn + 1, status]);
    },
  );

  it.each([
    ['counted', 'IBV_WC_RETRY_EXC_ERR'],
    ['ignored', 'IBV_WC_SUCCESS'],
  ] as const)('meets a NAK of what is being sent again as set: %s', async (nakUnderWay, status) => {
    const r = await scriptedRequester({ qp: { timeout: 0, retry_cnt: 1 }, config: { nakUnderWay } });
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.nak(0, 'psn-sequence-error');
    r.nak(0, 'psn-sequence-error');
    r.clock.advance(5 * us);
    r.ack(0);
    r.clock.advance(5 * us);
    expect(await r.statuses()).toEqual([[1, status]]);
  });

  it.each([
    ['counted', 'IBV_WC_RNR_RETRY_EXC_ERR'],
    ['ignored', 'IBV_WC_SUCCESS'],
  ] as const)('meets an RNR NAK during its own wait as set: %s', async (rnrNakAgain, status) => {
    const r = await scriptedRequester({ qp: { timeout: 0, rnr_retry: 1 }, config: { rnrNakAgain } });
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.rnr(0, 4);
    r.rnr(0, 4);
    r.clock.advance(100 * us);
    r.ack(0);
    r.clock.advance(5 * us);
    expect(await r.statuses()).toEqual([[1, status]]);
  });

  it('may try one packet before the rest', async () => {
    const r = await scriptedRequester({ qp: { timeout: 1 }, config: { recoveryWindow: 1, ackEvery: 99 } });
    await r.post('IBV_WR_SEND', 3 * mtu);
    r.clock.advance(25 * us);
    expect(r.sent.map((s) => [s.psn, s.packet.ackReq])).toEqual([
      [0, false],
      [1, false],
      [2, true],
      [0, true],
    ]);
    r.ack(0);
    r.clock.advance(5 * us);
    expect(r.psns().slice(4)).toEqual([1, 2]);
  });

  it('takes an ACK during a retry, and goes on behind it', async () => {
    const r = await scriptedRequester({ qp: { timeout: 0 }, config: { window: 2 } });
    await r.post('IBV_WR_SEND', 4 * mtu);
    r.clock.advance(5 * us);
    r.rnr(0, 5);
    r.clock.advance(10 * us);
    r.ack(1);
    r.clock.advance(200 * us);
    expect(r.psns()).toEqual([0, 1, 2, 3]);
  });
});

describe('reference requester, implied NAKs', () => {
  it('asks for the missing rest of a READ in a smaller request, or for all of it', async () => {
    for (const readRetry of ['narrowed', 'whole'] as const) {
      const r = await scriptedRequester({ qp: { timeout: 0 }, config: { readRetry } });
      await r.post('IBV_WR_RDMA_READ', 600);
      await r.post('IBV_WR_RDMA_WRITE', 300);
      r.clock.advance(5 * us);
      r.read(0, 'FIRST', 256, 1);
      r.read(2, 'LAST', 88, 9);
      r.ack(4);
      r.clock.advance(5 * us);
      const from = readRetry === 'narrowed' ? 1 : 0;
      expect(r.psns()).toEqual([0, 3, 4, from, 3, 4]);
      const { reth } = r.sent[3]!.packet;
      expect(reth).toEqual({ va: 0x5000n + BigInt(256 * from), rkey: 0x99, dmaLen: 600 - 256 * from });
      expect(await r.statuses()).toEqual([]);
      if (readRetry === 'whole') r.read(0, 'FIRST', 256, 7);
      r.read(1, readRetry === 'whole' ? 'MIDDLE' : 'FIRST', 256, 2);
      r.read(2, 'LAST', 88, 3);
      r.read(1, 'MIDDLE', 256, 8);
      r.ack(4);
      r.clock.advance(5 * us);
      expect(await r.statuses()).toEqual([
        [1, 'IBV_WC_SUCCESS'],
        [2, 'IBV_WC_SUCCESS'],
      ]);
      const memory = await r.buffer(1, 600);
      expect([memory[0], memory[255], memory[256], memory[511], memory[512], memory[599]]).toEqual([
        1, 1, 2, 2, 3, 3,
      ]);
    }
  });

  it('takes the response to an older request for the rest of a READ as well', async () => {
    const r = await scriptedRequester({ qp: { timeout: 2 }, config: { readRetry: 'narrowed' } });
    await r.post('IBV_WR_RDMA_READ', 4 * mtu);
    r.clock.advance(5 * us);
    r.read(0, 'FIRST', mtu, 1);
    r.clock.advance(50 * us);
    r.read(1, 'FIRST', mtu, 2);
    r.clock.advance(50 * us);
    expect(r.psns()).toEqual([0, 1, 2]);
    r.read(2, 'MIDDLE', mtu, 3);
    r.read(3, 'LAST', mtu, 4);
    r.clock.advance(5 * us);
    expect(await r.statuses()).toEqual([[1, 'IBV_WC_SUCCESS']]);
  });

  it('completes neither an open READ or ATOMIC nor what follows for a later answer', async () => {
    const laters = {
      ack: (r: Requester) => r.ack(2),
      rnr: (r: Requester) => r.rnr(2, 1),
      nak: (r: Requester) => r.nak(2, 'psn-sequence-error'),
      fatal: (r: Requester) => r.nak(2, 'remote-access-error'),
    };
    for (const opcode of ['IBV_WR_RDMA_READ', 'IBV_WR_ATOMIC_FETCH_AND_ADD'] as const) {
      for (const [name, answer] of Object.entries(laters)) {
        const r = await scriptedRequester({ qp: { timeout: 0 } });
        await r.post('IBV_WR_SEND');
        await r.post(opcode);
        await r.post('IBV_WR_SEND');
        r.clock.advance(5 * us);
        answer(r);
        r.clock.advance(5 * us);
        expect(r.psns(), name).toEqual([0, 1, 2, 1, 2]);
        expect(await r.statuses(), name).toEqual([[1, 'IBV_WC_SUCCESS']]);
      }
    }
  });

  it.each([
    ['once', 1],
    ['flight', 1],
    ['each', 3],
  ] as const)('heeds answers behind one gap as set: %s', async (impliedNak, retries) => {
    const r = await scriptedRequester({ qp: { timeout: 0, retry_cnt: 7 }, config: { impliedNak } });
    await r.post('IBV_WR_RDMA_READ');
    for (let i = 0; i < 3; i++) await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    for (const psn of [1, 2, 3]) r.ack(psn);
    r.clock.advance(1 * us);
    // They are processed one by one, and sending comes after the last of them.
    expect(r.side.nic.device.qps.get(r.side.qp)?.requester.retriesLeft).toBe(7 - retries);
    r.clock.advance(5 * us);
    r.ack(2);
    r.clock.advance(5 * us);
    const again = impliedNak === 'once' ? 0 : 1;
    expect(r.side.nic.device.qps.get(r.side.qp)?.requester.retriesLeft).toBe(7 - retries - again);
  });

  it.each([0, 2])('makes %i retries for implied NAKs', async (retry_cnt) => {
    const r = await scriptedRequester({ qp: { timeout: 0, retry_cnt }, config: { impliedNak: 'each' } });
    await r.post('IBV_WR_ATOMIC_CMP_AND_SWP');
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    for (let i = 0; i <= retry_cnt; i++) {
      r.ack(1);
      r.clock.advance(5 * us);
    }
    expect(r.times(0)).toHaveLength(retry_cnt + 1);
    expect(await r.statuses()).toEqual([
      [1, 'IBV_WC_RETRY_EXC_ERR'],
      [2, 'IBV_WC_WR_FLUSH_ERR'],
    ]);
  });

  it('drops a second ATOMIC response', async () => {
    const r = await scriptedRequester({ qp: { timeout: 0 } });
    await r.post('IBV_WR_ATOMIC_FETCH_AND_ADD');
    r.clock.advance(5 * us);
    r.atomic(0, 5n);
    r.atomic(0, 6n);
    r.clock.advance(5 * us);
    expect(await r.statuses()).toEqual([[1, 'IBV_WC_SUCCESS']]);
    expect([...(await r.buffer(1, 8))]).toEqual([5, 0, 0, 0, 0, 0, 0, 0]);
  });
});
