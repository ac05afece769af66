import { describe, expect, it } from 'vitest';
import { opcodeByName } from '../../../../spec/constants.ts';
import type { Sge } from '../../../../spec/verbs.ts';
import { packetOf } from '../pair.ts';
import { lone, pattern, peerQp, qkey, type Lone } from './pair.ts';

const only = opcodeByName('UD_SEND_ONLY');
const deth = { qkey, srcQp: 0x321 };
const sge = (side: Lone, length: number): Sge => ({ addr: side.mr.addr, length, lkey: side.mr.lkey });

describe('UD requester', () => {
  it('sends one packet to where the address handle leads, with Q_Key and its own number', async () => {
    const side = await lone('IBV_QPT_UD');
    await side.send({ wr_id: 1, sg_list: [sge(side, 5)] });
    await side.send({
      wr_id: 2,
      opcode: 'IBV_WR_SEND_WITH_IMM',
      imm_data: 4,
      remote_qkey: 0x8000_0000,
      send_flags: ['IBV_SEND_SIGNALED', 'IBV_SEND_SOLICITED'],
    });
    expect((await side.settle()).map((wc) => [wc.wr_id, wc.status])).toEqual([
      [1, 'IBV_WC_SUCCESS'],
      [2, 'IBV_WC_SUCCESS'],
    ]);
    const packets = side.frames.map(packetOf);
    expect(packets.map((p) => [p.info?.name, p.psn, p.destQp, p.dstIp, p.solicited, p.immediate])).toEqual([
      ['UD_SEND_ONLY', 0xfffffe, peerQp, '10.0.0.2', false, undefined],
      ['UD_SEND_ONLY_WITH_IMMEDIATE', 0xffffff, peerQp, '10.0.0.2', true, 4],
    ]);
    expect(packets.map((p) => p.deth)).toEqual([
      { qkey, srcQp: side.num },
      { qkey, srcQp: side.num },
    ]);
  });

  it.each([
    ['vanish', 'IBV_WC_SUCCESS', 'IBV_QPS_RTS'],
    ['complete', 'IBV_WC_LOC_LEN_ERR', 'IBV_QPS_SQE'],
  ] as const)(
    'puts no datagram on the wire that is longer than the port allows: %s',
    async (longDatagram, status, state) => {
      const side = await lone('IBV_QPT_UD', { config: { longDatagram } });
      await side.send({ sg_list: [sge(side, 4097)] });
      expect((await side.settle()).map((wc) => wc.status)).toEqual([status]);
      expect(await side.state()).toBe(state);
      expect(side.frames).toEqual([]);
    },
  );

  it('wants an address handle of its own PD', async () => {
    const side = await lone('IBV_QPT_UD');
    const { create_ah, destroy_ah } = side.verbs;
    const pd = await side.verbs.alloc_pd();
    const foreign = await create_ah?.({
      pd,
      attr: { dgid: '00000000000000000000ffff0a000002', sgid_index: 0 },
    });
    await expect(side.verbs.dealloc_pd(pd)).rejects.toMatchObject({ errno: 16 });
    await expect(side.send({ ah: 999 })).rejects.toMatchObject({ errno: 22 });
    await side.send({ ah: foreign ?? 0 });
    expect((await side.settle()).map((wc) => wc.status)).toEqual(['IBV_WC_LOC_QP_OP_ERR']);
    await destroy_ah?.(foreign ?? 0);
    await side.verbs.dealloc_pd(pd);
    await expect(destroy_ah?.(foreign ?? 0)).rejects.toMatchObject({ errno: 22 });
  });
});

describe('UD responder', () => {
  it('puts 40 bytes of GRH in front of the payload and tells who sent it, whatever the PSN', async () => {
    const side = await lone('IBV_QPT_UD');
    await side.recv(50, 64);
    side.deliver({ opcode: only, psn: 12345, payload: pattern(24), deth });
    expect(await side.settle()).toEqual([
      {
        wr_id: 50,
        status: 'IBV_WC_SUCCESS',
        opcode: 'IBV_WC_RECV',
        byte_len: 64,
        qp_num: side.num,
        src_qp: 0x321,
        grh: true,
      },
    ]);
    const got = await side.verbs.read_memory(side.mr.mr, 0, 65);
    expect([...got.subarray(40)]).toEqual([...pattern(24), 0]);
    // The last 20 of the 40 bytes are the IPv4 header.
    expect([got[20], ...got.subarray(32, 40)]).toEqual([0x45, 10, 0, 0, 2, 10, 0, 0, 1]);
  });

  it('has the whole IPv6 header there', async () => {
    const side = await lone('IBV_QPT_UD');
    await side.recv(50, 64);
    side.deliver({ opcode: only, psn: 1, deth, srcIp: 'fd00::2', dstIp: 'fd00::1' });
    await side.settle();
    const got = await side.verbs.read_memory(side.mr.mr, 0, 40);
    expect([got[0], got[6], got[23], got[39]]).toEqual([0x60, 17, 2, 1]);
  });

  it('drops without a trace what is too long, has a wrong Q_Key or finds no receive WR', async () => {
    const side = await lone('IBV_QPT_UD');
    side.deliver({ opcode: only, psn: 1, payload: pattern(24), deth });
    expect(await side.settle()).toEqual([]);
    await side.recv(50, 63);
    side.deliver({ opcode: only, psn: 2, payload: pattern(24), deth });
    side.deliver({ opcode: only, psn: 3, payload: pattern(4), deth: { ...deth, qkey: 1 } });
    expect(await side.settle()).toEqual([]);
    expect([...(await side.verbs.read_memory(side.mr.mr, 0, 64))]).toEqual([...new Uint8Array(64)]);
    side.deliver({ opcode: only, psn: 4, payload: pattern(23), deth });
    expect((await side.settle()).map((wc) => wc.wr_id)).toEqual([50]);
    expect(side.events).toEqual([]);
  });
});

describe('the port', () => {
  it('is cut off while its link is down, says so, and leaves QPs as they are', async () => {
    const side = await lone('IBV_QPT_UD');
    await side.recv(50, 64);
    side.nic.setLink(false);
    side.nic.setLink(false);
    expect((await side.verbs.query_port?.())?.state).toBe('IBV_PORT_DOWN');
    side.deliver({ opcode: only, psn: 1, deth });
    await side.send({ sg_list: [sge(side, 5)] });
    expect((await side.settle()).map((wc) => wc.status)).toEqual(['IBV_WC_SUCCESS']);
    expect(side.frames).toEqual([]);
    expect(await side.state()).toBe('IBV_QPS_RTS');
    side.nic.setLink(true);
    expect((await side.verbs.query_port?.())?.state).toBe('IBV_PORT_ACTIVE');
    expect(side.events).toEqual([
      { event_type: 'IBV_EVENT_PORT_ERR', port_num: 1 },
      { event_type: 'IBV_EVENT_PORT_ACTIVE', port_num: 1 },
    ]);
    const silent = await lone('IBV_QPT_UD', { config: { portEvents: false } });
    silent.nic.setLink(false);
    expect(silent.events).toEqual([]);
    expect((await silent.verbs.query_device?.())?.port_active_event).toBe(false);
  });

  it('lists an address that it gets, until it loses it, and says so each time', async () => {
    const side = await lone('IBV_QPT_UD');
    const before = await side.verbs.query_gid?.();
    const gid = side.nic.setGid(true);
    expect(side.nic.setGid(true)).toBe(gid);
    expect(await side.verbs.query_gid?.()).toEqual(before?.with(before.indexOf('0'.repeat(32)), gid));
    expect(side.nic.setGid(false)).toBe(gid);
    expect(await side.verbs.query_gid?.()).toEqual(before);
    const said = { event_type: 'IBV_EVENT_GID_CHANGE', port_num: 1 };
    expect(side.events).toEqual([said, said]);
  });

  it('keeps to the device what goes to its own address', async () => {
    const side = await lone('IBV_QPT_UD');
    await side.recv(50, 64);
    const ah = await side.verbs.create_ah?.({
      pd: side.pd,
      attr: { dgid: '00000000000000000000ffff0a000001', sgid_index: 0 },
    });
    await side.send({ ah: ah ?? 0, remote_qpn: side.num, sg_list: [] });
    expect((await side.settle()).map((wc) => [wc.wr_id, wc.status])).toEqual([
      [1, 'IBV_WC_SUCCESS'],
      [50, 'IBV_WC_SUCCESS'],
    ]);
    expect(side.frames).toEqual([]);
  });
});

describe('a shared receive queue', () => {
  it('tells once that it fell below its limit, and again when armed anew', async () => {
    const side = await lone('IBV_QPT_UD', { srq: { max_wr: 8, srq_limit: 2 } });
    const arrive = async (n: number) => {
      for (let i = 0; i < n; i++) side.deliver({ opcode: only, psn: i, deth });
      await side.settle();
      return side.events.splice(0).map((e) => e.event_type);
    };
    const srq = side.srq ?? 0;
    for (let i = 0; i < 6; i++) await side.recv(50 + i, 64);
    expect(await arrive(4)).toEqual([]);
    expect(await side.verbs.query_srq?.(srq)).toEqual({ max_wr: 8, max_sge: 2, srq_limit: 2 });
    expect(await arrive(1)).toEqual(['IBV_EVENT_SRQ_LIMIT_REACHED']);
    expect((await side.verbs.query_srq?.(srq))?.srq_limit).toBe(0);
    expect(await arrive(1)).toEqual([]);
    for (let i = 0; i < 3; i++) await side.recv(60 + i, 64);
    await side.verbs.modify_srq(srq, { srq_limit: 3 });
    expect(await arrive(1)).toEqual(['IBV_EVENT_SRQ_LIMIT_REACHED']);
    await side.verbs.modify_srq(srq, { max_wr: 2 });
    await expect(side.recv(70, 64)).rejects.toMatchObject({ errno: 12 });
    await expect(side.verbs.modify_srq(srq, { max_wr: 1 })).rejects.toMatchObject({ errno: 22 });
    await side.verbs.modify_qp(side.qp, { qp_state: 'IBV_QPS_ERR' });
    expect(side.events.map((e) => e.event_type)).toEqual(['IBV_EVENT_QP_LAST_WQE_REACHED']);
    expect(await side.settle()).toEqual([]);
  });

  it('has one size on a device that cannot change it', async () => {
    const side = await lone('IBV_QPT_UD', { srq: { max_wr: 8 }, config: { srqResize: false } });
    await expect(side.verbs.modify_srq(side.srq ?? 0, { max_wr: 9 })).rejects.toMatchObject({ errno: 95 });
    await side.verbs.modify_srq(side.srq ?? 0, { srq_limit: 1 });
  });
});

describe('a completion queue', () => {
  it('that overflows takes every QP on it into ERR, and gives nothing any more', async () => {
    const side = await lone('IBV_QPT_UD', { cqe: 1 });
    await side.send({ wr_id: 1 });
    await side.send({ wr_id: 2 });
    expect(await side.settle()).toEqual([]);
    expect(side.events).toEqual([
      { event_type: 'IBV_EVENT_CQ_ERR', cq: side.cq },
      { event_type: 'IBV_EVENT_QP_FATAL', qp_num: side.num },
    ]);
    expect(await side.state()).toBe('IBV_QPS_ERR');
  });
});
