// What the soft-RoCE guest costs: start, calls, packets, QPs. Run: npx tsx bench/rxe.ts [6.1|6.12]
import { debianKernel, openGuest } from '../adapters/rxe/index.ts';
import { remoteVerbs } from '../adapters/agent/remote-verbs.ts';
import { realClock } from '../adapters/real-clock.ts';
import { opcodeByName } from '../spec/constants.ts';
import type { AccessFlag } from '../spec/verbs.ts';
import { encode } from '../wire/index.ts';

const kernel = debianKernel(process.argv[2] === '6.12' ? '6.12' : '6.1');
const clock = realClock();
const say = (what: string, value: string): void => console.log(`${what.padEnd(44)} ${value}`);
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};
const percentile = (values: number[], p: number): string =>
  `${(values.toSorted((a, b) => a - b)[Math.floor(values.length * p)] ?? NaN).toFixed(2)} ms`;

const booted = await openGuest(clock, { kernel, fresh: true });
say('boot to agent', `${booted.startMs.toFixed(0)} ms`);
await booted.close();
await (await openGuest(clock, { kernel })).close();
const whole = performance.now();
const guest = await openGuest(clock, { kernel });
say(`start by ${guest.startedBy}`, `${guest.startMs.toFixed(0)} ms`);
say('the same with preparation', `${(performance.now() - whole).toFixed(0)} ms`);

const verbs = remoteVerbs(guest.client, clock);
const access: AccessFlag[] = ['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_REMOTE_WRITE'];
const pd = await verbs.alloc_pd();
const cq = await verbs.create_cq({ cqe: 4096 });
const mr = await verbs.reg_mr({ pd, length: 4096, access });

const one = async (): Promise<number> => timed(() => verbs.poll_cq(cq, 16));
const single: number[] = [];
for (let i = 0; i < 500; i++) single.push(await one());
say('call, one at a time, p50', percentile(single, 0.5));
const calls = 5000;
const took = await timed(() => Promise.all(Array.from({ length: calls }, () => verbs.poll_cq(cq, 16))));
say('calls, pipelined', `${((calls / took) * 1000).toFixed(0)} per second`);

const life = async (): Promise<number> => {
  const { qp, qp_num } = await verbs.create_qp({
    pd,
    qp_type: 'IBV_QPT_RC',
    send_cq: cq,
    recv_cq: cq,
    cap: { max_send_wr: 16, max_recv_wr: 16, max_send_sge: 1, max_recv_sge: 1 },
  });
  // later calls of one QP need its handle only, so they need not wait for each other
  await Promise.all([
    verbs.modify_qp(qp, {
      qp_state: 'IBV_QPS_INIT',
      pkey_index: 0,
      port_num: 1,
      qp_access_flags: ['IBV_ACCESS_REMOTE_WRITE'],
    }),
    verbs.modify_qp(qp, {
      qp_state: 'IBV_QPS_RTR',
      ah_attr: { dgid: '00000000000000000000ffff0a4d0002', sgid_index: 1 },
      path_mtu: 1024,
      dest_qp_num: 77,
      rq_psn: 0,
      max_dest_rd_atomic: 4,
      min_rnr_timer: 12,
    }),
    verbs.modify_qp(qp, {
      qp_state: 'IBV_QPS_RTS',
      sq_psn: 0,
      timeout: 18,
      retry_cnt: 7,
      rnr_retry: 7,
      max_rd_atomic: 4,
    }),
  ]);
  if (qp_num !== keep) await verbs.destroy_qp(qp);
  return qp_num;
};
let keep = -1;
const many = 256;
let left = many;
const worker = async (): Promise<void> => {
  while (left-- > 0) await life();
};
const cost = await timed(() => Promise.all(Array.from({ length: 64 }, worker)));
say('QP create+connect+destroy, 64 at a time', `${(cost / many).toFixed(2)} ms each`);

const { qp, qp_num } = await verbs.create_qp({
  pd,
  qp_type: 'IBV_QPT_RC',
  send_cq: cq,
  recv_cq: cq,
  cap: { max_send_wr: 16, max_recv_wr: 16, max_send_sge: 1, max_recv_sge: 1 },
});
keep = qp_num;
await verbs.modify_qp(qp, {
  qp_state: 'IBV_QPS_INIT',
  pkey_index: 0,
  port_num: 1,
  qp_access_flags: ['IBV_ACCESS_REMOTE_WRITE'],
});
await verbs.modify_qp(qp, {
  qp_state: 'IBV_QPS_RTR',
  ah_attr: { dgid: '00000000000000000000ffff0a4d0002', sgid_index: 1 },
  path_mtu: 1024,
  dest_qp_num: 77,
  rq_psn: 0,
  max_dest_rd_atomic: 4,
  min_rnr_timer: 12,
});
let arrived: () => void = () => undefined;
guest.wire.onFrame(() => arrived());
const write = (psn: number): Uint8Array =>
  encode({
    srcMac: '02:00:00:00:00:02',
    dstMac: '02:00:00:00:00:01',
    srcIp: '10.77.0.2',
    dstIp: '10.77.0.1',
    opcode: opcodeByName('RC_RDMA_WRITE_ONLY'),
    destQp: qp_num,
    psn,
    ackReq: true,
    payload: Buffer.from('12345678'),
    reth: { va: mr.addr, rkey: mr.rkey, dmaLen: 8 },
  });
const trips: number[] = [];
for (let psn = 0; psn < 1000; psn++)
  trips.push(
    await timed(() => {
      const answer = new Promise<void>((resolve) => (arrived = resolve));
      guest.wire.send(write(psn));
      return answer;
    }),
  );
say('WRITE_ONLY to ACK, p50', percentile(trips, 0.5));
say('WRITE_ONLY to ACK, p99', percentile(trips, 0.99));
await guest.close();
