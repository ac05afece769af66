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
  script('a refusal during an RNR wait', { timeout: 0, rnr_retry: 7 }, async (r) => {
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.rnr(0, 12);
    r.nak(0, 'remote-access-error');
    r.clock.advance(1000 * us);
  }),
  script('a refusal with a dozen work requests', { timeout: 0 }, async (r) => {
    for (let i = 0; i < 12; i++) await r.post('IBV_WR_SEND', 0, { sg_list: [] });
    r.clock.advance(5 * us);
    r.nak(0, 'remote-access-error');
    r.clock.advance(5 * us);
  }),
];
