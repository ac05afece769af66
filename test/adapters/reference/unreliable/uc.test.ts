import { describe, expect, it } from 'vitest';
import { opcodeByName } from '../../../../spec/constants.ts';
import { everyRight } from '../../../rights.ts';
import { packetOf } from '../pair.ts';
import { lone, mtu, pattern, type Lone } from './pair.ts';

const op = (name: string): number => opcodeByName(`UC_${name}`);

function sge(side: Lone, length: number, offset = 0) {
  return { addr: side.mr.addr + BigInt(offset), length, lkey: side.mr.lkey };
}

describe('UC requester', () => {
  it('sends each packet once, with consecutive PSNs and no AckReq, and completes when the last has left', async () => {
    const side = await lone('IBV_QPT_UC');
    await side.verbs.write_memory(side.mr.mr, 0, pattern(600));
    await side.send({ wr_id: 1, sg_list: [sge(side, 600)] });
    await side.send({
      wr_id: 2,
      opcode: 'IBV_WR_RDMA_WRITE_WITH_IMM',
      sg_list: [],
      imm_data: 9,
      remote_addr: 64n,
      rkey: 5,
    });
    const wcs = await side.settle();
    expect(wcs.map((wc) => [wc.wr_id, wc.status, wc.opcode])).toEqual([
      [1, 'IBV_WC_SUCCESS', 'IBV_WC_SEND'],
      [2, 'IBV_WC_SUCCESS', 'IBV_WC_RDMA_WRITE'],
    ]);
    const packets = side.frames.map(packetOf);
    expect(packets.map((p) => [p.info?.name, p.psn, p.ackReq, p.payloadLength])).toEqual([
      ['UC_SEND_FIRST', 0xfffffe, false, 256],
      ['UC_SEND_MIDDLE', 0xffffff, false, 256],
      ['UC_SEND_LAST', 0, false, 88],
      ['UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE', 1, false, 0],
    ]);
    expect(packets[3]?.reth).toEqual({ va: 64n, rkey: 5, dmaLen: 0 });
  });

  it('fails into SQE: the guilty WR in error, later ones flushed, receiving goes on, and RTS mends it', async () => {
    const side = await lone('IBV_QPT_UC');
    await side.recv(50, 64);
    await side.send({ wr_id: 1, sg_list: [sge(side, 8)], send_flags: [] });
    await side.send({ wr_id: 2, sg_list: [{ ...sge(side, 8), lkey: 1 }], send_flags: [] });
    await side.send({ wr_id: 3, sg_list: [sge(side, 8)] });
    expect((await side.settle()).map((wc) => [wc.wr_id, wc.status])).toEqual([
      [2, 'IBV_WC_LOC_PROT_ERR'],
      [3, 'IBV_WC_WR_FLUSH_ERR'],
    ]);
    expect(await side.state()).toBe('IBV_QPS_SQE');
    await side.send({ wr_id: 4, sg_list: [sge(side, 8)], send_flags: [] });
    side.deliver({ opcode: op('SEND_ONLY'), psn: 100, payload: pattern(8) });
    expect((await side.settle()).map((wc) => [wc.wr_id, wc.status])).toEqual([
      [4, 'IBV_WC_WR_FLUSH_ERR'],
      [50, 'IBV_WC_SUCCESS'],
    ]);
    await side.verbs.modify_qp(side.qp, { qp_state: 'IBV_QPS_RTS' });
    await side.send({ wr_id: 5, sg_list: [sge(side, 8)] });
    expect((await side.settle()).map((wc) => [wc.wr_id, wc.status])).toEqual([[5, 'IBV_WC_SUCCESS']]);
    expect(side.frames.map((f) => packetOf(f).psn)).toEqual([0xfffffe, 0xffffff]);
  });

  it.each(['IBV_WR_RDMA_READ', 'IBV_WR_SEND_WITH_INV'] as const)('has no %s', async (opcode) => {
    const side = await lone('IBV_QPT_UC');
    await side.send({ opcode, sg_list: [sge(side, 8)] });
    expect((await side.settle()).map((wc) => wc.status)).toEqual(['IBV_WC_LOC_QP_OP_ERR']);
    expect(side.frames).toEqual([]);
    const strict = await lone('IBV_QPT_UC', { config: { malformed: 'refuse' } });
    await expect(strict.send({ opcode, sg_list: [sge(strict, 8)] })).rejects.toMatchObject({ errno: 22 });
  });

  it('says that a message is too long, and which WR has too many elements or a number that is none', async () => {
    const side = await lone('IBV_QPT_UC', { config: { maxMessageBytes: 1024 } });
    const rts = async () => side.verbs.modify_qp(side.qp, { qp_state: 'IBV_QPS_RTS' });
    const statuses: string[] = [];
    for (const wr of [
      { sg_list: [sge(side, 1025)] },
      { sg_list: [sge(side, 1), sge(side, 1), sge(side, 1)] },
      { raw_opcode: 99 },
      { raw_opcode: 2 },
    ]) {
      await side.send(wr);
      statuses.push(...(await side.settle()).map((wc) => wc.status));
      await rts();
    }
    expect(statuses).toEqual([
      'IBV_WC_LOC_LEN_ERR',
      'IBV_WC_LOC_QP_OP_ERR',
      'IBV_WC_LOC_QP_OP_ERR',
      'IBV_WC_SUCCESS',
    ]);
  });
});

describe('UC responder', () => {
  const first = (psn: number, seed = 1) => ({ opcode: op('SEND_FIRST'), psn, payload: pattern(mtu, seed) });
  const last = (psn: number, n = 4, seed = 1) => ({
    opcode: op('SEND_LAST'),
    psn,
    payload: pattern(n, seed),
  });

  it('drops a message that lost a packet, uses its receive WR again, and never answers', async () => {
    const side = await lone('IBV_QPT_UC');
    await side.recv(50, 1024);
    side.deliver(first(100, 1));
    side.deliver(last(102));
    expect(await side.settle()).toEqual([]);
    side.deliver(first(500, 2));
    side.deliver(last(501, 4, 3));
    expect((await side.settle()).map((wc) => [wc.wr_id, wc.status, wc.byte_len])).toEqual([
      [50, 'IBV_WC_SUCCESS', 260],
    ]);
    const got = await side.verbs.read_memory(side.mr.mr, 0, 264);
    expect([...got]).toEqual([...pattern(mtu, 2), ...pattern(4, 3), 0, 0, 0, 0]);
    expect(side.frames).toEqual([]);
    expect(await side.state()).toBe('IBV_QPS_RTS');
  });

  it('begins anew with a First in mid-message, and wants a Middle or Last to go on from one of its kind', async () => {
    const side = await lone('IBV_QPT_UC');
    await side.recv(50, 1024);
    side.deliver(first(100));
    side.deliver(first(101, 2));
    side.deliver({ opcode: op('RDMA_WRITE_LAST'), psn: 102, payload: pattern(4) });
    side.deliver(last(103));
    expect(await side.settle()).toEqual([]);
    side.deliver({ opcode: op('SEND_ONLY_WITH_IMMEDIATE'), psn: 7, immediate: 3, payload: pattern(1) });
    expect(await side.settle()).toMatchObject([{ wr_id: 50, imm_data: 3, byte_len: 1 }]);
  });

  it.each([false, true])(
    'gives a receive WR of an SRQ back, or completes it as aborted: %s',
    async (srqAbort) => {
      const side = await lone('IBV_QPT_UC', { srq: { max_wr: 4 }, config: { srqAbort } });
      await side.recv(50, 1024);
      await side.recv(51, 1024);
      side.deliver(first(100));
      side.deliver(last(102));
      side.deliver({ opcode: op('SEND_ONLY'), psn: 103, payload: pattern(4) });
      expect((await side.settle()).map((wc) => [wc.wr_id, wc.status])).toEqual(
        srqAbort
          ? [
              [50, 'IBV_WC_REM_ABORT_ERR'],
              [51, 'IBV_WC_SUCCESS'],
            ]
          : [[50, 'IBV_WC_SUCCESS']],
      );
      expect(await side.state()).toBe('IBV_QPS_RTS');
    },
  );

  it.each(['drop', 'complete'] as const)('oversized and forbidden messages: %s', async (ucFault) => {
    const long = await lone('IBV_QPT_UC', { config: { ucFault } });
    await long.recv(50, 4);
    long.deliver({ opcode: op('SEND_ONLY'), psn: 100, payload: pattern(5) });
    const denied = await lone('IBV_QPT_UC', { config: { ucFault } });
    await denied.recv(50, 4);
    const reth = { va: 0n, rkey: 1, dmaLen: 4 };
    const opcode = op('RDMA_WRITE_ONLY_WITH_IMMEDIATE');
    denied.deliver({ opcode, psn: 100, payload: pattern(4), reth, immediate: 0 });
    const statuses = [...(await long.settle()), ...(await denied.settle())].map((wc) => wc.status);
    const completes = ucFault === 'complete';
    expect(statuses).toEqual(completes ? ['IBV_WC_LOC_LEN_ERR', 'IBV_WC_LOC_ACCESS_ERR'] : []);
    expect(await long.state()).toBe(completes ? 'IBV_QPS_ERR' : 'IBV_QPS_RTS');
    expect([...long.events, ...denied.events]).toEqual([]);
  });

  it('fails for a receive WR with a bad key, and drops where there is none', async () => {
    const side = await lone('IBV_QPT_UC');
    side.deliver({ opcode: op('SEND_ONLY'), psn: 100, payload: pattern(5) });
    expect(await side.settle()).toEqual([]);
    await side.recv(50, 8, 1);
    await side.recv(51, 8);
    side.deliver({ opcode: op('SEND_ONLY'), psn: 101, payload: pattern(5) });
    expect((await side.settle()).map((wc) => wc.status)).toEqual([
      'IBV_WC_LOC_PROT_ERR',
      'IBV_WC_WR_FLUSH_ERR',
    ]);
    expect(await side.state()).toBe('IBV_QPS_ERR');
  });

  it('stores a WRITE of several packets, and announces itself once in RTR', async () => {
    const side = await lone('IBV_QPT_UC', { upTo: 'RTR' });
    const reth = { va: side.mr.addr + 10n, rkey: side.mr.rkey, dmaLen: mtu + 3 };
    side.deliver({ opcode: op('RDMA_WRITE_FIRST'), psn: 9, payload: pattern(mtu), reth });
    side.deliver({ opcode: op('RDMA_WRITE_LAST'), psn: 10, payload: pattern(3, 5) });
    await side.settle();
    expect(side.events.map((e) => e.event_type)).toEqual(['IBV_EVENT_COMM_EST']);
    const got = await side.verbs.read_memory(side.mr.mr, 9, mtu + 5);
    expect([...got]).toEqual([0, ...pattern(mtu), ...pattern(3, 5), 0]);
  });

  it('lets nobody write beyond a region: its guards stay zero', async () => {
    const side = await lone('IBV_QPT_UC');
    const mr = await side.verbs.reg_mr({ pd: side.pd, length: 16, access: everyRight });
    const write = (va: bigint) =>
      side.deliver({
        opcode: op('RDMA_WRITE_ONLY'),
        psn: 0,
        payload: pattern(8),
        reth: { va, rkey: mr.rkey, dmaLen: 8 },
      });
    write(mr.addr - 1n);
    write(mr.addr + 9n);
    write(mr.addr + 8n);
    await side.settle();
    const all = await side.verbs.read_memory(mr.mr, -64, 16 + 128);
    expect([...all]).toEqual([...new Uint8Array(72), ...pattern(8), ...new Uint8Array(64)]);
    await expect(side.verbs.read_memory(mr.mr, -65, 1)).rejects.toMatchObject({ errno: 22 });
    await expect(side.verbs.write_memory(mr.mr, -1, pattern(1))).rejects.toMatchObject({ errno: 22 });
  });
});
