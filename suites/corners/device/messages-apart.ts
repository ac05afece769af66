import fc from 'fast-check';
import { at, inject, packet } from '../../arbitraries/packets.ts';
import { asMember, sideBySide } from '../../beside.ts';
import type { SuiteProperty } from '../../property.ts';
import type { PacketPlan, Step } from '../../scenario.ts';
import { chosen, query, receives, settle, verbsScenario } from '../../verbs/parts.ts';

const dut = 'responder';
const whole = { mtus: 1, bytes: 0 };
const few = { mtus: 0, bytes: 8 };

/** The packets of a message of three. */
function message(kind: 'SEND' | 'RDMA_WRITE', mtu: number): PacketPlan[] {
  const target = { region: 0, offset: 0, length: 2 * mtu + 8 };
  return [
    packet(`${kind}_FIRST`, { payload: whole, ...(kind === 'RDMA_WRITE' && { target }) }),
    packet(`${kind}_MIDDLE`, { payload: whole }),
    packet(`${kind}_LAST`, { payload: few }),
  ];
}

/** Of a QP of UC, packets are lost while others are in the middle of a message. */
export const messagesApart: SuiteProperty = {
  id: 'device/uc-messages-apart',
  suite: 'device',
  requires: ['uc'],
  qps: 3,
  says: 'A packet that is lost on one QP of UC ends no message of another.',
  arbitrary: (profile) =>
    fc
      .array(
        fc.record({
          c: chosen(profile, ['UC']),
          kind: fc.constantFrom('SEND' as const, 'RDMA_WRITE' as const),
          loses: fc.boolean(),
        }),
        { minLength: 2, maxLength: 3, size: 'max' },
      )
      .map((all) => {
        const made = all.map(({ c, kind, loses }, who) => {
          const length = 2 * c.mtu + 64;
          const [first, middle, last] = message(kind, c.mtu).map((plan) => inject(plan)) as [
            Step,
            Step,
            Step,
          ];
          // the first one always loses its second packet
          const lost =
            who === 0 || loses ? inject(at(message(kind, c.mtu)[2] ?? packet('SEND_LAST'), 1)) : last;
          const steps = [...receives(dut, 'UC', 3, length), settle, first, middle, lost, settle];
          const again = [first, middle, last, settle, query];
          return asMember(verbsScenario(profile, dut, c, { steps: [...steps, ...again] }));
        });
        // packet by packet in turns, the loss of the first QP before the ends of the others
        const posts = made.flatMap((_, who) => Array<number>(4).fill(who));
        const packets = [0, 1, 2].flatMap(() => [...made.keys()]);
        return sideBySide(made, { order: [...posts, ...packets] });
      }),
  aims: ['uc-receive-completes', 'uc-receive-reused', 'unreliable-memory-written'],
};
