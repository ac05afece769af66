import { cornerScripts } from './corner-scripts.ts';
import { migrationScripts } from './migration-scripts.ts';
import { script, us, type Script } from './script.ts';

export const scripts: readonly Script[] = [
  ...migrationScripts,
  ...cornerScripts,
  script('silence, retries spent', { timeout: 3, retry_cnt: 2 }, async (r) => {
    for (const opcode of ['IBV_WR_SEND', 'IBV_WR_RDMA_WRITE', 'IBV_WR_SEND'] as const)
      await r.post(opcode, 300);
    r.clock.advance(5000 * us);
    await r.post('IBV_WR_SEND');
  }),
  script('silence, seven retries', { timeout: 2, retry_cnt: 7 }, async (r) => {
    await r.post('IBV_WR_RDMA_WRITE', 8, { signaled: false });
    r.clock.advance(2000 * us);
  }),
  script('silence, timer off', { timeout: 0, retry_cnt: 1 }, async (r) => {
    await r.post('IBV_WR_SEND');
    r.clock.advance(20_000 * us);
  }),
  script('silence, smallest timeout', { timeout: 1, retry_cnt: 1 }, async (r) => {
    await r.post('IBV_WR_SEND', 8, { send_flags: ['IBV_SEND_SOLICITED'] });
    r.clock.advance(2000 * us);
  }),
  script('a lost READ and a lost ATOMIC', { timeout: 2, retry_cnt: 3 }, async (r) => {
    await r.post('IBV_WR_RDMA_READ', 8);
    r.clock.advance(100 * us);
    r.read(0, 'ONLY', 8, 1);
    r.clock.advance(5 * us);
    await r.post('IBV_WR_ATOMIC_FETCH_AND_ADD', 8);
    r.clock.advance(100 * us);
  }),
  script('progress puts the timeout off', { timeout: 3 }, async (r) => {
    await r.post('IBV_WR_SEND', 4 * 256, {});
    r.clock.advance(50 * us);
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.ack(1);
    r.clock.advance(40 * us);
    r.ack(2);
    r.clock.advance(40 * us);
    r.ack(20);
    r.clock.advance(40 * us);
    r.ack(4);
    r.clock.advance(1000 * us);
  }),
  script('memory at the end of the address space', {}, async (r) => {
    await r.post('IBV_WR_RDMA_WRITE', 8, { remote_addr: 0xffff_ffff_ffff_ff00n });
    r.clock.advance(5 * us);
  }),
  script('a ghost puts nothing off', { timeout: 2, retry_cnt: 1 }, async (r) => {
    await r.post('IBV_WR_SEND');
    r.clock.advance(20 * us);
    r.ack(9);
    r.clock.advance(500 * us);
  }),
  script('a later request puts the timeout off', { timeout: 3, retry_cnt: 1 }, async (r) => {
    await r.post('IBV_WR_SEND');
    r.clock.advance(40 * us);
    await r.post('IBV_WR_SEND');
    r.clock.advance(40 * us);
  }),
  script('RNR waits', { timeout: 2, rnr_retry: 2, min_rnr_timer: 5 }, async (r) => {
    await r.post('IBV_WR_SEND');
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.rnr(0, 12);
    r.clock.advance(700 * us);
    r.ack(0);
    r.rnr(1, 10);
    r.clock.advance(400 * us);
    r.rnr(1, 1);
    r.clock.advance(20 * us);
    r.rnr(1, 2);
    r.clock.advance(20 * us);
  }),
  script('RNR code 0', { timeout: 0 }, async (r) => {
    await r.post('IBV_WR_SEND', 300);
    r.clock.advance(300 * us);
    r.rnr(0, 0);
    r.clock.advance(700_000 * us);
    r.ack(1);
    r.clock.advance(2_000_000 * us);
  }),
  script('RNR for ever', { timeout: 0, rnr_retry: 7, retry_cnt: 3 }, async (r) => {
    await r.post('IBV_WR_SEND');
    for (let i = 0; i < 9; i++) {
      r.clock.advance(20 * us);
      r.rnr(0, 1);
    }
    r.clock.advance(20 * us);
    r.ack(0);
    r.clock.advance(20 * us);
  }),
  script('RNR once', { timeout: 0, rnr_retry: 0 }, async (r) => {
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.rnr(0, 1);
    r.clock.advance(40 * us);
  }),
  script('RNR and time-outs are counted apart', { timeout: 1, retry_cnt: 1, rnr_retry: 1 }, async (r) => {
    await r.post('IBV_WR_SEND');
    r.clock.advance(20 * us);
    r.rnr(0, 1);
    r.clock.advance(14 * us);
    r.ack(0);
    await r.post('IBV_WR_SEND');
    r.clock.advance(3 * us);
    r.rnr(1, 1);
    r.clock.advance(15 * us);
    r.ack(1);
    r.clock.advance(5 * us);
    await r.post('IBV_WR_SEND');
    r.clock.advance(20 * us);
    r.ack(0);
    r.clock.advance(5 * us);
    r.rnr(2, 1);
    r.ack(1);
    r.clock.advance(12 * us);
    r.rnr(2, 1);
    r.clock.advance(40 * us);
  }),
  script('sequence NAKs', { timeout: 0, retry_cnt: 2 }, async (r) => {
    await r.post('IBV_WR_SEND', 3 * 256);
    await r.post('IBV_WR_RDMA_WRITE', 300);
    await r.post('IBV_WR_RDMA_READ', 300);
    r.clock.advance(5 * us);
    r.nak(3, 'psn-sequence-error');
    r.clock.advance(5 * us);
    r.nak(3, 'psn-sequence-error');
    r.clock.advance(5 * us);
    r.ack(2);
    r.clock.advance(5 * us);
    r.nak(3, 'psn-sequence-error');
    r.clock.advance(5 * us);
    r.nak(3, 'psn-sequence-error');
    r.clock.advance(5 * us);
  }),
  script('a NAK and a time-out over several requests', { timeout: 3, retry_cnt: 5 }, async (r) => {
    for (let i = 0; i < 6; i++) await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.nak(2, 'psn-sequence-error');
    r.clock.advance(200 * us);
    r.ack(3);
    r.ack(3);
    r.ack(1);
    r.clock.advance(10 * us);
    r.ack(5);
    r.clock.advance(10 * us);
  }),
  script('a coalesced ACK', { timeout: 0 }, async (r) => {
    for (let i = 0; i < 3; i++)
      await r.post(i === 1 ? 'IBV_WR_RDMA_WRITE' : 'IBV_WR_SEND', 8, { signaled: i !== 2 });
    r.clock.advance(5 * us);
    r.ack(2);
    r.ack(7);
    r.clock.advance(5 * us);
  }),
  script('a ghost', { timeout: 0 }, async (r) => {
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.ack(9);
    r.clock.advance(5 * us);
  }),
  script('retries spent twice, with progress between', { timeout: 1, retry_cnt: 1 }, async (r) => {
    for (let i = 0; i < 2; i++) {
      await r.post('IBV_WR_SEND');
      r.clock.advance(20 * us);
      r.ack(i);
      r.clock.advance(5 * us);
    }
    await r.post('IBV_WR_SEND');
    r.clock.advance(20 * us);
    r.ack(1);
    r.clock.advance(200 * us);
  }),
  script('READ with a gap', { timeout: 0, retry_cnt: 3 }, async (r) => {
    await r.post('IBV_WR_RDMA_READ', 600, { remote_addr: 0xffff_ff00n });
    await r.post('IBV_WR_SEND');
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.read(0, 'FIRST', 256, 1);
    r.read(2, 'LAST', 88, 3);
    r.clock.advance(5 * us);
    r.read(1, 'FIRST', 256, 2);
    r.read(2, 'LAST', 88, 3);
    r.read(0, 'FIRST', 256, 9);
    r.ack(4);
    r.read(0, 'FIRST', 256, 9);
    r.clock.advance(5 * us);
  }),
  script('ACK behind an open READ and an open ATOMIC', { timeout: 0, retry_cnt: 3 }, async (r) => {
    await r.post('IBV_WR_RDMA_READ', 8);
    await r.post('IBV_WR_ATOMIC_CMP_AND_SWP', 8, { compare_add: 1n, swap: 2n });
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.ack(2);
    r.clock.advance(5 * us);
    r.read(0, 'ONLY', 8, 5);
    r.ack(2);
    r.clock.advance(5 * us);
    r.atomic(1, 77n);
    r.atomic(1, 78n);
    r.ack(2);
    r.clock.advance(5 * us);
  }),
  script('implied NAKs without end', { timeout: 1, retry_cnt: 2 }, async (r) => {
    await r.post('IBV_WR_RDMA_READ', 8);
    await r.post('IBV_WR_SEND');
    for (let i = 0; i < 6; i++) {
      r.clock.advance(5 * us);
      r.ack(1);
    }
    r.clock.advance(200 * us);
  }),
  script('answers of a wrong length', { timeout: 0 }, async (r) => {
    await r.post('IBV_WR_RDMA_READ', 8);
    r.clock.advance(5 * us);
    r.read(0, 'ONLY', 4, 5);
    r.clock.advance(5 * us);
  }),
  ...[0x40, 0x65].map((value) =>
    script(`syndrome ${value}`, { timeout: 0, retry_cnt: 1 }, async (r) => {
      await r.post('IBV_WR_SEND');
      await r.post('IBV_WR_SEND');
      r.clock.advance(5 * us);
      r.raw(0, value);
      r.clock.advance(5 * us);
    }),
  ),
  ...(['invalid-request', 'remote-access-error', 'remote-operational-error'] as const).map((code) =>
    script(`NAK ${code}`, { timeout: 2, retry_cnt: 1 }, async (r) => {
      for (let i = 0; i < 4; i++) await r.post('IBV_WR_RDMA_WRITE', 300, { signaled: i !== 1 });
      r.clock.advance(5 * us);
      r.nak(2, code);
      r.clock.advance(5 * us);
      await r.post('IBV_WR_SEND');
      r.clock.advance(5 * us);
    }),
  ),
  script('answers from elsewhere, and a damaged one', { timeout: 0 }, async (r) => {
    await r.post('IBV_WR_SEND');
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.ack(0, { srcIp: '10.0.0.3' });
    r.clock.advance(5 * us);
    r.ack(1, { icrcXor: 1 });
    r.clock.advance(5 * us);
  }),
  script('READs and ATOMICs at the limit, and a fence', { timeout: 0, max_rd_atomic: 1 }, async (r) => {
    await r.post('IBV_WR_RDMA_READ', 8);
    await r.post('IBV_WR_ATOMIC_FETCH_AND_ADD', 8);
    await r.post('IBV_WR_RDMA_READ', 8);
    await r.post('IBV_WR_SEND', 8, { send_flags: ['IBV_SEND_FENCE'] });
    for (let i = 0; i < 3; i++) {
      r.clock.advance(5 * us);
      if (i === 1) r.atomic(i, 1n);
      else r.read(i, 'ONLY', 8, i);
    }
    r.clock.advance(5 * us);
  }),
  script('fewer READs at a time than before', { timeout: 0, max_rd_atomic: 4 }, async (r) => {
    await r.post('IBV_WR_RDMA_READ');
    r.clock.advance(5 * us);
    r.read(0, 'ONLY', 8, 1);
    r.clock.advance(5 * us);
    const { verbs, qp } = r.side;
    await verbs.modify_qp(qp, { qp_state: 'IBV_QPS_SQD' });
    await verbs.modify_qp(qp, { max_rd_atomic: 1 });
    await verbs.modify_qp(qp, { qp_state: 'IBV_QPS_RTS' });
    for (let i = 0; i < 3; i++) await r.post('IBV_WR_RDMA_READ');
    r.clock.advance(20 * us);
  }),
  script('a fence behind a READ', { timeout: 0, max_rd_atomic: 4 }, async (r) => {
    await r.post('IBV_WR_RDMA_READ', 8);
    await r.post('IBV_WR_SEND', 8, { send_flags: ['IBV_SEND_FENCE'] });
    r.clock.advance(5 * us);
  }),
  script('SQD', { timeout: 0 }, async (r) => {
    await r.side.verbs.modify_qp(r.side.qp, { qp_state: 'IBV_QPS_SQD', en_sqd_async_notify: true });
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
  }),
  script('inline data', { timeout: 0 }, async (r) => {
    await r.post('IBV_WR_SEND', 8, { send_flags: ['IBV_SEND_INLINE'] });
    await r.side.verbs.write_memory(r.side.mr.mr, 4096, new Uint8Array(8).fill(7));
    r.clock.advance(5 * us);
  }),
  script('packets of different bytes', { timeout: 0 }, async (r) => {
    const bytes = Uint8Array.from({ length: 32768 }, (_, i) => i >> 6);
    await r.side.verbs.write_memory(r.side.mr.mr, 0, bytes);
    await r.post('IBV_WR_SEND', 600);
    r.clock.advance(5 * us);
  }),
  script('SQD and silence', { timeout: 2, retry_cnt: 2 }, async (r) => {
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    await r.side.verbs.modify_qp(r.side.qp, { qp_state: 'IBV_QPS_SQD' });
    r.clock.advance(2000 * us);
  }),
  script('SQD and a peer that is not ready', { timeout: 0 }, async (r) => {
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    await r.side.verbs.modify_qp(r.side.qp, { qp_state: 'IBV_QPS_SQD' });
    r.rnr(0, 1);
    r.clock.advance(200 * us);
  }),
  script('NAKs during an RNR wait', { timeout: 0, rnr_retry: 7 }, async (r) => {
    await r.post('IBV_WR_SEND');
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.rnr(0, 12);
    r.nak(0, 'psn-sequence-error');
    r.clock.advance(100 * us);
    r.nak(1, 'psn-sequence-error');
    r.clock.advance(700 * us);
  }),
  script('a fence behind a READ that is sent again', { timeout: 0, max_rd_atomic: 4 }, async (r) => {
    await r.post('IBV_WR_RDMA_READ', 8);
    await r.post('IBV_WR_SEND', 8, { send_flags: ['IBV_SEND_FENCE'] });
    r.clock.advance(5 * us);
    r.nak(0, 'psn-sequence-error');
    r.clock.advance(5 * us);
  }),
  script('a second life', { timeout: 0, retry_cnt: 2 }, async (r) => {
    await r.post('IBV_WR_SEND');
    for (let i = 0; i < 2; i++) {
      r.clock.advance(5 * us);
      r.nak(0, 'psn-sequence-error');
    }
    await r.restart({ timeout: 0, retry_cnt: 2 });
    await r.post('IBV_WR_SEND');
    for (let i = 0; i < 2; i++) {
      r.clock.advance(5 * us);
      r.nak(0, 'psn-sequence-error');
    }
    r.clock.advance(5 * us);
  }),
];
