import fc from 'fast-check';
import { inject, packet } from '../arbitraries/packets.ts';
import { fewElements } from '../lists/values.ts';
import type { SuiteProperty } from '../property.ts';
import type { Role, Step } from '../scenario.ts';
import { headerBytes, post, query, scenarios, settle, to, wrOf, type Service } from './parts.ts';

const every: readonly Service[] = ['RC', 'UC', 'UD'];

/** Bytes of inline data that QPs of a scenario are asked for. */
const inlineRoom = 64;

/** Elements beyond what a queue is asked for; many, since a device may make more room. */
const beyond = (): fc.Arbitrary<number> => fc.constantFrom(1, 2, 40);

export const sendLimits: SuiteProperty = {
  id: 'verbs/send-limits',
  suite: 'verbs',
  requires: ['room-reports'],
  says: 'A send work request with as many elements, or as much inline data, as its QP has room for is taken; one with more does not succeed.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      every,
      fc.record({
        room: fewElements(profile),
        more: beyond(),
        inline: fc.boolean(),
        exceeds: fc.boolean(),
        held: fc.boolean(),
      }),
      ({ service }, { room, more, inline, exceeds, held }) => {
        const at: Role = 'requester';
        // an element is one byte at least
        const list = (sges: number): Step => post(at, wrOf({ length: 64, signaled: true }, { sges }));
        const data = (length: number): Step => post(at, wrOf({ length, signaled: true }, { inline: true }));
        // of RC, nothing is taken before what cannot complete
        const first = service === 'RC' && exceeds ? [] : [inline ? data(inlineRoom) : list(room)];
        const last = inline ? data(inlineRoom + more * 5) : list(room + more);
        return {
          plan: { maxSge: room },
          steps: [
            ...(held ? [to(at, 'IBV_QPS_SQD')] : []),
            ...first,
            ...(exceeds ? [last] : []),
            ...(held ? [to(at, 'IBV_QPS_RTS')] : []),
            settle,
            query,
          ],
        };
      },
    ),
  aims: ['send-too-many-elements', 'send-too-much-inline', 'post-send-accepted'],
};

export const receiveLimits: SuiteProperty = {
  id: 'verbs/receive-limits',
  suite: 'verbs',
  requires: ['room-reports'],
  says: 'A receive work request with as many elements as its queue has room for is taken; one with more is refused when it is posted, or when a message takes it.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['RC', 'UD'],
      fc.record({
        room: fewElements(profile),
        more: beyond(),
        shared: fc.boolean(),
        exceeds: fc.boolean(),
        messages: fc.integer({ min: 1, max: 3 }),
        writes: fc.boolean(),
      }),
      ({ service }, { room, more, shared, exceeds, messages, writes }) => {
        const list = (sges: number): Step => ({
          do: 'post_recv',
          length: 64 + headerBytes[service],
          sges,
          at: 'responder',
        });
        const bytes = { mtus: 0, bytes: 64 };
        const target = { region: 0, offset: 0, length: 64 };
        const write = packet('RDMA_WRITE_ONLY_WITH_IMMEDIATE', { payload: bytes, immediate: 7, target });
        return {
          srq: shared && profile.capabilities.includes('srq'),
          plan: { maxSge: room, maxRecvWr: 4 },
          steps: [
            list(room),
            ...(exceeds ? [list(room + more)] : []),
            list(1),
            settle,
            ...Array.from({ length: messages }, () =>
              inject(writes && service === 'RC' ? write : packet('SEND_ONLY', { payload: bytes })),
            ),
            settle,
            query,
          ],
        };
      },
    ),
  aims: [
    'completion-beyond-room',
    'post-receive-accepted',
    'post-shared-receive-accepted',
    'rc-receive-too-many-elements',
    'rc-report-too-many-elements',
    'rc-report-too-many-elements-immediate',
  ],
};
