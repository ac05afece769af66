import fc from 'fast-check';
import type { MutantId } from '../../../adapters/reference/index.ts';
import { lone } from '../../adapters/reference/unreliable/pair.ts';
import { seeded } from '../../../adapters/seeded.ts';
import type { Passed } from './between-nics.ts';

export interface SendingPlan {
  seed: number;
  service: 'UC' | 'UD';
  messages: number;
  /** share of the work requests that fail midway, after which the QP is taken back to RTS */
  faults: number;
  /** nanoseconds by which a frame is late at most */
  late: number;
}

export const sendingPlans: fc.Arbitrary<SendingPlan> = fc.record({
  seed: fc.nat(),
  service: fc.constantFrom('UC', 'UD'),
  messages: fc.integer({ min: 1, max: 30 }),
  faults: fc.constantFrom(0, 0.2),
  late: fc.constantFrom(0, 2000, 300_000),
});

/** What a reference NIC sends that nobody answers: messages of random kinds and lengths, some of which fail. */
export async function framesOfSender(plan: SendingPlan, mutant?: MutantId): Promise<Passed[]> {
  const random = seeded(plan.seed);
  const below = (n: number): number => Math.floor(random() * n);
  const datagram = plan.service === 'UD';
  const nic = await lone(datagram ? 'IBV_QPT_UD' : 'IBV_QPT_UC', mutant === undefined ? {} : { mutant });
  const short = await nic.verbs.reg_mr({ pd: nic.pd, length: 600, access: [] });
  const passed: Passed[] = [];
  for (let i = 0; i < plan.messages; i++) {
    const write = !datagram && below(2) === 0;
    const immediate = below(2) === 0;
    const length = datagram ? below(257) : below(1400);
    const fails = random() < plan.faults;
    const { addr, lkey } = nic.mr;
    // the second element is not there any more
    const rest = { addr: short.addr, length: 300, lkey: short.lkey + 0x1234 };
    const sg = [{ addr, length, lkey }, ...(fails && !datagram ? [rest] : [])];
    await nic.send({
      wr_id: i,
      opcode: `IBV_WR_${write ? 'RDMA_WRITE' : 'SEND'}${immediate ? '_WITH_IMM' : ''}`,
      sg_list: sg,
      imm_data: below(2 ** 32),
      ...(write && { remote_addr: 0x1000n, rkey: 7 }),
    });
    await nic.settle();
    if ((await nic.state()) === 'IBV_QPS_SQE') await nic.verbs.modify_qp(nic.qp, { qp_state: 'IBV_QPS_RTS' });
    const now = nic.clock.now();
    for (const frame of nic.frames.splice(0))
      passed.push({ t: now + passed.length + below(plan.late + 1), frame });
  }
  return passed.toSorted((a, b) => a.t - b.t);
}
