import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { WrOpcode } from '../../spec/verbs.ts';
import { base, hasAtomics, regionLength, responderScenario } from '../arbitraries/base.ts';
import { fault } from '../arbitraries/faults.ts';
import { recv, settle } from '../arbitraries/packets.ts';
import { bytesOf, size } from '../arbitraries/scalars.ts';
import type { SuiteProperty } from '../property.ts';
import type { Fault, Scenario, WrPlan } from '../scenario.ts';

const plain: WrOpcode[] = [
  'IBV_WR_SEND',
  'IBV_WR_RDMA_WRITE',
  'IBV_WR_RDMA_READ',
  'IBV_WR_SEND_WITH_IMM',
  'IBV_WR_RDMA_WRITE_WITH_IMM',
];
const atomic: WrOpcode[] = ['IBV_WR_ATOMIC_CMP_AND_SWP', 'IBV_WR_ATOMIC_FETCH_AND_ADD'];

function liveScenario(profile: Profile, faults: fc.Arbitrary<Fault[]>): fc.Arbitrary<Scenario> {
  const opcodes = hasAtomics(profile) ? [...plain, ...atomic] : plain;
  const wr = fc.record({
    opcode: fc.constantFrom(...opcodes),
    size: size(3),
    place: fc.constantFrom('start', 'end'),
    solicited: fc.boolean(),
    operand: fc.constantFrom('0', '1', '18446744073709551615'),
  });
  return fc
    .record({ chosen: base(profile), wrs: fc.array(wr, { minLength: 1, maxLength: 6, size: 'max' }), faults })
    .map(({ chosen, wrs, faults }) => {
      const region = regionLength(chosen.mtu);
      const plans = wrs.map((w): WrPlan => {
        const length = atomic.includes(w.opcode) ? 8 : bytesOf(w.size, chosen.mtu, region);
        const end = region - length;
        return {
          opcode: w.opcode,
          length,
          region: 0,
          offset: w.place === 'start' ? 0 : end - (atomic.includes(w.opcode) ? end % 8 : 0),
          signaled: true,
          solicited: w.solicited,
          compare: w.operand,
          swapOrAdd: w.operand,
        };
      });
      const receives = plans.filter((p) => p.opcode.includes('SEND') || p.opcode.endsWith('_IMM'));
      return responderScenario(
        profile,
        // Short waits: a live peer sits out what an RNR NAK tells it.
        { ...chosen, minRnrTimer: 1 + (chosen.minRnrTimer % 12) },
        {
          steps: [
            ...receives.map((p) => recv(p.opcode.includes('SEND') ? p.length : 0)),
            ...plans.map((w) => ({ do: 'post_send' as const, wr: w })),
            settle,
          ],
          faults,
        },
      );
    });
}

export const livePeer: SuiteProperty = {
  id: 'rc-responder/live-peer',
  suite: 'rc-responder',
  says: 'With a conformant requester at the other end and a wire without faults, every message arrives once.',
  arbitrary: (profile) => liveScenario(profile, fc.constant([])),
};

export const livePeerFaults: SuiteProperty = {
  id: 'rc-responder/live-peer-faults',
  suite: 'rc-responder',
  says: 'With packets lost, doubled, late, out of order or damaged on the way, every message still arrives once.',
  arbitrary: (profile) => liveScenario(profile, fc.array(fault(), { minLength: 1, maxLength: 4 })),
};
