import fc from 'fast-check';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { query, scenarios, settle } from './parts.ts';
import {
  bind,
  bindingFaults,
  deallocate,
  deregister,
  faultyBindings,
  open,
  opening,
  regionsOf,
  request,
  rightsOf,
} from './windows.ts';

/** What becomes of a window of type 1 that is bound; behind the last request its QP is of no more use. */
const ends = [
  'unbound',
  'unbound, deregistered',
  'unbound, former key',
  'former key',
  'bound again',
  'behind',
  'gone',
  'deregistered',
] as const;

const allocate: Step = { do: 'alloc_mw', type: 'IBV_MW_TYPE_1' };

export const windowsByCall: SuiteProperty = {
  id: 'verbs/windows-by-call',
  suite: 'verbs',
  requires: ['memory-windows', 'memory-windows-1'],
  says: 'A memory window of type 1 is bound and unbound by ibv_bind_mw, and opens by its R_Key what it is bound to and nothing else.',
  arbitrary: (profile) => {
    const rights = rightsOf(profile);
    return scenarios(
      profile,
      'responder',
      ['RC'],
      opening(rights).chain((opened) =>
        fc.record({
          opened: fc.constant(opened),
          later: opening(rights),
          right: fc.constantFrom(...opened.access),
          used: fc.boolean(),
          signaled: fc.boolean(),
          end: fc.oneof(
            { weight: 4, arbitrary: fc.constantFrom(...ends) },
            { weight: 1, arbitrary: fc.constantFrom(...bindingFaults) },
          ),
        }),
      ),
      (c, { opened, later, right, used, signaled, end }) => {
        const uses = request(right, opened.offset);
        const unbind = [bind(open, { ...opened, length: 0, access: [] }, signaled), settle];
        const wrong = faultyBindings(c, opened, 8);
        const bound = [bind(open, opened), settle, ...(used ? uses : [])];
        const steps: Readonly<Record<typeof end, Step[]>> = {
          right: [wrong.right, settle],
          write: [wrong.write, settle],
          bounds: [wrong.bounds, settle],
          unbound: [...bound, ...unbind, ...uses],
          'unbound, deregistered': [...bound, ...unbind, deregister],
          'unbound, former key': [...bound, ...unbind, ...request(right, opened.offset, 'former')],
          'former key': [...bound, ...request(right, opened.offset, 'former')],
          'bound again': [
            ...bound,
            ...unbind,
            bind(open, later),
            settle,
            ...later.access.slice(0, 1).flatMap((granted) => request(granted, later.offset)),
          ],
          behind: [...bound, ...request(right, opened.offset + opened.length)],
          gone: [...bound, deallocate, ...uses],
          deregistered: [...bound, deregister, ...uses],
        };
        return { regions: regionsOf(profile, c), steps: [allocate, ...steps[end], query] };
      },
    );
  },
  aims: [
    'rc-window-access-denied',
    'bind-without-right',
    'bind-write-alone',
    'bind-out-of-bounds',
    'dealloc-mw',
    'dereg-mr-bound',
    'dereg-mr',
  ],
};
