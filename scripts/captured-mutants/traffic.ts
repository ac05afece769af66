import type { MutantId } from '../../adapters/reference/index.ts';
import { framesOfMutant, type Passed, type Plan } from '../../test/oracle/capture/between-nics.ts';

/** Addresses of the two ends. */
const addresses = ['10.0.0.1', '10.0.0.2'] as const;
/** ACK timeout of their QPs. */
export const timeout = 10;

const usual: Plan = {
  seed: 1,
  mtu: 256,
  psns: [0xfffff0, 100],
  links: 2,
  depth: 8,
  batches: 10,
  slot: 1600,
  late: 0,
  rates: { drop: 0, duplicate: 0, reorder: 0 },
  place: 0,
};
const plans: readonly Partial<Plan>[] = [
  { seed: 2, rates: { drop: 0.03, duplicate: 0, reorder: 0 } },
  { seed: 3, late: 4, rates: { drop: 0.02, duplicate: 0.01, reorder: 0 } },
];

/** A capture at the port of one end, of whom the other is a conformant device. */
export interface Conversation {
  /** address of that end */
  address: string;
  passed: readonly Passed[];
}

/** RC messages of all kinds in both directions, some lost: the mutant asks first, and then answers first. */
export async function* conversations(mutant: MutantId): AsyncGenerator<Conversation> {
  for (const place of [0, 1] as const)
    for (const plan of plans) {
      const mutants = place === 0 ? [mutant] : [undefined, mutant];
      yield {
        address: addresses[place],
        passed: await framesOfMutant({ ...usual, ...plan, place }, mutants),
      };
    }
}
