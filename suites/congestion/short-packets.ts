import fc from 'fast-check';
import type { SuiteProperty } from '../property.ts';
import { finish, scenarios } from '../rc-requester/parts.ts';
import type { Step } from '../scenario.ts';
import { post } from '../unreliable/requests.ts';
import { cut, dcqcnOf } from './parts.ts';
import { write } from './rate.ts';

/** Messages of one case, however far the byte counter counts. */
const most = 240;

/** Cuts, and then so many short messages that only all of them together make the byte counter full. */
export const shortPackets: SuiteProperty = {
  id: 'congestion/short-packets',
  suite: 'congestion',
  requires: ['rcm', 'dcqcn'],
  says: 'Short packets take their share of the rate, and the byte counter counts them.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        cuts: fc.constantFrom(2, 1, 2, 6),
        bytes: fc.constantFrom(180, 180, 180, 100),
        times: fc.constantFrom(1.2, 1.2, 1.2, 0.9),
      }),
      (_, { cuts, bytes, times }) => {
        const dcqcn = dcqcnOf(profile);
        const count = Math.min(most, Math.ceil((times * dcqcn.bytes) / bytes));
        return {
          live: true,
          retryCnt: 7,
          steps: [
            ...Array.from({ length: cuts }, () => cut(dcqcn)).flat(),
            ...Array.from({ length: count }, (): Step => post(write(bytes))),
            ...finish(profile),
          ],
        };
      },
    ),
  aims: ['cc-bytes-owed', 'cc-pace-kept', 'cc-pace-within'],
};
