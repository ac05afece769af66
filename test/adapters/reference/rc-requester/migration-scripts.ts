import { gidOfAddress } from '../../../../adapters/reference/index.ts';
import { opcodeByName } from '../../../../spec/constants.ts';
import { script, us, type Script } from './script.ts';
import type { Requester } from './scripted-requester.ts';

const other = { srcIp: 'fd00::2', dstIp: 'fd00::1' };

/** Loads a path and arms the QP, by the answers to two messages from this one on. `path`: of the answers. */
async function arm(r: Requester, address = 'fd00::2', from = 0, path = {}): Promise<void> {
  await r.side.verbs.modify_qp(r.side.qp, {
    alt_ah_attr: { dgid: gidOfAddress(address), sgid_index: address.includes(':') ? 1 : 0 },
    alt_timeout: 2,
    path_mig_state: 'IBV_MIG_REARM',
  });
  await r.post('IBV_WR_SEND');
  r.clock.advance(5 * us);
  r.ack(from, { migReq: true, ...path });
  await r.post('IBV_WR_SEND');
  r.clock.advance(5 * us);
  r.ack(from + 1, { migReq: false, ...path });
  r.clock.advance(5 * us);
}

export const migrationScripts: readonly Script[] = [
  script('a peer that has migrated arms nothing', { timeout: 1, retry_cnt: 0 }, async (r) => {
    await r.side.verbs.modify_qp(r.side.qp, {
      alt_ah_attr: { dgid: gidOfAddress('fd00::2'), sgid_index: 1 },
      path_mig_state: 'IBV_MIG_REARM',
    });
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.ack(0, { migReq: true });
    r.clock.advance(5 * us);
    await r.post('IBV_WR_SEND');
    r.clock.advance(100 * us);
  }),
  script('a second life', { timeout: 2, retry_cnt: 0 }, async (r) => {
    await arm(r);
    await r.restart({ timeout: 2, retry_cnt: 0 });
    await r.post('IBV_WR_SEND');
    r.clock.advance(2000 * us);
  }),
  script('migration', { timeout: 2, retry_cnt: 1 }, async (r) => {
    await arm(r);
    await r.post('IBV_WR_SEND');
    r.clock.advance(2000 * us);
  }),
  script('migration asked for', { timeout: 0 }, async (r) => {
    await arm(r);
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.ack(2, { migReq: true });
    r.clock.advance(5 * us);
    r.ack(2, { migReq: true, ...other });
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
  }),
  script('a request of a peer that has migrated', { timeout: 0 }, async (r) => {
    await arm(r);
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.ack(2, { migReq: true, ...other });
    r.clock.advance(5 * us);
    // of its first PSN, 5: there is no receive WQE, which is an answer as well
    r.respond(6, { opcode: opcodeByName('RC_SEND_ONLY'), ackReq: true, migReq: true, ...other });
    r.clock.advance(5 * us);
  }),
  script('migration called for', { timeout: 0 }, async (r) => {
    await arm(r);
    // a QP that is not armed may refuse
    await r.side.verbs.modify_qp(r.side.qp, { path_mig_state: 'IBV_MIG_MIGRATED' }).catch(String);
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
  }),
  script('migration in a wait for the receiver', { timeout: 0, rnr_retry: 7 }, async (r) => {
    await arm(r);
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.respond(2, { aeth: { syndrome: 0x2c, msn: 0 }, migReq: false });
    r.clock.advance(5 * us);
    // a mutant may not be armed
    await r.side.verbs.modify_qp(r.side.qp, { path_mig_state: 'IBV_MIG_MIGRATED' }).catch(String);
    r.clock.advance(1000 * us);
  }),
  script('RNR retries spent with a path armed', { timeout: 0, rnr_retry: 0 }, async (r) => {
    await arm(r);
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.respond(2, { aeth: { syndrome: 0x21, msn: 0 }, migReq: false });
    r.clock.advance(200 * us);
  }),
  script('an answer over the path that was left', { timeout: 0 }, async (r) => {
    await arm(r);
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.ack(2, { migReq: true, ...other });
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.ack(3);
    r.clock.advance(5 * us);
  }),
  script('a second migration', { timeout: 0, retry_cnt: 0 }, async (r) => {
    const nak = { aeth: { syndrome: 0x60, msn: 0 }, migReq: false };
    await arm(r);
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.respond(2, nak);
    r.clock.advance(5 * us);
    r.ack(2, other);
    // a QP that has not migrated may refuse
    await arm(r, '10.0.0.2', 3, other).catch(String);
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.respond(5, { ...nak, ...other });
    r.clock.advance(5 * us);
  }),
];
