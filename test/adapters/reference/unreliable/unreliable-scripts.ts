import { opcodeByName } from '../../../../spec/constants.ts';
import { mtu, pattern, peerQp, qkey, type Lone, type LoneOptions } from './pair.ts';

/** One exchange with a UC or UD QP: enough to tell a mutant from a sound device. */
export interface Script {
  readonly name: string;
  readonly type: 'IBV_QPT_UC' | 'IBV_QPT_UD';
  readonly options?: LoneOptions;
  readonly run: (side: Lone) => Promise<void>;
}

const op = (name: string): number => opcodeByName(`UC_${name}`);
const first = (psn: number, seed = 1) => ({ opcode: op('SEND_FIRST'), psn, payload: pattern(mtu, seed) });
const last = (psn: number, seed = 1) => ({ opcode: op('SEND_LAST'), psn, payload: pattern(4, seed) });
const only = (psn: number, n = 4) => ({ opcode: op('SEND_ONLY'), psn, payload: pattern(n) });

const uc = (name: string, run: Script['run'], options: LoneOptions = {}): Script => ({
  name,
  type: 'IBV_QPT_UC',
  options,
  run,
});
const ud = (name: string, run: Script['run']): Script => ({ name, type: 'IBV_QPT_UD', run });

async function lose(side: Lone): Promise<void> {
  for (const id of [50, 51]) await side.recv(id, 1024);
  side.deliver(first(100));
  side.deliver(last(102));
  side.deliver(first(500, 2));
  side.deliver(last(501, 3));
  side.deliver(only(7));
}

const sge = (side: Lone, length: number, offset = 0) => ({
  addr: side.mr.addr + BigInt(offset),
  length,
  lkey: side.mr.lkey,
});

const deth = { qkey, srcQp: 0x321 };
const datagram = (psn: number, n: number) => ({
  opcode: opcodeByName('UD_SEND_ONLY'),
  psn,
  payload: pattern(n),
  deth,
});

export const scripts: readonly Script[] = [
  uc('a lost packet', lose),
  uc('a lost packet, with an SRQ', lose, { srq: { max_wr: 4 } }),
  uc('a First within a message', async (side) => {
    await side.recv(50, 1024);
    side.deliver(first(100));
    side.deliver(only(101));
  }),
  uc('a Last without a message', async (side) => {
    await side.recv(50, 1024);
    side.deliver(last(100));
  }),
  uc('a SEND that ends as a WRITE', async (side) => {
    await side.recv(50, 1024);
    side.deliver(first(100));
    side.deliver({ opcode: op('RDMA_WRITE_LAST'), psn: 101, payload: pattern(4) });
  }),
  uc('no receive WQE', async (side) => side.deliver(only(100))),
  uc('a forbidden WRITE', async (side) => {
    await side.recv(50, 64);
    const reth = { va: side.mr.addr, rkey: 1, dmaLen: 4 };
    side.deliver({ opcode: op('RDMA_WRITE_ONLY'), psn: 100, payload: pattern(4), reth });
    const opcode = op('RDMA_WRITE_ONLY_WITH_IMMEDIATE');
    side.deliver({ opcode, psn: 101, payload: pattern(4), reth, immediate: 1 });
  }),
  uc('a First that is too short', async (side) => {
    await side.recv(50, 1024);
    side.deliver({ opcode: op('SEND_FIRST'), psn: 100, payload: pattern(8) });
  }),
  uc('a SEND that is too long', async (side) => {
    await side.recv(50, 4);
    side.deliver(only(100, 5));
  }),
  uc('a receive WQE with a bad key', async (side) => {
    await side.recv(50, 64, 1);
    side.deliver(only(100));
  }),
  uc('messages sent', async (side) => {
    await side.verbs.write_memory(side.mr.mr, 0, pattern(800));
    const send_flags = ['IBV_SEND_SIGNALED', 'IBV_SEND_SOLICITED'] as const;
    const opcode = 'IBV_WR_SEND_WITH_IMM';
    await side.send({
      wr_id: 1,
      opcode,
      imm_data: 5,
      sg_list: [sge(side, 600)],
      send_flags: [...send_flags],
    });
    await side.send({ wr_id: 2, sg_list: [sge(side, 9)], send_flags: [] });
    const to = { remote_addr: 64n, rkey: 5 };
    await side.send({ wr_id: 3, opcode: 'IBV_WR_RDMA_WRITE', sg_list: [sge(side, 300)], ...to });
  }),
  uc('a request that fails', async (side) => {
    await side.send({ wr_id: 1, sg_list: [{ ...sge(side, 8), lkey: 1 }] });
    await side.send({ wr_id: 2, sg_list: [sge(side, 8)] });
  }),
  uc('a request behind a failure', async (side) => {
    await side.send({ wr_id: 1, sg_list: [sge(side, 8)] });
    await side.send({ wr_id: 2, sg_list: [{ ...sge(side, 8), lkey: 1 }] });
    await side.settle();
    await side.verbs.modify_qp(side.qp, { qp_state: 'IBV_QPS_RTS' });
    await side.send({ wr_id: 3, sg_list: [sge(side, 8)] });
  }),
  uc('SQD behind the first packet of a message', async (side) => {
    await side.send({ wr_id: 1, sg_list: [sge(side, 1500)] });
    side.clock.advance(3000);
    await side.verbs.modify_qp(side.qp, { qp_state: 'IBV_QPS_SQD' });
  }),
  ud('datagrams', async (side) => {
    for (const id of [50, 51, 52]) await side.recv(id, 64);
    side.deliver(datagram(5, 8));
    side.deliver(datagram(9, 24));
  }),
  ud('a datagram with another Q_Key', async (side) => {
    await side.recv(50, 64);
    side.deliver({ ...datagram(5, 8), deth: { ...deth, qkey: 1 } });
  }),
  ud('a datagram with the highest bit of the Q_Key otherwise', async (side) => {
    await side.recv(50, 64);
    side.deliver({ ...datagram(5, 8), deth: { ...deth, qkey: (deth.qkey ^ 0x8000_0000) >>> 0 } });
  }),
  ud('a datagram with a reserved opcode', async (side) => {
    await side.recv(50, 64);
    side.deliver({ opcode: 0x7f, psn: 5, payload: pattern(20) });
  }),
  ud('a datagram that does not fit', async (side) => {
    await side.recv(50, 60);
    await side.recv(51, 100);
    side.deliver(datagram(5, 24));
    side.deliver(datagram(6, 4));
  }),
  ud('a datagram without receive WQE', async (side) => side.deliver(datagram(5, 8))),
  ud('more datagrams than receive WQEs', async (side) => {
    await side.recv(50, 64);
    for (const psn of [5, 6]) side.deliver(datagram(psn, 8));
  }),
  ud('datagrams sent', async (side) => {
    await side.send({ wr_id: 1, remote_qkey: 0x42 });
    await side.send({ wr_id: 2, remote_qkey: 0x8000_0000, remote_qpn: peerQp + 1 });
    await side.send({ wr_id: 3, sg_list: [sge(side, 4096), sge(side, 1, 4096)] });
  }),
];
