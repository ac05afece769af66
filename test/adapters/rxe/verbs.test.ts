import { afterAll, describe, expect, it } from 'vitest';
import { guardBytes, VerbsError } from '../../../adapters/adapter.ts';
import type { Bench } from '../../../adapters/adapter.ts';
import type { AsyncEvent, SendWr, Sge, Wc } from '../../../spec/verbs.ts';
import { decode } from '../../../wire/index.ts';
import type { Packet } from '../../../wire/index.ts';
import { DatagramEnd, gidOf, qkey } from './datagram-end.ts';
import { openHere } from './here.ts';
import { Links, until } from './link.ts';

const opened = await openHere();
const reason = typeof opened === 'string' ? opened : undefined;
const note = reason === undefined ? '' : ` (skipped: ${reason})`;

describe.skipIf(reason !== undefined)(`verbs of rxe in a guest${note}`, () => {
  const bench = opened as Bench;
  const { verbs, dut, peer } = bench;
  const events: AsyncEvent[] = [];
  const packets: Packet[] = [];
  if (reason === undefined) verbs.onAsyncEvent((event) => events.push(event));
  const listen = (): void =>
    bench.wire?.onFrame((frame) => {
      const decoded = decode(frame);
      if (decoded.kind === 'packet') packets.push(decoded.packet);
    });
  const event = (type: AsyncEvent['event_type']): Promise<AsyncEvent | undefined> =>
    until(() => events.find((entry) => entry.event_type === type));
  afterAll(async () => (reason === undefined ? await bench.close() : undefined));

  it('tells what the device and its port are', async () => {
    expect(await verbs.query_device?.()).toMatchObject({
      max_qp_rd_atom: 128,
      max_sge: 32,
      max_cqe: 32767,
      max_srq_wr: 1 << 20,
      srq_resize: true,
      port_active_event: true,
    });
    expect(await verbs.query_port?.()).toMatchObject({ state: 'IBV_PORT_ACTIVE', active_mtu: 4096 });
  });

  it.each([4, 6] as const)('sends a datagram of two pieces to the wire over IPv%i', async (version) => {
    listen();
    packets.length = 0;
    const end = await DatagramEnd.open(verbs);
    const ah = await end.handleFor(version === 4 ? peer.ipv4 : peer.ipv6, dut, version);
    await end.write('hello datagram');
    const destination = { ah, remote_qpn: 0x123456, remote_qkey: 0x2468ace };
    await end.send({ sg_list: [end.sge(0, 5), end.sge(5, 9)], ...destination });
    expect(await until(() => packets[0])).toMatchObject({
      ipVersion: version,
      destQp: 0x123456,
      psn: 700,
      icrcOk: true,
      deth: { qkey: 0x2468ace, srcQp: end.qp_num },
      payload: Buffer.from('hello datagram'),
    });
    expect(await end.completion()).toMatchObject({ status: 'IBV_WC_SUCCESS', opcode: 'IBV_WC_SEND' });
    await end.close();
  });

  it('receives a datagram of its own device in two pieces, with a GRH and its sender', async () => {
    const a = await DatagramEnd.open(verbs);
    const b = await DatagramEnd.open(verbs);
    const ah = await a.handleFor(dut.ipv4, dut, 4);
    await a.write('hello datagram');
    await b.post([b.sge(1024, 45), b.sge(2048, 100)]);
    await a.send({ ah, remote_qpn: b.qp_num, remote_qkey: qkey, sg_list: [a.sge(0, 14)] });
    const wc = await b.completion();
    expect(wc).toMatchObject({ opcode: 'IBV_WC_RECV', byte_len: 54, src_qp: a.qp_num, grh: true });
    const bytes = Buffer.concat([await b.read(1024, 45), await b.read(2048, 9)]);
    expect(bytes.subarray(40).toString()).toBe('hello datagram');
    expect(bytes.readUInt32BE(32)).toBe(0x0a4d0001); // source of the IPv4 header in the second half of the GRH
    await a.close();
    await b.close();
  });

  it('refuses a datagram without an address handle, and a handle that is gone', async () => {
    const end = await DatagramEnd.open(verbs);
    const ah = await end.handleFor(peer.ipv4, dut, 4);
    const refusal = expect.objectContaining({ name: 'VerbsError', errno: 22 });
    await expect(end.send({ sg_list: [end.sge(0, 1)] })).rejects.toEqual(refusal);
    await verbs.destroy_ah?.(ah);
    await expect(end.send({ ah, sg_list: [end.sge(0, 1)] })).rejects.toEqual(refusal);
    await expect(verbs.destroy_ah?.(ah)).rejects.toEqual(refusal);
    await end.close();
  });

  it('posts an opcode that means nothing', async () => {
    const end = await DatagramEnd.open(verbs);
    const ah = await end.handleFor(dut.ipv4, dut, 4);
    await end.send({
      ah,
      remote_qpn: end.qp_num,
      remote_qkey: qkey,
      raw_opcode: 10,
      sg_list: [end.sge(0, 1)],
    });
    const wc: Wc | undefined = await end.completion();
    expect(wc?.status).not.toBe('IBV_WC_SUCCESS');
    await end.close();
  });

  it('shows the bytes around a region, which stay as they are', async () => {
    const links = new Links(bench);
    const link = await links.open();
    const reth = { va: link.mr.addr, rkey: link.mr.rkey, dmaLen: 16384 };
    for (let i = 0; i < 16; i++) {
      const name = i === 0 ? 'FIRST' : i === 15 ? 'LAST' : 'MIDDLE';
      link.send(`RC_RDMA_WRITE_${name}`, 100 + i, {
        ...(i === 0 && { reth }),
        payload: Buffer.alloc(1024, 0xff),
      });
    }
    expect(await until(async () => ((await link.receive(10))?.psn === 115 ? true : undefined))).toBe(true);
    const whole = await verbs.read_memory(link.mr.mr, -guardBytes, 16384 + 2 * guardBytes);
    expect(Buffer.from(whole.subarray(0, guardBytes))).toEqual(Buffer.alloc(guardBytes));
    expect(Buffer.from(whole.subarray(guardBytes, -guardBytes))).toEqual(Buffer.alloc(16384, 0xff));
    expect(Buffer.from(whole.subarray(-guardBytes))).toEqual(Buffer.alloc(guardBytes));
    await expect(verbs.read_memory(link.mr.mr, -guardBytes - 1, 1)).rejects.toBeInstanceOf(VerbsError);
    await link.close();
  });

  it('reads inline data of a region that was deregistered', async () => {
    const end = await DatagramEnd.open(verbs);
    const ah = await end.handleFor(dut.ipv4, dut, 4);
    const mr = await verbs.reg_mr({ pd: end.pd, length: 64, access: [] });
    await verbs.write_memory(mr.mr, 0, Buffer.from('gone'));
    await verbs.dereg_mr(mr.mr);
    await end.post([end.sge(1024, 100)]);
    const sge: Sge = { addr: mr.addr, length: 4, lkey: mr.lkey };
    const send_flags: SendWr['send_flags'] = ['IBV_SEND_SIGNALED', 'IBV_SEND_INLINE'];
    await end.send({ ah, remote_qpn: end.qp_num, remote_qkey: qkey, sg_list: [sge], send_flags });
    const all = [await end.completion(), await end.completion()];
    expect(all.map((wc) => wc?.status)).toEqual(['IBV_WC_SUCCESS', 'IBV_WC_SUCCESS']);
    expect((await end.read(1064, 4)).toString()).toBe('gone');
    await end.close();
  });

  it('tells of an SRQ, arms its limit, and lets it grow', async () => {
    const pd = await verbs.alloc_pd();
    const srq = await verbs.create_srq({ pd, max_wr: 8, max_sge: 2, srq_limit: 3 });
    const before = await verbs.query_srq?.(srq);
    expect(before).toMatchObject({ max_sge: 2, srq_limit: 3 });
    expect(before?.max_wr).toBeGreaterThanOrEqual(8);
    await verbs.modify_srq(srq, { max_wr: 64 });
    expect((await verbs.query_srq?.(srq))?.max_wr).toBeGreaterThanOrEqual(63);
    await verbs.modify_srq(srq, { srq_limit: 5 });
    expect(await verbs.query_srq?.(srq)).toMatchObject({ srq_limit: 5 });
    await verbs.destroy_srq(srq);
    await verbs.dealloc_pd(pd);
  });

  it('tells how much a queue takes, which is more than was asked for', async () => {
    const pd = await verbs.alloc_pd();
    const cq = await verbs.create_cq({ cqe: 4 });
    const cap = { max_send_wr: 2, max_recv_wr: 2, max_send_sge: 1, max_recv_sge: 1 };
    const made = await verbs.create_qp({ pd, qp_type: 'IBV_QPT_RC', send_cq: cq, recv_cq: cq, cap });
    const room = made.cap?.max_recv_wr ?? 0;
    expect(room).toBeGreaterThanOrEqual(2);
    await verbs.modify_qp(made.qp, {
      qp_state: 'IBV_QPS_INIT',
      pkey_index: 0,
      port_num: 1,
      qp_access_flags: [],
    });
    for (let i = 0; i < room; i++) await verbs.post_recv(made.qp, { wr_id: i, sg_list: [] });
    const refusal = expect.objectContaining({ name: 'VerbsError', errno: 12 });
    await expect(verbs.post_recv(made.qp, { wr_id: room, sg_list: [] })).rejects.toEqual(refusal);
    await verbs.destroy_qp(made.qp);
    await verbs.destroy_cq(cq);
    await verbs.dealloc_pd(pd);
  });

  it('passes on the event of a CQ that has overflowed', async () => {
    events.length = 0;
    const end = await DatagramEnd.open(verbs, { cqe: 4 });
    const size = (await verbs.cq_size?.(end.cq)) ?? 4;
    expect(size).toBeGreaterThanOrEqual(4);
    const ah = await end.handleFor(dut.ipv4, dut, 4);
    for (let i = 0; i <= size; i++)
      await end.send({ ah, remote_qpn: 0x999999, remote_qkey: qkey, sg_list: [end.sge(0, 1)] });
    expect(await event('IBV_EVENT_CQ_ERR')).toEqual({ event_type: 'IBV_EVENT_CQ_ERR', cq: end.cq });
    await end.close();
  });

  it('lists an address that its port gets, until it loses it, and says so each time', async () => {
    const said = { event_type: 'IBV_EVENT_GID_CHANGE', port_num: 1 };
    for (const present of [true, false]) {
      events.length = 0;
      const gid = (await bench.setGid?.(present)) ?? 'none';
      expect(await event('IBV_EVENT_GID_CHANGE')).toEqual(said);
      expect((await verbs.query_gid?.())?.includes(gid)).toBe(present);
    }
  });

  it('goes on where it was when its link comes back', async () => {
    const links = new Links(bench);
    const link = await links.open();
    events.length = 0;
    await bench.setLink?.(false);
    expect(await event('IBV_EVENT_PORT_ERR')).toEqual({ event_type: 'IBV_EVENT_PORT_ERR', port_num: 1 });
    expect((await verbs.query_port?.())?.state).toBe('IBV_PORT_DOWN');
    link.send('RC_SEND_ONLY', 100);
    expect(await link.receive(100)).toBeUndefined();
    await bench.setLink?.(true);
    expect(await event('IBV_EVENT_PORT_ACTIVE')).toEqual({
      event_type: 'IBV_EVENT_PORT_ACTIVE',
      port_num: 1,
    });
    await verbs.post_recv(link.qp, { wr_id: 3, sg_list: [] });
    link.send('RC_SEND_ONLY', 100);
    expect(await link.receive()).toMatchObject({ psn: 100, aeth: { syndrome: 0x1f } });
    const gid = { dgid: gidOf(peer.ipv4), sgid_index: dut.gidIndex.ipv4 ?? -1 };
    expect(await verbs.create_ah?.({ pd: link.pd, attr: gid }).then((ah) => verbs.destroy_ah?.(ah))).toBe(
      undefined,
    );
    await link.close();
  });
});
