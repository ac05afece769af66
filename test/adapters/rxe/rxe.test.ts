import { afterAll, describe, expect, it } from 'vitest';
import { VerbsError } from '../../../adapters/adapter.ts';
import type { Bench } from '../../../adapters/adapter.ts';
import type { AsyncEvent } from '../../../spec/verbs.ts';
import { openHere } from './here.ts';
import { connectAttrs, Links, until } from './link.ts';

// Opened while the tests are collected: a machine that cannot run a guest shows the reason in the suite's name.
const opened = await openHere();
const reason = typeof opened === 'string' ? opened : undefined;
const note = reason === undefined ? '' : ` (skipped: ${reason})`;

describe.skipIf(reason !== undefined)(`rxe in a guest${note}`, () => {
  const bench = opened as Bench;
  const links = reason === undefined ? new Links(bench) : (undefined as never);
  const { verbs } = bench;
  afterAll(async () => (reason === undefined ? await bench.close() : undefined));

  it('answers a SEND with an ACK and a completion', async () => {
    const link = await links.open();
    await verbs.post_recv(link.qp, {
      wr_id: 41,
      sg_list: [{ addr: link.mr.addr, length: 64, lkey: link.mr.lkey }],
    });
    link.send('RC_SEND_ONLY', 100, { payload: Buffer.from('hello') });
    const ack = await link.receive();
    expect(ack).toMatchObject({ psn: 100, destQp: 0x123456, icrcOk: true, aeth: { syndrome: 0x1f, msn: 1 } });
    expect(await link.completion()).toMatchObject({
      wr_id: 41,
      status: 'IBV_WC_SUCCESS',
      opcode: 'IBV_WC_RECV',
      byte_len: 5,
      qp_num: link.qp_num,
    });
    expect(Buffer.from(await verbs.read_memory(link.mr.mr, 0, 6)).toString()).toBe('hello\0');
    await link.close();
  });

  it('answers over IPv6, and takes a path MTU of 4096', async () => {
    const link = await links.open({ version: 6, attr: { path_mtu: 4096 } });
    const payload = Buffer.alloc(4096, 7);
    const reth = { va: link.mr.addr, rkey: link.mr.rkey, dmaLen: 4096 };
    link.send('RC_RDMA_WRITE_ONLY', 100, { reth, payload });
    expect(await link.receive()).toMatchObject({ psn: 100, ipVersion: 6, icrcOk: true });
    expect(Buffer.from(await verbs.read_memory(link.mr.mr, 0, 4096)).equals(payload)).toBe(true);
    await link.close();
  });

  it('serves READ and ATOMIC from the memory written through verbs', async () => {
    const link = await links.open();
    const eight = Buffer.alloc(8);
    eight.writeBigUInt64LE(40n);
    await verbs.write_memory(link.mr.mr, 8, eight);
    const reth = { va: link.mr.addr + 8n, rkey: link.mr.rkey, dmaLen: 8 };
    link.send('RC_RDMA_READ_REQUEST', 100, { reth });
    const answer = await link.receive();
    expect(answer?.info?.name).toBe('RC_RDMA_READ_RESPONSE_ONLY');
    expect(Buffer.from(answer?.payload ?? []).equals(eight)).toBe(true);
    link.send('RC_FETCH_ADD', 101, {
      atomicEth: { va: reth.va, rkey: reth.rkey, swapOrAdd: 2n, compare: 0n },
    });
    expect(await link.receive()).toMatchObject({ psn: 101, atomicOriginal: 40n });
    const after = Buffer.from(await verbs.read_memory(link.mr.mr, 8, 8));
    expect(after.readBigUInt64LE()).toBe(42n);
    await link.close();
  });

  it('completes a WRITE with immediate', async () => {
    const link = await links.open();
    await verbs.post_recv(link.qp, { wr_id: 5, sg_list: [] });
    const reth = { va: link.mr.addr, rkey: link.mr.rkey, dmaLen: 4 };
    link.send('RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE', 100, {
      reth,
      immediate: 0x11223344,
      payload: Buffer.from('abcd'),
    });
    expect(await link.completion()).toMatchObject({
      wr_id: 5,
      opcode: 'IBV_WC_RECV_RDMA_WITH_IMM',
      imm_data: 0x11223344,
    });
    await link.close();
  });

  it('posts each kind of work request', async () => {
    const link = await links.open();
    const sg_list = [{ addr: link.mr.addr, length: 8, lkey: link.mr.lkey }];
    const send_flags = ['IBV_SEND_SIGNALED' as const];
    const remote = { remote_addr: 0x1122334455667788n, rkey: 0xabcd };
    const reth = { va: remote.remote_addr, rkey: 0xabcd, dmaLen: 8 };
    const each = [
      [{ opcode: 'IBV_WR_SEND_WITH_IMM', imm_data: 0x01020304 }, { immediate: 0x01020304 }],
      [{ opcode: 'IBV_WR_SEND_WITH_INV', invalidate_rkey: 0x77 }, { invalidateRkey: 0x77 }],
      [{ opcode: 'IBV_WR_RDMA_WRITE', ...remote }, { reth }],
    ] as const;
    for (const [i, [wr, seen]] of each.entries()) {
      await verbs.post_send(link.qp, { wr_id: i, sg_list, send_flags, ...wr });
      expect(await link.receive()).toMatchObject({ psn: 7000 + i, ...seen });
      link.send('RC_ACKNOWLEDGE', 7000 + i, { aeth: { syndrome: 0x1f, msn: i + 1 } });
      expect(await link.completion()).toMatchObject({ wr_id: i, status: 'IBV_WC_SUCCESS' });
    }
    await verbs.post_send(link.qp, { wr_id: 9, opcode: 'IBV_WR_RDMA_READ', sg_list, send_flags, ...remote });
    expect(await link.receive()).toMatchObject({ psn: 7003, reth });
    link.send('RC_RDMA_READ_RESPONSE_ONLY', 7003, {
      aeth: { syndrome: 0x1f, msn: 4 },
      payload: Buffer.from('12345678'),
    });
    expect(await link.completion()).toMatchObject({ wr_id: 9, opcode: 'IBV_WC_RDMA_READ' });
    await verbs.post_send(link.qp, {
      wr_id: 10,
      sg_list,
      send_flags,
      ...remote,
      opcode: 'IBV_WR_ATOMIC_CMP_AND_SWP',
      compare_add: 3n,
      swap: 0xfedcba9876543210n,
    });
    expect(await link.receive()).toMatchObject({
      psn: 7004,
      atomicEth: { va: remote.remote_addr, rkey: 0xabcd, compare: 3n, swapOrAdd: 0xfedcba9876543210n },
    });
    link.send('RC_ATOMIC_ACKNOWLEDGE', 7004, { aeth: { syndrome: 0x1f, msn: 5 }, atomicOriginal: 99n });
    expect(await link.completion()).toMatchObject({ wr_id: 10, opcode: 'IBV_WC_COMP_SWAP' });
    expect(Buffer.from(await verbs.read_memory(link.mr.mr, 0, 8)).readBigUInt64LE()).toBe(99n);
    await link.close();
  });

  it('takes receives from an SRQ, and tells when its limit is reached', async () => {
    const events: AsyncEvent[] = [];
    verbs.onAsyncEvent((event) => events.push(event));
    const pd = await verbs.alloc_pd();
    const srq = await verbs.create_srq({ pd, max_wr: 8, max_sge: 1, srq_limit: 2 });
    const link = await links.open({ pd, srq });
    for (const wr_id of [1, 2])
      await verbs.post_srq_recv(srq, {
        wr_id,
        sg_list: [{ addr: link.mr.addr, length: 16, lkey: link.mr.lkey }],
      });
    link.send('RC_SEND_ONLY', 100, { payload: Buffer.from('x') });
    expect(await link.completion()).toMatchObject({ wr_id: 1, status: 'IBV_WC_SUCCESS', byte_len: 1 });
    const limit = await until(() => events.find((e) => e.event_type === 'IBV_EVENT_SRQ_LIMIT_REACHED'));
    expect(limit).toEqual({ event_type: 'IBV_EVENT_SRQ_LIMIT_REACHED', srq });
    await link.close();
    await verbs.destroy_srq(srq);
    await verbs.dealloc_pd(pd);
  });

  it('passes on the events of a QP', async () => {
    const events: AsyncEvent[] = [];
    verbs.onAsyncEvent((event) => events.push(event));
    const link = await links.open();
    await verbs.modify_qp(link.qp, { qp_state: 'IBV_QPS_SQD', en_sqd_async_notify: true });
    expect(await until(() => events[0])).toEqual({
      event_type: 'IBV_EVENT_SQ_DRAINED',
      qp_num: link.qp_num,
    });
    await link.close();
  });

  it('tells of a completion that was asked for, once', async () => {
    const seen: number[] = [];
    verbs.onCqEvent((cq) => seen.push(cq));
    const link = await links.open();
    await verbs.req_notify_cq(link.cq);
    for (const wr_id of [1, 2]) await verbs.post_recv(link.qp, { wr_id, sg_list: [] });
    link.send('RC_SEND_ONLY', 100);
    link.send('RC_SEND_ONLY', 101);
    expect(await until(async () => ((await verbs.poll_cq(link.cq, 4)).length > 0 ? true : undefined))).toBe(
      true,
    );
    expect(await until(() => seen[0])).toBe(link.cq);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(seen).toEqual([link.cq]);
    await link.close();
  });

  it('refuses memory it cannot reach, flushes, and tells the state of the QP', async () => {
    const link = await links.open();
    await verbs.post_recv(link.qp, { wr_id: 3, sg_list: [] });
    const reth = { va: link.mr.addr, rkey: link.mr.rkey ^ 1, dmaLen: 4 };
    link.send('RC_RDMA_WRITE_ONLY', 100, { reth, payload: Buffer.alloc(4) });
    expect(await link.receive()).toMatchObject({ psn: 100, aeth: { syndrome: 0x62 } });
    expect(await link.completion()).toMatchObject({ wr_id: 3, status: 'IBV_WC_WR_FLUSH_ERR' });
    expect((await verbs.query_qp(link.qp)).qp_state).toBe('IBV_QPS_ERR');
    await link.close();
  });

  it('reads back what modify_qp set', async () => {
    const link = await links.open();
    const [init, rtr, rts] = connectAttrs(bench, 4);
    expect(await verbs.query_qp(link.qp)).toMatchObject({
      ...init,
      ...rtr,
      ah_attr: expect.objectContaining(rtr?.ah_attr),
      ...rts,
    });
    await link.close();
  });

  it('rejects refused calls with their errno, and goes on', async () => {
    const pd = await verbs.alloc_pd();
    const refused = verbs.reg_mr({ pd, length: 64, access: ['IBV_ACCESS_REMOTE_WRITE'] });
    await expect(refused).rejects.toMatchObject({ name: 'VerbsError', errno: 22 });
    await expect(verbs.dealloc_pd(pd + 1000)).rejects.toBeInstanceOf(VerbsError);
    await verbs.dealloc_pd(pd);
  });

  it('has 64 QPs in flight at a time', async () => {
    const all = await Promise.all(Array.from({ length: 64 }, () => links.open()));
    for (const link of all) {
      const reth = { va: link.mr.addr, rkey: link.mr.rkey, dmaLen: 4 };
      link.send('RC_RDMA_WRITE_ONLY', 100, { reth, payload: Buffer.from('data') });
    }
    const first = all[0];
    let answers = 0;
    while (answers < 64 && (await first?.receive()) !== undefined) answers++;
    expect(answers).toBe(64);
    await Promise.all(all.map((link) => link.close()));
  });
});
