import fc from 'fast-check';
import { base, responderScenario } from '../../arbitraries/base.ts';
import { at, inject, packet, settle } from '../../arbitraries/packets.ts';
import type { SuiteProperty } from '../../property.ts';

/** A READ whose responses pass PSN 0 comes again, from any of them on. */
export const readsOverWrap: SuiteProperty = {
  id: 'rc-responder/reads-over-wrap',
  suite: 'rc-responder',
  says: 'A READ whose responses pass PSN 0 is answered again from any of them on.',
  arbitrary: (profile) =>
    fc
      .record({
        chosen: base(profile),
        packets: fc.integer({ min: 2, max: 4 }),
        wrap: fc.nat(2),
        skip: fc.nat(3),
        rest: fc.constantFrom(0, -1, -17),
      })
      .map(({ chosen, packets, wrap, skip, rest }) => {
        const length = packets * chosen.mtu + rest;
        const from = Math.min(skip, packets - 1);
        const startPsn = 0x1000000 - 1 - Math.min(wrap, packets - 2);
        const read = (offset: number): ReturnType<typeof packet> =>
          packet('RDMA_READ_REQUEST', { target: { region: 0, offset, length: length - offset } });
        const again = inject(at(read(from * chosen.mtu), from - packets));
        const parts = { maxDestRdAtomic: 1, steps: [inject(read(0)), settle, again, settle] };
        return responderScenario(profile, { ...chosen, startPsn }, parts);
      }),
  aims: ['rc-duplicate-read', 'rc-read-data'],
};
