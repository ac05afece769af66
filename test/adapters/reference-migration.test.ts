import { describe, expect, it } from 'vitest';
import { encodeSyndrome } from '../../spec/constants.ts';
import type { QpAttr } from '../../spec/verbs.ts';
import { gidOfAddress, referenceAdapter } from '../../adapters/reference/index.ts';
import { scriptedRequester, type Requester, type RequesterOptions } from './scripted-requester.ts';

const us = 1000;
const alternate: QpAttr = {
  alt_ah_attr: { dgid: gidOfAddress('fd00::2'), sgid_index: 1 },
  alt_pkey_index: 0,
  alt_port_num: 1,
  alt_timeout: 3,
};

const modify = (r: Requester, attr: QpAttr) => r.side.verbs.modify_qp(r.side.qp, attr);
const migrationOf = async (r: Requester) => (await r.side.verbs.query_qp(r.side.qp)).path_mig_state;
const eventsOf = (r: Requester) => r.events.map((e) => e.event_type);

/** A QP that has been armed by an answer with MigReq 0. */
async function armed(options: RequesterOptions = {}): Promise<Requester> {
  const r = await scriptedRequester(options);
  await modify(r, { ...alternate, path_mig_state: 'IBV_MIG_REARM' });
  await r.post('IBV_WR_SEND');
  r.clock.advance(5 * us);
  r.ack(0, { migReq: true });
  r.clock.advance(5 * us);
  expect(await migrationOf(r)).toBe('IBV_MIG_REARM');
  await r.post('IBV_WR_SEND');
  r.clock.advance(5 * us);
  r.ack(1, { migReq: false });
  r.clock.advance(5 * us);
  expect(await migrationOf(r)).toBe('IBV_MIG_ARMED');
  expect(r.sent.map((s) => s.packet.migReq)).toEqual([false, false]);
  await r.statuses();
  r.sent.length = 0;
  return r;
}

describe('path migration of the reference NIC', () => {
  it('is declared, and can be left out', async () => {
    expect((await referenceAdapter().describe()).capabilities).toContain('apm');
    const without = referenceAdapter({ responder: { apm: false } });
    expect((await without.describe()).capabilities).not.toContain('apm');
    const r = await scriptedRequester({ config: { apm: false } });
    await expect(modify(r, { path_mig_state: 'IBV_MIG_REARM' })).rejects.toThrow(/errno 22/);
    await expect(modify(r, alternate)).rejects.toThrow(/errno 22/);
  });

  it('sends MigReq 1 until it is in use', async () => {
    const r = await scriptedRequester();
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    expect(r.sent.map((s) => s.packet.migReq)).toEqual([true]);
  });

  it('takes the alternate path when the retries are spent, and has all retries again there', async () => {
    const r = await armed({ qp: { timeout: 1, retry_cnt: 2 } });
    await r.post('IBV_WR_SEND');
    r.clock.advance(2000 * us);
    expect(r.sent.map((s) => [s.psn, s.packet.dstIp, s.packet.migReq])).toEqual([
      ...Array.from({ length: 3 }, () => [2, '10.0.0.2', false]),
      ...Array.from({ length: 3 }, () => [2, 'fd00::2', true]),
    ]);
    const [a, b] = r.sent.slice(3).map((s) => s.at);
    expect(b! - a!).toBeGreaterThanOrEqual(4096 * 8);
    expect(eventsOf(r)).toEqual(['IBV_EVENT_PATH_MIG']);
    expect(await r.statuses()).toEqual([[3, 'IBV_WC_RETRY_EXC_ERR']]);
    expect(await migrationOf(r)).toBe('IBV_MIG_MIGRATED');
  });

  it('completes on the alternate path, and takes answers from there only', async () => {
    const r = await armed({ qp: { timeout: 1, retry_cnt: 0 } });
    await r.post('IBV_WR_SEND');
    r.clock.advance(20 * us);
    r.ack(2);
    r.clock.advance(5 * us);
    expect(await r.statuses()).toEqual([]);
    r.ack(2, { srcIp: 'fd00::2', dstIp: 'fd00::1' });
    r.clock.advance(5 * us);
    expect(await r.statuses()).toEqual([[3, 'IBV_WC_SUCCESS']]);
  });

  it('follows a peer that has migrated, over the alternate path only', async () => {
    const r = await armed({ qp: { timeout: 0 } });
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.ack(2, { migReq: true });
    r.clock.advance(5 * us);
    expect(eventsOf(r)).toEqual(['IBV_EVENT_PATH_MIG_ERR']);
    expect(await migrationOf(r)).toBe('IBV_MIG_ARMED');
    expect(await r.statuses()).toEqual([]);
    r.ack(2, { migReq: true, srcIp: 'fd00::2', dstIp: 'fd00::1' });
    r.clock.advance(5 * us);
    expect(eventsOf(r)).toEqual(['IBV_EVENT_PATH_MIG_ERR', 'IBV_EVENT_PATH_MIG']);
    expect(await r.statuses()).toEqual([[3, 'IBV_WC_SUCCESS']]);
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    expect(r.sent.at(-1)?.packet.dstIp).toBe('fd00::2');
  });

  it('migrates when software says so, and is armed by the wire only', async () => {
    const r = await armed();
    await expect(modify(r, { path_mig_state: 'IBV_MIG_REARM' })).rejects.toThrow(/errno 22/);
    await modify(r, { path_mig_state: 'IBV_MIG_MIGRATED' });
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    expect(r.sent.map((s) => [s.packet.dstIp, s.packet.migReq])).toEqual([['fd00::2', true]]);
    await expect(modify(r, { path_mig_state: 'IBV_MIG_ARMED' })).rejects.toThrow(/errno 22/);
    await modify(r, { path_mig_state: 'IBV_MIG_REARM' });
    await expect(modify(r, { path_mig_state: 'IBV_MIG_MIGRATED' })).rejects.toThrow(/errno 22/);
  });

  it('does not migrate for RNR NAKs', async () => {
    const r = await armed({ qp: { timeout: 0, rnr_retry: 0 } });
    await r.post('IBV_WR_SEND');
    r.clock.advance(5 * us);
    r.respond(2, { aeth: { syndrome: encodeSyndrome('rnr-nak', 1), msn: 0 }, migReq: false });
    r.clock.advance(5 * us);
    expect(eventsOf(r)).toEqual([]);
    expect(await r.statuses()).toEqual([[3, 'IBV_WC_RNR_RETRY_EXC_ERR']]);
  });
});
