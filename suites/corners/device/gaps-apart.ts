import fc from 'fast-check';
import { base, responderScenario } from '../../arbitraries/base.ts';
import { at, inject, packet, recvs, settle } from '../../arbitraries/packets.ts';
import { asMember, oneByOne, sideBySide } from '../../beside.ts';
import { anyCell, type Grid } from '../../grid.ts';
import { anew } from '../../midway/ways.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Step } from '../../scenario.ts';
import { to } from '../../verbs/parts.ts';

const send = packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } });

/**
 * What the QPs do behind the gaps: the same by turns, or one after the other, so that the first has gone on, or was reset, before the next
 * hears of its gap again.
 */
const ways: Grid<'apart' | 'one is reset' | 'together'> = {
  name: 'what QPs do behind their gaps',
  cells: () => ['apart', 'one is reset', 'together'],
};

/** Packets of several QPs are lost at the same time. */
export const gapsApart: SuiteProperty = {
  id: 'device/gaps-apart',
  suite: 'device',
  qps: 3,
  says: 'Each QP asks for the packet that it lacks itself, whatever others lack.',
  arbitrary: (profile) =>
    fc
      .record({
        all: fc.array(fc.record({ chosen: base(profile), ahead: fc.integer({ min: 1, max: 3 }) }), {
          minLength: 2,
          maxLength: 3,
          size: 'max',
        }),
        way: anyCell(ways, profile),
      })
      .map(({ all, way }) => {
        const apart = way !== 'together';
        const made = all.map(({ chosen, ahead }, who) => {
          const gap = [...recvs(3, 64), inject(at(send, ahead)), settle];
          const first = way === 'one is reset' && who === 0;
          const again: Step[] = first
            ? [...anew.map((state) => to('responder', state)), ...recvs(3, 64)]
            : apart
              ? [inject(at(send, ahead)), settle]
              : [];
          const steps = [...gap, ...again, inject(send), inject(send), settle];
          const member = asMember(responderScenario(profile, { ...chosen, srq: false }, { steps }));
          return { member, gap: gap.length, steps: steps.length };
        });
        const order = apart
          ? [
              ...oneByOne(made.map(({ gap }) => ({ begins: gap }))),
              ...oneByOne(made.map(({ gap, steps }) => ({ begins: steps - gap }))),
            ]
          : [...made.flatMap((_, one) => [one, one, one]), ...made.keys()];
        return sideBySide(
          made.map(({ member }) => member),
          { order },
        );
      }),
  grids: [ways],
  aims: ['rc-request-ahead', 'rc-request-ahead-after-sequence-nak'],
};
