import { describe, expect, it } from 'vitest';
import { opcodeByName } from '../../../../spec/constants.ts';
import { encode, type Packet, type PacketFields } from '../../../../wire/index.ts';
import type { Wc } from '../../../../spec/verbs.ts';
import { VirtualClock } from '../../../../adapters/virtual-clock.ts';
import { connect, makeSide, packetOf, poll, type SideOptions } from '../pair.ts';

const start = 0xfffffe;

/** A responder at PSN 0xfffffe with a peer that only exists as crafted packets. */
async function responder(options: SideOptions = {}, upTo: 'RTR' | 'RTS' = 'RTS') {
  const clock = new VirtualClock();
  const sent: Packet[] = [];
  const side = await makeSide(clock, 0, (frame) => sent.push(packetOf(frame)), options);
  await connect(side, { num: 0x77, ip: '10.0.0.2' }, start, 5, options, upTo);
  const request = (operation: string, offset: number, fields: Partial<PacketFields> = {}): Packet[] => {
    sent.length = 0;
    side.nic.receive(
      encode({
        srcIp: '10.0.0.2',
        dstIp: '10.0.0.1',
        opcode: opcodeByName(`RC_${operation}`),
        destQp: side.num,
        psn: (start + offset) & 0xffffff,
        ackReq: true,
        ...fields,
      }),
    );
    clock.advance(10_000);
    return [...sent];
  };
  const recv = (wr_id: number, length = 1024, lkey = side.mr.lkey) =>
    side.verbs.post_recv(side.qp, { wr_id, sg_list: [{ addr: side.mr.addr, length, lkey }] });
  const reth = (dmaLen: number, offset = 0, rkey = side.mr.rkey) => ({
    reth: { va: side.mr.addr + BigInt(offset), rkey, dmaLen },
  });
  const state = async () => (await side.verbs.query_qp(side.qp)).qp_state;
  return { clock, side, request, recv, reth, state };
}

const answers = (packets: Packet[]): (readonly [number, number | undefined, number | undefined])[] =>
  packets.map((p) => [p.psn, p.aeth?.syndrome, p.aeth?.msn] as const);
const bytes = (n: number, seed = 1): Uint8Array =>
  Uint8Array.from({ length: n }, (_, i) => (i * 7 + seed) & 0xff);

describe('reference responder', () => {
  it('acknowledges when asked, across the PSN wrap, and counts messages', async () => {
    const { request, recv, side } = await responder();
    await recv(1);
    await recv(2);
    expect(request('SEND_FIRST', 0, { payload: bytes(256), ackReq: false })).toEqual([]);
    expect(request('SEND_MIDDLE', 1, { payload: bytes(256, 2), ackReq: false })).toEqual([]);
    expect(answers(request('SEND_LAST', 2, { payload: bytes(3) }))).toEqual([[0, 0x1f, 1]]);
    expect(answers(request('SEND_ONLY_WITH_IMMEDIATE', 3, { immediate: 0x01020304 }))).toEqual([
      [1, 0x1f, 2],
    ]);
    expect(await poll(side)).toEqual<Wc[]>([
      { wr_id: 1, status: 'IBV_WC_SUCCESS', opcode: 'IBV_WC_RECV', byte_len: 515, qp_num: side.num },
      {
        wr_id: 2,
        status: 'IBV_WC_SUCCESS',
        opcode: 'IBV_WC_RECV',
        byte_len: 0,
        imm_data: 0x01020304,
        qp_num: side.num,
      },
    ]);
  });

  it('sends one sequence NAK per gap, answers duplicates meanwhile, and NAKs the next gap again', async () => {
    const { request, recv } = await responder();
    for (let i = 0; i < 4; i++) await recv(i);
    expect(answers(request('SEND_ONLY', 0))).toEqual([[start, 0x1f, 1]]);
    expect(answers(request('SEND_ONLY', 2))).toEqual([[0xffffff, 0x60, 1]]);
    expect(request('SEND_ONLY', 3)).toEqual([]);
    expect(answers(request('SEND_ONLY', 0))).toEqual([[start, 0x1f, 1]]);
    expect(answers(request('SEND_ONLY', 1))).toEqual([[0xffffff, 0x1f, 2]]);
    expect(answers(request('SEND_ONLY', 5))).toEqual([[0, 0x60, 2]]);
  });

  it.each([
    ['acknowledged', 1],
    ['dropped', 0],
  ] as const)('has a duplicate of a wrong length %s, as set', async (malformedDuplicate, count) => {
    const { request, recv } = await responder({ config: { malformedDuplicate } });
    await recv(1);
    request('SEND_ONLY', 0);
    expect(request('SEND_ONLY', 0, { payload: bytes(300) })).toHaveLength(count);
    expect(request('SEND_ONLY', 0)).toHaveLength(1);
  });

  it('sends an RNR NAK with the timer code, uses no WQE, and goes on when the request comes again', async () => {
    const { request, recv, side } = await responder({ qp: { min_rnr_timer: 12 } });
    expect(answers(request('SEND_ONLY', 0))).toEqual([[start, 0x2c, 0]]);
    expect(request('SEND_ONLY', 1)).toEqual([]);
    await recv(9);
    expect(answers(request('SEND_ONLY', 0))).toEqual([[start, 0x1f, 1]]);
    expect((await poll(side)).map((wc) => wc.wr_id)).toEqual([9]);
  });

  it('answers a READ in path MTUs, and again from its middle with the memory of then', async () => {
    const { request, reth, side } = await responder();
    await side.verbs.write_memory(side.mr.mr, 0, bytes(600));
    const first = request('RDMA_READ_REQUEST', 0, reth(600));
    expect(first.map((p) => [p.info?.operation, p.psn, p.payloadLength, p.aeth?.msn])).toEqual([
      ['RDMA_READ_RESPONSE_FIRST', 0xfffffe, 256, 1],
      ['RDMA_READ_RESPONSE_MIDDLE', 0xffffff, 256, undefined],
      ['RDMA_READ_RESPONSE_LAST', 0, 88, 1],
    ]);
    await side.verbs.write_memory(side.mr.mr, 512, Uint8Array.of(0xee));
    const again = request('RDMA_READ_REQUEST', 1, reth(344, 256));
    expect(again.map((p) => [p.info?.operation, p.psn])).toEqual([
      ['RDMA_READ_RESPONSE_FIRST', 0xffffff],
      ['RDMA_READ_RESPONSE_LAST', 0],
    ]);
    expect(again[1]?.payload[0]).toBe(0xee);
    expect(request('RDMA_READ_REQUEST', 1, reth(600, 0))).toEqual([]);
  });

  it('executes an atomic once and replays its result', async () => {
    const { request, side } = await responder();
    const eth = { va: side.mr.addr + 8n, rkey: side.mr.rkey, swapOrAdd: 5n, compare: 0n };
    expect(request('FETCH_ADD', 0, { atomicEth: eth })[0]?.atomicOriginal).toBe(0n);
    expect(request('FETCH_ADD', 1, { atomicEth: eth })[0]?.atomicOriginal).toBe(5n);
    const replay = request('FETCH_ADD', 0, { atomicEth: eth })[0];
    expect([replay?.atomicOriginal, replay?.psn, replay?.aeth?.msn]).toEqual([0n, start, 2]);
    expect((await side.verbs.read_memory(side.mr.mr, 8, 8))[0]).toBe(10);
  });

  it.each([
    ['unaligned atomic', 'FETCH_ADD', 0x61, 'IBV_EVENT_QP_ACCESS_ERR', 4],
    ['atomic outside the region', 'FETCH_ADD', 0x62, 'IBV_EVENT_QP_ACCESS_ERR', 65536],
  ] as const)('refuses an %s', async (_, operation, syndrome, event, offset) => {
    const { request, side, state } = await responder();
    const eth = { va: side.mr.addr + BigInt(offset), rkey: side.mr.rkey, swapOrAdd: 5n, compare: 0n };
    expect(answers(request(operation, 0, { atomicEth: eth }))).toEqual([[start, syndrome, 0]]);
    expect(await state()).toBe('IBV_QPS_ERR');
    expect(side.events).toEqual([{ event_type: event, qp_num: side.num }]);
    expect(request('SEND_ONLY', 0)).toEqual([]);
  });

  it('guards memory by key, bounds, right and PD, and asks no key for nothing', async () => {
    const good = await responder();
    expect(answers(good.request('RDMA_WRITE_ONLY', 0, good.reth(0, 0, 0xdead)))).toEqual([[start, 0x1f, 1]]);
    expect(
      answers(good.request('RDMA_WRITE_ONLY', 1, { ...good.reth(4, 65532), payload: bytes(4) })),
    ).toEqual([[0xffffff, 0x1f, 2]]);
    expect(await good.side.verbs.read_memory(good.side.mr.mr, 65532, 4)).toEqual(bytes(4));
    const beyond = await responder();
    expect(
      answers(beyond.request('RDMA_WRITE_ONLY', 0, { ...beyond.reth(4, 65533), payload: bytes(4) })),
    ).toEqual([[start, 0x62, 0]]);
    const right = await responder({ access: ['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_REMOTE_READ'] });
    expect(answers(right.request('RDMA_WRITE_ONLY', 0, { ...right.reth(4), payload: bytes(4) }))).toEqual([
      [start, 0x62, 0],
    ]);
    const foreign = await responder();
    const pd = await foreign.side.verbs.alloc_pd();
    const other = await foreign.side.verbs.reg_mr({ pd, length: 64, access: ['IBV_ACCESS_REMOTE_READ'] });
    const reth = { va: other.addr, rkey: other.rkey, dmaLen: 4 };
    expect(answers(foreign.request('RDMA_READ_REQUEST', 0, { reth }))).toEqual([[start, 0x62, 0]]);
  });

  it('ends in ERR on a local fault: completion of the WQE in use, the rest flushed', async () => {
    const { request, recv, side, state } = await responder();
    await recv(1, 64, 0xbad);
    await recv(2);
    expect(answers(request('SEND_ONLY', 0, { payload: bytes(8) }))).toEqual([[start, 0x63, 0]]);
    expect((await poll(side)).map((wc) => [wc.wr_id, wc.status])).toEqual([
      [1, 'IBV_WC_LOC_PROT_ERR'],
      [2, 'IBV_WC_WR_FLUSH_ERR'],
    ]);
    expect(await state()).toBe('IBV_QPS_ERR');
  });

  it('refuses what is out of order or of the wrong length', async () => {
    const length = await responder();
    await length.recv(1, 4);
    expect(answers(length.request('SEND_ONLY', 0, { payload: bytes(8) }))).toEqual([[start, 0x61, 0]]);
    expect((await poll(length.side)).map((wc) => wc.status)).toEqual(['IBV_WC_LOC_LEN_ERR']);
    const order = await responder();
    expect(answers(order.request('SEND_MIDDLE', 0, { payload: bytes(256) }))).toEqual([[start, 0x61, 0]]);
    expect(order.side.events.map((e) => e.event_type)).toEqual(['IBV_EVENT_QP_REQ_ERR']);
    const huge = await responder();
    expect(answers(huge.request('RDMA_READ_REQUEST', 0, huge.reth(2 ** 31 + 1)))).toEqual([[start, 0x61, 0]]);
    const short = await responder();
    expect(answers(short.request('RDMA_WRITE_ONLY', 0, { ...short.reth(9), payload: bytes(8) }))).toEqual([
      [start, 0x61, 0],
    ]);
  });

  it.each([
    ['a wrong ICRC', { icrcXor: 1 }],
    ['another TVer', { tver: 1 }],
    ['another P_Key', { pkey: 0x8123 }],
    ['another source', { srcIp: '10.0.0.3' }],
    ['another QP', { destQp: 0x999 }],
    ['another service', { opcode: opcodeByName('UC_SEND_ONLY') }],
  ] as const)('drops a packet with %s', async (_, defect) => {
    const { request, recv, side, state } = await responder();
    await recv(1);
    expect(request('SEND_ONLY', 0, defect)).toEqual([]);
    expect(await poll(side)).toEqual([]);
    expect(await state()).toBe('IBV_QPS_RTS');
    expect(answers(request('SEND_ONLY', 0))).toEqual([[start, 0x1f, 1]]);
  });

  it('raises COMM_EST once in RTR, and the SRQ limit and last WQE events', async () => {
    const { request, side } = await responder({ srq: { max_wr: 8, srq_limit: 2 } }, 'RTR');
    const srq = [...side.nic.device.srqs.keys()][0]!;
    for (let i = 0; i < 3; i++) await side.verbs.post_srq_recv(srq, { wr_id: i, sg_list: [] });
    request('SEND_ONLY', 0);
    request('SEND_ONLY', 1);
    request('SEND_ONLY', 2);
    await side.verbs.modify_qp(side.qp, { qp_state: 'IBV_QPS_ERR' });
    expect(side.events.map((e) => e.event_type)).toEqual([
      'IBV_EVENT_COMM_EST',
      'IBV_EVENT_SRQ_LIMIT_REACHED',
      'IBV_EVENT_QP_LAST_WQE_REACHED',
    ]);
  });
});
