import fc from 'fast-check';
import { packet, recv, settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { scenarios } from '../rc-responder/parts.ts';
import type { PacketPlan, Step } from '../scenario.ts';
import { coming, ecn, pauseOf } from './parts.ts';

const bytes = 16;
const payload = { mtus: 0, bytes };
const write: PacketPlan = packet('RDMA_WRITE_ONLY', {
  payload,
  target: { region: 0, offset: 0, length: bytes },
});
const send: PacketPlan = packet('SEND_ONLY', { payload });

/** A request that its turn has come for, one ahead of it, or the one before once more. */
type Kind = 'next' | 'ahead' | 'again';

export const markedUnordered: SuiteProperty = {
  id: 'congestion/marked-unordered',
  suite: 'congestion',
  requires: ['rcm'],
  says: 'Of requests that met congestion a CNP tells, be they ahead of the expected PSN, duplicates or answered by an RNR NAK.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        receives: fc.nat(3),
        all: fc.array(
          fc.record({
            kind: fc.constantFrom<Kind>('ahead', 'again', 'next'),
            by: fc.integer({ min: 1, max: 4 }),
            sends: fc.boolean(),
            bits: ecn(),
            pause: pauseOf(profile),
          }),
          { minLength: 1, maxLength: 6, size: 'max' },
        ),
      }),
      (_, { receives, all }) => ({
        steps: [
          ...Array.from({ length: receives }, () => recv(bytes)),
          coming(write, 2),
          ...all.flatMap(({ kind, by, sends, bits, pause }): Step[] => {
            const request = sends ? send : write;
            switch (kind) {
              case 'next':
                return [coming(request, bits), ...pause];
              case 'ahead':
                return [coming({ ...request, psn: { from: 'next', offset: by } }, bits), ...pause];
              case 'again':
                return [coming(request, bits), ...pause, settle, { do: 'reinject', back: 0 }];
            }
          }),
          settle,
        ],
      }),
    ),
  aims: ['cc-cnp-due', 'cc-cnp-prompt', 'cc-cnp-spaced', 'cc-no-cnp-unmarked', 'cc-marked-request'],
};
