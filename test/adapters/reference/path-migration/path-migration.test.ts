import { describe, expect, it } from 'vitest';
import { encodeSyndrome, opcodeByName } from '../../../../spec/constants.ts';
import type { QpAttr } from '../../../../spec/verbs.ts';
import type { PacketFields } from '../../../../wire/index.ts';
import { VirtualClock } from '../../../../adapters/virtual-clock.ts';
import { gidOfAddress, referenceAdapter } from '../../../../adapters/reference/index.ts';
import { connect, makeSide, packetOf, poll } from '../pair.ts';
import {
  scriptedRequester,
  type Requester,
  type RequesterOptions,
} from '../rc-requester/scripted-requester.ts';

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

  it('answers a peer that has migrated over the alternate path', async () => {
    const r = await armed();
    await r.side.verbs.post_recv(r.side.qp, { wr_id: 80, sg_list: [] });
    const request = (fields: Partial<PacketFields>): void =>
      r.respond(0, { opcode: opcodeByName('RC_SEND_ONLY'), psn: 5, ackReq: true, ...fields });
    request({ migReq: true });
    r.clock.advance(5 * us);
    expect(r.sent).toEqual([]);
    request({ migReq: true, srcIp: 'fd00::2', dstIp: 'fd00::1' });
    r.clock.advance(5 * us);
    expect(r.sent.map(({ packet }) => [packet.dstIp, packet.migReq, packet.info?.operation])).toEqual([
      ['fd00::2', true, 'ACKNOWLEDGE'],
    ]);
    expect(eventsOf(r)).toEqual(['IBV_EVENT_PATH_MIG_ERR', 'IBV_EVENT_PATH_MIG']);
    expect(await r.statuses()).toEqual([[80, 'IBV_WC_SUCCESS']]);
  });

  it('loses nothing when the primary path between two NICs breaks', async () => {
    const clock = new VirtualClock();
    let broken = false;
    const deliver = (to: 0 | 1) => (frame: Uint8Array) => {
      if (broken && packetOf(frame).ipVersion === 4) return;
      clock.setTimer(2000, () => sides[to].nic.receive(frame));
    };
    const sides = [await makeSide(clock, 0, deliver(1)), await makeSide(clock, 1, deliver(0))] as const;
    const [a, b] = sides;
    const qp: QpAttr = { timeout: 4, retry_cnt: 1 };
    await connect(a, { num: b.num, ip: '10.0.0.2' }, 7, 9, { qp });
    await connect(b, { num: a.num, ip: '10.0.0.1' }, 9, 7, { qp });
    for (const [side, address] of [
      [a, 'fd00::2'],
      [b, 'fd00::1'],
    ] as const) {
      await side.verbs.modify_qp(side.qp, {
        alt_ah_attr: { dgid: gidOfAddress(address), sgid_index: 1 },
        alt_timeout: 4,
        path_mig_state: 'IBV_MIG_REARM',
      });
    }
    const data = Uint8Array.from({ length: 3000 }, (_, i) => (i * 7) & 0xff);
    await a.verbs.write_memory(a.mr.mr, 0, data);
    const write = (wr_id: number) =>
      a.verbs.post_send(a.qp, {
        wr_id,
        opcode: 'IBV_WR_RDMA_WRITE',
        sg_list: [{ addr: a.mr.addr, length: data.length, lkey: a.mr.lkey }],
        send_flags: ['IBV_SEND_SIGNALED'],
        remote_addr: b.mr.addr + BigInt(wr_id * 4096),
        rkey: b.mr.rkey,
      });
    await write(1);
    clock.advance(100 * us);
    broken = true;
    await write(2);
    clock.advance(2000 * us);
    expect((await poll(a)).map((wc) => [wc.wr_id, wc.status])).toEqual([
      [1, 'IBV_WC_SUCCESS'],
      [2, 'IBV_WC_SUCCESS'],
    ]);
    for (const side of sides) expect(side.events.map((e) => e.event_type)).toEqual(['IBV_EVENT_PATH_MIG']);
    for (const id of [1, 2]) expect(await b.verbs.read_memory(b.mr.mr, id * 4096, 3000)).toEqual(data);
  });
});
