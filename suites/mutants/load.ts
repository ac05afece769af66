import { isMutantId } from '../../adapters/reference/index.ts';
import { statementIds } from '../../oracle/compile/statements.ts';
import type { RuleSet } from '../../oracle/index.ts';
import { properties } from '../run.ts';
import { readFamilies, type Family } from './families.ts';
import { MutantError } from './mistake.ts';
import type { Mutant } from './mutant.ts';
import { referenceMistakes } from './references.ts';
import { mutantTexts, type MutantOptions } from './sources.ts';

function mutantsOf({ name, entries }: Family): Mutant[] {
  return entries.flatMap(({ id, rules = [], ...rest }) =>
    isMutantId(id) ? [{ id, family: name, rules, ...rest }] : [],
  );
}

/**
 * All mutants, in the order of `spec/mutants/order.yaml`, held against these rules. Throws MutantError with every mistake in
 * their files. Takes a tenth to a third of a second: for commands that hunt or count mutants, not for a run.
 */
export function loadMutants(rules: RuleSet, options: MutantOptions = {}): readonly Mutant[] {
  const { families, mistakes } = readFamilies(mutantTexts(options));
  const context = { rules, statements: statementIds(), properties: new Set(properties.map(({ id }) => id)) };
  const all = [...mistakes, ...families.flatMap((family) => referenceMistakes(family, context))];
  if (all.length > 0) throw new MutantError(all);
  return families.flatMap(mutantsOf);
}
