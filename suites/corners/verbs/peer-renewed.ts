import fc from 'fast-check';
import type { SuiteProperty } from '../../property.ts';
import { post, query, rts, scenarios, sends, settle, to, wrOf } from '../../verbs/parts.ts';

const at = 'requester';

/** Numbers of QPs that are not those of scripted far ends. */
const numbers = [0x654321, 2, 0xfffffe] as const;

export const peerRenewed: SuiteProperty = {
  id: 'verbs/peer-renewed',
  suite: 'verbs',
  says: 'A QP that was reset and connected anew sends to the QP that it is connected to now.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      ['RC', 'UC'],
      fc.record({
        before: sends(1),
        behind: sends(2, 1),
        number: fc.constantFrom(...numbers),
        back: fc.boolean(),
      }),
      (_, { before, behind, number, back }) => {
        const anew = (dest?: number) => [
          to(at, 'IBV_QPS_RESET'),
          ...rts.map((state) =>
            to(at, state, state === 'IBV_QPS_RTR' && dest !== undefined ? { dest_qp_num: dest } : undefined),
          ),
        ];
        const posts = (all: typeof behind) => all.map((one) => post(at, wrOf(one)));
        return {
          steps: [
            ...posts(before),
            settle,
            ...anew(number),
            ...posts(behind),
            settle,
            query,
            ...(back ? [...anew(), ...posts(behind), settle, query] : []),
          ],
        };
      },
    ),
  aims: ['rc-request-addressee', 'uc-request-addressee'],
};
