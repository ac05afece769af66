import type { Scenario, Step, WrPlan } from '../../suites/scenario.ts';
import type { PacketPlan, ResponsePsn } from '../../suites/packet-plans.ts';

/** Microseconds after which no answer of the case may come any more. */
const overUs = 1_200_000;

const place = { region: 0, offset: 0 } as const;
/** A WRITE of no bytes needs neither memory nor a receive WQE. */
const empty: WrPlan = { opcode: 'IBV_WR_RDMA_WRITE', length: 0, signaled: true, ...place };
const settle: Step = { do: 'settle' };

/**
 * The same case in a connection that was there before and goes on, as in most captures: WRITEs that are answered, the first of them of two
 * packets where the region has room, the steps of the case, and another WRITE more than a second later. Undefined where the case has no
 * room for that, or is none of RC.
 */
export function inConnection(scenario: Scenario): Scenario | undefined {
  const { service = 'RC', ooo, beside, path, peer, dut, responder, mtu } = scenario;
  const [region] = scenario.regions;
  if (service !== 'RC' || ooo === true || beside !== undefined || path !== undefined) return undefined;
  if (region === undefined || !responder.access.includes('IBV_ACCESS_REMOTE_WRITE')) return undefined;
  if (dut === 'requester') return peer === 'scripted' ? ofRequester(scenario) : undefined;
  const room = region.length > mtu && region.access.includes('IBV_ACCESS_REMOTE_WRITE');
  const posts = scenario.steps.some(({ do: what }) => what === 'post_send');
  const write = posts ? posted : injected;
  const one = write(0, mtu);
  const before = [...write(room ? mtu + 1 : 0, mtu), settle, ...one, settle, ...one, settle];
  const after: Step[] = [settle, { do: 'sleep', us: overUs }, ...one, settle];
  return { ...scenario, faults: [], steps: [...before, ...scenario.steps, ...after] };
}

function posted(length: number): Step[] {
  return [{ do: 'post_send', wr: { ...empty, length } }];
}

function injected(length: number, mtu: number): Step[] {
  const target = { ...place, length, rkey: 'good' } as const;
  const packet = (operation: string, bytes: number, more: Partial<PacketPlan> = {}): Step => ({
    do: 'inject',
    packet: {
      operation,
      psn: { from: 'next', offset: 0 },
      ackReq: true,
      payload: { mtus: Math.floor(bytes / mtu), bytes: bytes % mtu },
      ...more,
    },
  });
  if (length <= mtu) return [packet('RDMA_WRITE_ONLY', length, { target })];
  return [
    packet('RDMA_WRITE_FIRST', mtu, { ackReq: false, target }),
    packet('RDMA_WRITE_LAST', length - mtu),
  ];
}

function ofRequester(scenario: Scenario): Scenario {
  const post: Step = { do: 'post_send', wr: empty };
  const answer: Step = {
    do: 'respond',
    packet: { reply: { kind: 'ack' }, psn: { from: 'newest', offset: 0 } },
  };
  const answered: Step[] = [post, { do: 'await', packets: 1, us: 1000 }, answer, settle];
  const steps = scenario.steps.map(behindOne);
  return { ...scenario, steps: [...answered, ...steps, settle, { do: 'sleep', us: overUs }, answer, settle] };
}

/** The step where one more work request was posted before it. */
function behindOne(step: Step): Step {
  if (step.do === 'write_buffer') return { ...step, wr: step.wr + 1 };
  if (step.do !== 'respond') return step;
  const { packet } = step;
  const psn: ResponsePsn = 'wr' in packet.psn ? { ...packet.psn, wr: packet.psn.wr + 1 } : packet.psn;
  return { ...step, packet: { ...packet, psn } };
}
