import fc from 'fast-check';
import { everyKind, message, packetsOf, send } from '../arbitraries/message.ts';
import { throughMidway, wayMidway } from './ways.ts';
import { inject, recvs, settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { awaitAnswers, scenarios } from '../rc-responder/parts.ts';

/** Calls that fall between the packets of a message, or of the answer to a READ. */
export const callsMidway: SuiteProperty = {
  id: 'rc-responder/calls-midway',
  suite: 'rc-responder',
  says: 'ibv_modify_qp in the middle of a message ends it or leaves it whole: nothing of it is in the life that follows, and nothing is sent on.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: fc.array(message(profile, everyKind, 1), { maxLength: 1 }),
        cut: message(profile, ['send', 'write', 'read', 'send-imm', 'write-imm'], 4),
        packets: fc.integer({ min: 1, max: 4 }),
        answers: fc.nat(3),
        path: wayMidway(),
        receives: fc.integer({ min: 0, max: 3 }),
        late: fc.boolean(),
        rest: fc.boolean(),
        goesOn: fc.boolean(),
        anew: fc.array(message(profile, everyKind, 2), { minLength: 1, maxLength: 2 }),
      }),
      ({ mtu }, { before, cut, packets, answers, path, receives, late, rest, goesOn, anew }) => {
        const all = packetsOf(cut, mtu).map(inject);
        const more = recvs(2, 4 * mtu + 64).map((step) => ({ ...step, midway: true as const }));
        return {
          steps: [
            ...recvs(receives, 4 * mtu + 64),
            ...before.flatMap((m) => send(m, mtu)),
            ...all.slice(0, packets),
            ...awaitAnswers(profile, answers),
            ...(late ? [] : more),
            ...throughMidway('responder', path),
            ...(late ? more : []),
            ...(rest ? [settle] : []),
            ...(goesOn ? all.slice(packets) : []),
            ...anew.flatMap((m) => send(m, mtu)),
            settle,
            { do: 'query_qp' },
          ],
        };
      },
    ),
  aims: [
    'rc-response-unasked',
    'rc-drop-state',
    'rc-receive-flushed',
    'rc-opcode-out-of-sequence',
    'rc-send-complete-asked',
  ],
};
