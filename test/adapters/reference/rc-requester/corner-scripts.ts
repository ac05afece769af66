import { script, us, type Script } from './script.ts';

/** What happens after some events, and not after others of the same kind. */
export const cornerScripts: readonly Script[] = [
  script('READs that are refused', { timeout: 0, rnr_retry: 1, max_rd_atomic: 4 }, async (r) => {
    await r.post('IBV_WR_RDMA_READ', 8);
    await r.post('IBV_WR_RDMA_READ', 8);
    r.clock.advance(5 * us);
    r.rnr(0, 1);
    r.clock.advance(40 * us);
    r.read(0, 'ONLY', 8, 1);
    r.rnr(1, 1);
    r.clock.advance(40 * us);
    r.read(1, 'ONLY', 8, 2);
    r.clock.advance(5 * us);
  }),
  script('retries that are spent in part', { timeout: 0, retry_cnt: 2 }, async (r) => {
    await r.post('IBV_WR_SEND');
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.nak(0, 'psn-sequence-error');
    r.clock.advance(5 * us);
    r.ack(0);
    for (let i = 0; i < 2; i++) {
      r.nak(1, 'psn-sequence-error');
      r.clock.advance(5 * us);
    }
    r.ack(1);
    r.clock.advance(5 * us);
  }),
  script('retries of one kind, and an RNR NAK', { timeout: 0, retry_cnt: 1, rnr_retry: 7 }, async (r) => {
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.nak(0, 'psn-sequence-error');
    r.clock.advance(5 * us);
    r.rnr(0, 1);
    r.clock.advance(40 * us);
    r.nak(0, 'psn-sequence-error');
    r.clock.advance(5 * us);
  }),
  script('retries, and attributes that are set between', { timeout: 0, retry_cnt: 1 }, async (r) => {
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.nak(0, 'psn-sequence-error');
    r.clock.advance(5 * us);
    // a mutant may have failed by now
    if ((await r.state()) === 'IBV_QPS_RTS') await r.side.verbs.modify_qp(r.side.qp, { min_rnr_timer: 9 });
    r.nak(0, 'psn-sequence-error');
    r.clock.advance(5 * us);
  }),
  script(
    'retries that are set anew for a second life',
    { timeout: 0, retry_cnt: 1, rnr_retry: 1 },
    async (r) => {
      const acknowledged = async (psn: number): Promise<void> => {
        await r.post('IBV_WR_SEND');
        r.clock.advance(5 * us);
        r.ack(psn);
        r.clock.advance(5 * us);
      };
      await acknowledged(0);
      await r.restart({ timeout: 0, retry_cnt: 2, rnr_retry: 2 });
      await acknowledged(0);
      await r.post('IBV_WR_SEND');
      r.clock.advance(5 * us);
      for (const refuse of [() => r.nak(1, 'psn-sequence-error'), () => r.rnr(1, 1)]) {
        for (let i = 0; i < 2; i++) {
          refuse();
          r.clock.advance(40 * us);
        }
      }
    },
  ),
  script('data across 2^32', { timeout: 0 }, async (r) => {
    const { verbs, pd } = r.side;
    const iova = 2n ** 32n - 8n;
    const mr = await verbs.reg_mr({ pd, length: 16, access: [], iova });
    await verbs.write_memory(mr.mr, 0, new Uint8Array(16).fill(7));
    await r.post('IBV_WR_SEND', 16, { sg_list: [{ addr: iova, length: 16, lkey: mr.lkey }] });
    r.clock.advance(5 * us);
  }),
  script('a refusal during an RNR wait', { timeout: 0, rnr_retry: 7 }, async (r) => {
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.rnr(0, 12);
    r.nak(0, 'remote-access-error');
    r.clock.advance(1000 * us);
  }),
  script('refusals of what is acknowledged', { timeout: 0, rnr_retry: 7 }, async (r) => {
    for (const refuse of [() => r.rnr(0, 1), () => r.nak(0, 'remote-access-error')]) {
      await r.post('IBV_WR_SEND');
      await r.post('IBV_WR_SEND');
      r.clock.advance(5 * us);
      r.ack(0);
      refuse();
      r.clock.advance(100 * us);
      r.ack(1);
      r.clock.advance(5 * us);
      if ((await r.state()) !== 'IBV_QPS_RTS') return;
      await r.restart({ timeout: 0, rnr_retry: 7 });
    }
  }),
  script('refusals of what was never sent', { timeout: 0, rnr_retry: 7 }, async (r) => {
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.rnr(3, 1);
    r.clock.advance(100 * us);
    r.nak(3, 'remote-access-error');
    r.clock.advance(5 * us);
  }),
  script('a refusal with a dozen work requests', { timeout: 0 }, async (r) => {
    for (let i = 0; i < 12; i++) await r.post('IBV_WR_SEND', 0, { sg_list: [] });
    r.clock.advance(5 * us);
    r.nak(0, 'remote-access-error');
    r.clock.advance(5 * us);
  }),
  script('RNR waits of two lives', { timeout: 0, rnr_retry: 7 }, async (r) => {
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.rnr(0, 18);
    r.clock.advance(5 * us);
    await r.restart({ timeout: 0, rnr_retry: 7 });
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.rnr(0, 26);
    r.clock.advance(20_000 * us);
  }),
];
