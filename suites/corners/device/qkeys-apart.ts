import fc from 'fast-check';
import { inject, packet, settle } from '../../arbitraries/packets.ts';
import { asMember } from '../../beside.ts';
import type { SuiteProperty } from '../../property.ts';
import type { Member, Step } from '../../scenario.ts';
import { chosen, receives, verbsScenario } from '../../verbs/parts.ts';

const at = 'responder';

export const qkeysApart: SuiteProperty = {
  id: 'device/qkeys-apart',
  suite: 'device',
  requires: ['ud'],
  qps: 3,
  says: 'A UD QP takes datagrams that show its own Q_Key, whatever that of another QP is.',
  arbitrary: (profile) => {
    const member = (qkey: number, others: readonly number[], count: number) =>
      chosen(profile, ['UD']).map((c): Member => {
        const datagram = (shown: number): Step =>
          inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 }, qkey: shown }));
        const right = Array.from({ length: count }, () => datagram(qkey));
        const wrong = others.filter((other) => other !== qkey).map(datagram);
        return asMember(
          verbsScenario(profile, at, c, {
            plan: { qkey },
            steps: [...receives(at, 'UD', 2 * count + wrong.length), ...right, ...wrong, ...right, settle],
          }),
        );
      });
    return fc
      .record({
        keys: fc.uniqueArray(fc.constantFrom(0x1111_1111, 0x2222_2222, 0, 0x7fff_ffff, 0x1111_1110), {
          minLength: 2,
          maxLength: 3,
        }),
        count: fc.integer({ min: 1, max: 2 }),
        cq: fc.boolean(),
      })
      .chain(({ keys, count, cq }) =>
        fc.tuple(...keys.map((key) => member(key, keys, count))).map(([first, ...members]) => {
          if (first === undefined) throw new Error('there are two keys at least');
          const order = first.steps.flatMap(() => [0, ...members.map((_, i) => i + 1)]);
          return { ...first, beside: { members, order, ...(cq && { share: ['cq' as const] }) } };
        }),
      );
  },
  aims: ['ud-drop-qkey', 'ud-receive-completes'],
};
