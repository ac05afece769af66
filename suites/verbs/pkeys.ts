import fc from 'fast-check';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { query, scenarios } from './parts.ts';

/** Entries at either end of the P_Key table, and indices behind it, with the attributes of the port in between. */
function asked(): fc.Arbitrary<Step[]> {
  const entry: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ do: fc.constant('query_pkey' as const), index: fc.constantFrom(0, 1, 2) }),
    fc.record({
      do: fc.constant('query_pkey' as const),
      index: fc.constantFrom(0, 1, 0xffff),
      beyond: fc.constant(true as const),
    }),
    fc.constant({ do: 'query_port' as const }),
  );
  return fc.array(entry, { minLength: 2, maxLength: 6 });
}

export const pkeys: SuiteProperty = {
  id: 'verbs/pkeys',
  suite: 'verbs',
  says: 'ibv_query_pkey gives the default P_Key in entry 0, something in each further entry, and fails behind the table.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['RC', 'UC', 'UD'],
      fc.record({ first: fc.constantFrom(0, 1), steps: asked() }),
      (_, { first, steps }) => ({
        // now and then before the length of the table is known
        steps: [{ do: 'query_pkey', index: first }, { do: 'query_port' }, ...steps, query],
      }),
    ),
  aims: ['pkey-default', 'pkey-entry', 'pkey-beyond', 'port-pkey-table'],
};
