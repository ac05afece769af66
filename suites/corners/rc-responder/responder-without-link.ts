import fc from 'fast-check';
import { everyKind, message, packetsOf, send } from '../../arbitraries/message.ts';
import { inject, recvs } from '../../arbitraries/packets.ts';
import type { SuiteProperty } from '../../property.ts';
import { scenarios } from '../../rc-responder/parts.ts';
import type { Step } from '../../scenario.ts';
import { query, settle } from '../../verbs/parts.ts';

/** Requests that come while the link is down, then with it, once more or behind the gap that they left. */
export const responderWithoutLink: SuiteProperty = {
  id: 'rc-responder/responder-without-link',
  suite: 'rc-responder',
  requires: ['port-events'],
  says: 'Requests that are sent to a port without a link do nothing; with the link back the QP goes on where it was.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: fc.array(message(profile, everyKind, 2), { maxLength: 2 }),
        part: fc.constantFrom(true, true, false),
        lost: message(profile, everyKind, 2),
        // of a long one some packets may have come before
        longer: message(profile, ['send', 'write', 'write-imm'], 2).map((m) => ({
          ...m,
          size: { mtus: 1, bytes: 1 },
        })),
        again: fc.boolean(),
        duplicate: fc.boolean(),
        waits: fc.boolean(),
        after: message(profile, everyKind, 2),
      }),
      ({ mtu }, { before, part, longer, lost, again, duplicate, waits, after }) => {
        const packets = packetsOf(part ? longer : lost, mtu);
        const early = part ? packets.slice(0, packets.length - 1) : [];
        const late = packets.slice(early.length);
        // each that comes again is the latest from then on, so that the next stands as far back
        const repeat = (behind: number): Step[] =>
          late.map(() => ({ do: 'reinject', back: late.length + behind - 1 }));
        return {
          steps: [
            ...recvs(before.length + 4, 2 * mtu + 64),
            ...before.flatMap((m) => send(m, mtu)),
            ...early.map(inject),
            settle,
            { do: 'link', up: false },
            settle,
            ...(duplicate && before.length > 0 ? [{ do: 'reinject', back: 0 } as const] : []),
            ...late.map(inject),
            ...(waits ? [settle, query] : []),
            { do: 'link', up: true, midway: true },
            ...(again ? repeat(0) : []),
            ...send(after, mtu),
            settle,
            ...(again ? [] : [...repeat(packetsOf(after, mtu).length), settle]),
            query,
          ],
        };
      },
    ),
  aims: ['port-sends-linked', 'rc-request-ahead', 'state-after-port-error'],
};
