import type { Profile } from '../../adapters/adapter.ts';
import { responderScenario } from '../../suites/arbitraries/base.ts';
import { at, inject, packet, recv, settle } from '../../suites/arbitraries/packets.ts';
import type { PacketPlan, Scenario, Step, WrPlan } from '../../suites/scenario.ts';

/** A short exchange that every device of its kind has to pass. */
export interface TrafficStep {
  name: string;
  scenario: Scenario;
  /** packets that the device has to send; what they are is for the rules to say */
  answers: number;
  /** it begins with a work request that is posted, so that it needs a requester */
  posts?: true;
}

const payload = { mtus: 0, bytes: 32 };

/** Exchanges for a device; none where it has no RC. */
export function trafficSteps(profile: Profile): TrafficStep[] {
  if (!profile.capabilities.includes('rc')) return [];
  const mtu = profile.pathMtus[0] ?? 256;
  const plan = (steps: Step[], more: Partial<Scenario> = {}): Scenario => ({
    ...responderScenario(
      profile,
      {
        ip: profile.ipVersions[0] ?? 4,
        mtu,
        startPsn: 0xfffffe,
        srq: false,
        minRnrTimer: 12,
        maxDestRdAtomic: 1,
      },
      { steps },
    ),
    ...more,
  });
  const send = packet('SEND_ONLY', { payload });
  const write = packet('RDMA_WRITE_ONLY', { payload, target: { region: 0, offset: 8, length: 32 } });
  const read = packet('RDMA_READ_REQUEST', { target: { region: 0, offset: 0, length: mtu + 9 } });
  const first: PacketPlan = packet('SEND_FIRST', { payload: { mtus: 1, bytes: 0 }, ackReq: false });
  const work = (opcode: WrPlan['opcode']): Step[] => [
    { do: 'post_recv', length: 64, at: 'responder' },
    {
      do: 'post_send',
      at: 'requester',
      wr: { opcode, length: 32, region: 0, offset: 0, signaled: true },
    },
    { do: 'finish', us: 500_000 },
    { do: 'settle' },
  ];
  const posted = (name: string, opcode: WrPlan['opcode']): TrafficStep => ({
    name,
    scenario: plan(work(opcode), { dut: 'requester' }),
    answers: 1,
    posts: true,
  });
  if (profile.wire === 'none')
    return [
      {
        name: 'SEND between two QPs of the device',
        scenario: plan(work('IBV_WR_SEND'), { peer: 'same-device', dut: 'requester' }),
        answers: 0,
      },
    ];
  return [
    { name: 'SEND', scenario: plan([recv(64), inject(send), settle]), answers: 1 },
    {
      name: 'SEND of two packets',
      scenario: plan([recv(2 * mtu), inject(first), inject(packet('SEND_LAST', { payload })), settle]),
      answers: 1,
    },
    { name: 'SEND without receive', scenario: plan([inject(send), settle]), answers: 1 },
    { name: 'RDMA WRITE', scenario: plan([inject(write), settle]), answers: 1 },
    { name: 'RDMA READ', scenario: plan([inject(read), settle]), answers: 2 },
    {
      name: 'a lost packet',
      scenario: plan([recv(64), inject(at(send, 1)), settle, inject(send), settle]),
      answers: 2,
    },
    {
      name: 'a duplicate',
      scenario: plan([recv(64), inject(send), settle, { do: 'reinject', back: 0 }, settle]),
      answers: 2,
    },
    posted('post_send', 'IBV_WR_SEND'),
    posted('post_send of a WRITE', 'IBV_WR_RDMA_WRITE'),
    posted('post_send of a READ', 'IBV_WR_RDMA_READ'),
  ];
}
