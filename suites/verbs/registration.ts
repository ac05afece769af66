import fc from 'fast-check';
import type { AccessFlag } from '../../spec/verbs.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { query, scenarios, settle } from './parts.ts';

const remote: readonly AccessFlag[] = [
  'IBV_ACCESS_REMOTE_WRITE',
  'IBV_ACCESS_REMOTE_ATOMIC',
  'IBV_ACCESS_REMOTE_READ',
];

/** A region of rights that are rarely sound: those of others, and now and then that of software. */
function region(): fc.Arbitrary<Step> {
  return fc
    .record({
      length: fc.constantFrom(64, 4096),
      rights: fc.subarray([...remote]),
      local: fc.nat(3),
    })
    .map(({ length, rights, local }) => ({
      do: 'reg_mr',
      length,
      access: local === 0 ? ['IBV_ACCESS_LOCAL_WRITE' as const, ...rights] : rights,
    }));
}

export const registration: SuiteProperty = {
  id: 'verbs/registration',
  suite: 'verbs',
  says: 'Memory that others may write to is registered where software may write to it as well.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['RC', 'UC', 'UD'],
      fc.array(region(), { minLength: 1, maxLength: 4 }),
      (_, regions) => ({ steps: [...regions, settle, query] }),
    ),
  aims: ['register-remote-write', 'register-remote-atomic'],
};
