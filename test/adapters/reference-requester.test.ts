import { describe, expect, it } from 'vitest';
import { opcodeByName } from '../../spec/constants.ts';
import type { QpAttr, SendWr } from '../../spec/verbs.ts';
import { encode, type Packet, type PacketFields } from '../../wire/index.ts';
import { VirtualClock } from '../../adapters/virtual-clock.ts';
import { connect, makeSide, packetOf, poll } from './reference-pair.ts';

const start = 0xffffff;

/** A requester at PSN 0xffffff whose peer only exists as crafted responses. */
async function requester(qp: QpAttr = {}) {
  const clock = new VirtualClock();
  const sent: { at: number; packet: Packet }[] = [];
  const side = await makeSide(clock, 0, (frame) => sent.push({ at: clock.now(), packet: packetOf(frame) }));
  await connect(side, { num: 0x77, ip: '10.0.0.2' }, 5, start, { qp });
  const respond = (psn: number, syndrome: number, fields: Partial<PacketFields> = {}): void =>
    side.nic.receive(
      encode({
        srcIp: '10.0.0.2',
        dstIp: '10.0.0.1',
        opcode: opcodeByName('RC_ACKNOWLEDGE'),
        destQp: side.num,
        psn: psn & 0xffffff,
        aeth: { syndrome, msn: 0 },
        ...fields,
      }),
    );
  const post = (opcode: SendWr['opcode'], length: number, wr_id = 1) =>
    side.verbs.post_send(side.qp, {
      wr_id,
      opcode,
      sg_list: [{ addr: side.mr.addr, length, lkey: side.mr.lkey }],
      send_flags: ['IBV_SEND_SIGNALED'],
      remote_addr: 0x5000n,
      rkey: 0x99,
    });
  const statuses = async () => (await poll(side)).map((wc) => [wc.wr_id, wc.status]);
  return { clock, side, sent, respond, post, statuses };
}

describe('reference requester', () => {
  it('sends retry_cnt + 1 times at intervals of T to 4T, then gives up and flushes', async () => {
    const { clock, sent, post, statuses } = await requester({ timeout: 4, retry_cnt: 2 });
    await post('IBV_WR_SEND', 8);
    await post('IBV_WR_SEND', 8, 2);
    clock.advance(1e9);
    const first = sent.filter((s) => s.packet.psn === start).map((s) => s.at);
    expect(first).toHaveLength(3);
    const interval = 4096 * 2 ** 4;
    for (const [i, at] of first.slice(1).entries()) {
      expect(at - first[i]!).toBeGreaterThanOrEqual(interval);
      expect(at - first[i]!).toBeLessThanOrEqual(4 * interval);
    }
    expect(await statuses()).toEqual([
      [1, 'IBV_WC_RETRY_EXC_ERR'],
      [2, 'IBV_WC_WR_FLUSH_ERR'],
    ]);
  });

  it('never gives up nor resends with timeout 0', async () => {
    const { clock, sent, post, statuses } = await requester({ timeout: 0 });
    await post('IBV_WR_SEND', 8);
    clock.advance(1e12);
    expect(sent).toHaveLength(1);
    expect(await statuses()).toEqual([]);
  });

  it.each([0, 3])('waits the RNR time and counts with rnr_retry %i', async (rnr_retry) => {
    const { clock, sent, post, respond, statuses } = await requester({ rnr_retry, timeout: 0 });
    await post('IBV_WR_SEND', 8);
    clock.advance(5000);
    const waits: number[] = [];
    for (let i = 0; i <= rnr_retry; i++) {
      const before = clock.now();
      respond(start, 0x20 | 12);
      clock.advance(2e6);
      waits.push(sent.at(-1)!.at - before);
    }
    expect(waits.slice(0, -1).every((wait) => wait >= 640_000)).toBe(true);
    expect(sent).toHaveLength(rnr_retry + 1);
    expect(await statuses()).toEqual([[1, 'IBV_WC_RNR_RETRY_EXC_ERR']]);
  });

  it.each([
    [0x61, 'IBV_WC_REM_INV_REQ_ERR'],
    [0x62, 'IBV_WC_REM_ACCESS_ERR'],
    [0x63, 'IBV_WC_REM_OP_ERR'],
    [0x65, 'IBV_WC_BAD_RESP_ERR'],
    [0x40, 'IBV_WC_BAD_RESP_ERR'],
  ])('completes with the status of syndrome %i', async (syndrome, status) => {
    const { clock, post, respond, statuses } = await requester();
    await post('IBV_WR_RDMA_WRITE', 8);
    await post('IBV_WR_RDMA_WRITE', 8, 2);
    await post('IBV_WR_RDMA_WRITE', 8, 3);
    clock.advance(5000);
    respond(start + 1, syndrome);
    clock.advance(5000);
    const failed = syndrome === 0x40 ? 1 : 2;
    const expected = [1, 2, 3].map((id) =>
      id < failed ? [id, 'IBV_WC_SUCCESS'] : [id, id === failed ? status : 'IBV_WC_WR_FLUSH_ERR'],
    );
    expect(await statuses()).toEqual(expected);
  });

  it('goes back to the PSN of a sequence NAK and drops ghosts', async () => {
    const { clock, sent, post, respond, statuses } = await requester();
    await post('IBV_WR_RDMA_WRITE', 256 * 4);
    clock.advance(5000);
    expect(sent.map((s) => s.packet.psn)).toEqual([start, 0, 1, 2]);
    respond(99, 0x1f);
    respond(1, 0x60);
    clock.advance(5000);
    expect(sent.slice(4).map((s) => s.packet.psn)).toEqual([1, 2]);
    respond(2, 0x1f);
    respond(2, 0x1f);
    clock.advance(5000);
    expect(await statuses()).toEqual([[1, 'IBV_WC_SUCCESS']]);
  });

  it('asks again for the missing rest of a READ, in a smaller request', async () => {
    const { clock, sent, post, respond, side, statuses } = await requester();
    await post('IBV_WR_RDMA_READ', 600);
    clock.advance(5000);
    const part = (i: number, name: string, n: number): void =>
      respond(start + i, 0x1f, {
        opcode: opcodeByName(`RC_RDMA_READ_RESPONSE_${name}`),
        payload: new Uint8Array(n).fill(i + 1),
      });
    part(0, 'FIRST', 256);
    part(2, 'LAST', 88);
    clock.advance(5000);
    const again = sent.at(-1)!.packet;
    expect([sent.length, again.psn, again.reth]).toEqual([2, 0, { va: 0x5100n, rkey: 0x99, dmaLen: 344 }]);
    part(1, 'FIRST', 256);
    part(2, 'LAST', 88);
    clock.advance(5000);
    expect(await statuses()).toEqual([[1, 'IBV_WC_SUCCESS']]);
    const memory = await side.verbs.read_memory(side.mr.mr, 0, 600);
    expect([memory[0], memory[256], memory[512], memory[599]]).toEqual([1, 2, 3, 3]);
  });

  it('keeps at most max_rd_atomic READs outstanding', async () => {
    const { clock, sent, post } = await requester({ max_rd_atomic: 2, timeout: 0 });
    for (let i = 0; i < 5; i++) await post('IBV_WR_RDMA_READ', 8, i);
    clock.advance(5000);
    expect(sent).toHaveLength(2);
  });
});
