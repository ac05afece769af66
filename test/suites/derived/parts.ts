import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { properties, runConformance, type SuiteProperty } from '../../../suites/index.ts';

/** The property of that id. */
export function propertyNamed(id: string): SuiteProperty {
  const found = properties.find((property) => property.id === id);
  if (found === undefined) throw new Error(`no property ${id}`);
  return found;
}

/** Rules that a mutant breaks in so many cases of a property. */
export async function broken(mutant: string, property: string, runs: number): Promise<string[]> {
  const result = await runConformance({
    adapter: referenceAdapter({ mutant }),
    property,
    runs,
    seed: 3,
    confirmations: 0,
  });
  return result.rules.filter(({ violations }) => violations > 0).map(({ id }) => id);
}
