import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rnrMicroseconds } from '../../../../spec/constants.ts';
import { scriptedRequester } from './scripted-requester.ts';

const us = 1000;
const interval = (code: number): number => 4096 * 2 ** code;

describe('ACK timer of the reference requester', () => {
  it('sends retry_cnt + 1 times, T to 4T apart, then fails', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 31 }),
        fc.integer({ min: 0, max: 7 }),
        fc.constantFrom(1, 2, 4),
        fc.integer({ min: 1, max: 12 }),
        async (timeout, retry_cnt, timeoutFactor, minTimeout) => {
          const r = await scriptedRequester({
            qp: { timeout, retry_cnt },
            config: { timeoutFactor, minTimeout },
          });
          await r.post('IBV_WR_SEND', 8, { signaled: false });
          await r.post('IBV_WR_SEND');
          await r.post('IBV_WR_SEND');
          const t = interval(Math.max(timeout, minTimeout));
          r.clock.advance(4 * t * (retry_cnt + 1) + 10_000);
          const times = r.times(0);
          expect(times).toHaveLength(retry_cnt + 1);
          for (const [i, at] of times.slice(1).entries()) {
            expect(at - times[i]!).toBeGreaterThanOrEqual(t);
            expect(at - times[i]!).toBeLessThanOrEqual(4 * t);
          }
          expect(await r.statuses()).toEqual([
            [1, 'IBV_WC_RETRY_EXC_ERR'],
            [2, 'IBV_WC_WR_FLUSH_ERR'],
            [3, 'IBV_WC_WR_FLUSH_ERR'],
          ]);
          expect(await r.state()).toBe('IBV_QPS_ERR');
          const sent = r.sent.length;
          r.clock.advance(100 * t);
          expect(r.sent).toHaveLength(sent);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('counts from the newest request that asked or the newest valid answer, whichever is later', async () => {
    type Step = { wait: number; do: 'post' | 'progress' | 'duplicate' | 'ghost' };
    const steps: fc.Arbitrary<Step[]> = fc.array(
      fc.record({
        wait: fc.integer({ min: 1, max: 30_000 }),
        do: fc.constantFrom<Step['do']>('post', 'progress', 'duplicate', 'ghost'),
      }),
      { minLength: 1, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(0, 1000, 9000), async (plan, processingDelay) => {
        const timeout = 3;
        const r = await scriptedRequester({
          qp: { timeout, retry_cnt: 0 },
          config: { timeoutFactor: 1, processingDelay },
        });
        let posted = 0;
        let acked = 0;
        let reference = -Infinity;
        for (const step of [{ wait: 0, do: 'post' } as Step, ...plan]) {
          r.clock.advance(step.wait);
          if ((await r.state()) === 'IBV_QPS_ERR') break;
          // What has left counts, not what has been posted.
          const outstanding = r.sent.length;
          if (step.do === 'post') {
            await r.post('IBV_WR_RDMA_WRITE');
            posted++;
          } else if (step.do === 'progress' && acked < outstanding) {
            r.ack(acked++);
            reference = r.clock.now();
          } else if (step.do === 'duplicate') r.ack(acked - 1);
          else if (step.do === 'ghost') r.ack(posted + 3);
        }
        r.clock.advance(10_000);
        for (const { at } of r.sent) reference = Math.max(reference, at);
        const dead = acked < r.sent.length ? reference + interval(timeout) : Infinity;
        const left = Math.min(dead - r.clock.now(), 1e7);
        r.clock.advance(Math.max(0, left - 1));
        const justBefore = await r.state();
        expect(justBefore).toBe(left > 0 ? 'IBV_QPS_RTS' : 'IBV_QPS_ERR');
        r.clock.advance(1);
        expect(await r.state()).toBe(acked < r.sent.length ? 'IBV_QPS_ERR' : 'IBV_QPS_RTS');
      }),
      { numRuns: 300 },
    );
  });

  it('knows of an answer that reached the port before the limit', async () => {
    const r = await scriptedRequester({
      qp: { timeout: 1 },
      config: { timeoutFactor: 1, processingDelay: 9000 },
    });
    await r.post('IBV_WR_SEND');
    r.clock.advance(9000 + 8191);
    r.ack(0);
    r.clock.advance(100 * us);
    expect(r.psns()).toEqual([0]);
    expect(await r.statuses()).toEqual([[1, 'IBV_WC_SUCCESS']]);
  });

  it('never times out with timeout 0, and still heeds a sequence NAK until its retries are spent', async () => {
    const r = await scriptedRequester({ qp: { timeout: 0, retry_cnt: 1 } });
    await r.post('IBV_WR_SEND', 512);
    r.clock.advance(1e12);
    expect(r.psns()).toEqual([0, 1]);
    expect(await r.statuses()).toEqual([]);
    r.nak(0, 'psn-sequence-error');
    r.clock.advance(1e12);
    expect(r.psns()).toEqual([0, 1, 0, 1]);
    r.nak(0, 'psn-sequence-error');
    r.clock.advance(10 * us);
    expect(await r.statuses()).toEqual([[1, 'IBV_WC_RETRY_EXC_ERR']]);
  });

  it.each([
    ['IBV_WR_RDMA_READ', false],
    ['IBV_WR_ATOMIC_CMP_AND_SWP', false],
    ['IBV_WR_RDMA_READ', true],
  ] as const)('runs for a %s, with AckReq %s', async (opcode, readsAsk) => {
    const r = await scriptedRequester({ qp: { timeout: 2 }, config: { readsAsk } });
    await r.post(opcode);
    r.clock.advance(50 * us);
    expect(r.psns()).toEqual([0, 0]);
    expect(r.sent.map((s) => s.packet.ackReq)).toEqual([readsAsk, readsAsk]);
  });

  it('counts from the oldest unanswered request where it is set to', async () => {
    const r = await scriptedRequester({ qp: { timeout: 3 }, config: { requestRestartsTimer: false } });
    await r.post('IBV_WR_SEND');
    r.clock.advance(40 * us);
    await r.post('IBV_WR_SEND');
    r.clock.advance(30 * us);
    expect(r.psns()).toEqual([0, 1, 0, 1]);
  });

  it('takes a duplicate for an answer only where it is set to', async () => {
    for (const duplicateRestartsTimer of [false, true]) {
      const r = await scriptedRequester({ qp: { timeout: 3 }, config: { duplicateRestartsTimer } });
      await r.post('IBV_WR_SEND');
      r.clock.advance(60 * us);
      r.ack(-1);
      r.clock.advance(30 * us);
      expect(r.psns()).toEqual(duplicateRestartsTimer ? [0] : [0, 0]);
    }
  });
});

describe('RNR wait of the reference requester', () => {
  it('lasts as long as the code says, counted from the NAK, whatever the timeout is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 31 }),
        fc.integer({ min: 0, max: 31 }),
        fc.integer({ min: 0, max: 5 }),
        fc.constantFrom(1, 2),
        fc.nat(60_000),
        async (code, min_rnr_timer, timeout, rnrWaitFactor, before) => {
          const r = await scriptedRequester({
            qp: { timeout, min_rnr_timer, retry_cnt: 0 },
            config: { rnrWaitFactor, timeoutFactor: 4 },
          });
          await r.post('IBV_WR_SEND');
          r.clock.advance(Math.min(2000 + before, timeout === 0 ? 1e9 : interval(timeout) - 1000));
          r.rnr(0, code);
          const from = r.clock.now();
          const wait = rnrMicroseconds[code]! * us * rnrWaitFactor;
          r.clock.advance(wait - 1);
          expect(r.psns()).toEqual([0]);
          r.clock.advance(2 * us);
          const [, again] = r.times(0);
          expect(again! - from).toBeGreaterThanOrEqual(wait);
          expect(await r.statuses()).toEqual([]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('holds up everything behind the refused request as well', async () => {
    const r = await scriptedRequester({ qp: { timeout: 1, retry_cnt: 0 } });
    await r.post('IBV_WR_SEND');
    await r.post('IBV_WR_RDMA_WRITE');
    r.clock.advance(3 * us);
    r.rnr(0, 10);
    r.clock.advance(100 * us);
    await r.post('IBV_WR_SEND');
    r.clock.advance(200 * us);
    expect(r.psns()).toEqual([0, 1]);
    r.clock.advance(25 * us);
    expect(r.psns()).toEqual([0, 1, 0, 1, 2]);
  });

  it('ends when the refused request is acknowledged, or runs out, as it is set to', async () => {
    for (const progressEndsRnrWait of [true, false]) {
      const r = await scriptedRequester({ qp: { timeout: 0 }, config: { progressEndsRnrWait } });
      await r.post('IBV_WR_SEND');
      await r.post('IBV_WR_SEND');
      r.clock.advance(3 * us);
      r.rnr(0, 12);
      r.ack(0);
      r.clock.advance(10 * us);
      expect(r.psns()).toEqual(progressEndsRnrWait ? [0, 1, 1] : [0, 1]);
      r.clock.advance(700 * us);
      expect(r.psns()).toEqual([0, 1, 1]);
    }
  });
});
