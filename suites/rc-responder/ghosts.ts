import fc from 'fast-check';
import { everyKind, message, send, takesReceive } from '../arbitraries/message.ts';
import { at, inject, packet, recvs, settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { scenarios } from './parts.ts';

export const ghosts: SuiteProperty = {
  id: 'rc-responder/ghosts',
  suite: 'rc-responder',
  says: 'A copy of a request that was long under way is a duplicate, however far the connection has got, and leaves a NAK that is out as it is.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        many: fc.array(message(profile, everyKind, 1), { minLength: 4, maxLength: 24, size: 'max' }),
        gap: fc.boolean(),
        ghosts: fc.array(fc.nat(30), { minLength: 1, maxLength: 3 }),
        after: message(profile, everyKind, 1),
      }),
      ({ mtu, ...chosen }, { many, gap, ghosts, after }) => {
        const beyond = inject(at(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 4 } }), 2));
        const reads = (n: number): boolean => (n + 1) % Math.max(1, chosen.maxDestRdAtomic) === 0;
        return {
          steps: [
            ...recvs(many.filter((m) => takesReceive(m.kind)).length + 1, mtu + 64),
            ...many.flatMap((m, i): Step[] => [...send(m, mtu), ...(reads(i) ? [settle] : [])]),
            settle,
            ...(gap ? [beyond, settle] : []),
            ...ghosts.flatMap((back): Step[] => [{ do: 'reinject', back: gap ? back + 1 : back }, settle]),
            ...(gap ? [beyond, settle] : []),
            ...send(after, mtu),
          ],
        };
      },
    ),
  aims: ['rc-request-duplicate', 'rc-duplicate-send-write-asked', 'rc-request-ahead-after-sequence-nak'],
};
