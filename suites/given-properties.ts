import type { Profile } from '../adapters/adapter.ts';
import { capabilities } from '../adapters/agent/profile.ts';
import { didYouMean } from '../oracle/compile/suggest.ts';
import type { RuleSet } from '../oracle/index.ts';
import { parseScenario } from './case/index.ts';
import type { SuiteProperty } from './property.ts';
import type { Scenario } from './scenario.ts';

const isWord = (value: unknown): boolean => typeof value === 'string' && /^[a-z0-9][\w./-]*$/i.test(value);

/** Words of a list that are none of `known`; throws TypeError for the first. */
function mustBeOf(known: readonly string[], words: readonly string[], where: string, what: string): void {
  for (const word of words)
    if (!known.includes(word))
      throw new TypeError(`${where}: there is no ${what} "${word}"${didYouMean(word, known)}`);
}

function mustBeSound(property: SuiteProperty, rules: RuleSet): void {
  const { id, suite, says, aims = [], requires = [], grids = [], share = 1 } = property;
  if (!isWord(id)) throw new TypeError(`a property must have an id such as mine/two-sends, not ${id}`);
  const where = `property ${id}`;
  if (!isWord(suite)) throw new TypeError(`${where}: suite must be a word such as mine, not ${suite}`);
  if (typeof says !== 'string') throw new TypeError(`${where}: says must be a sentence`);
  if (typeof property.arbitrary !== 'function')
    throw new TypeError(`${where}: arbitrary must be a function of the profile`);
  for (const [name, value] of Object.entries({ aims, requires, grids }))
    if (!Array.isArray(value)) throw new TypeError(`${where}: ${name} must be an array`);
  if (!Number.isInteger(share) || share < 1)
    throw new TypeError(`${where}: share must be an integer of 1 or more`);
  const ids = rules.rules.map((rule) => rule.id);
  mustBeOf(ids, aims, where, 'rule');
  mustBeOf(capabilities, requires, where, 'capability');
}

function checked(property: SuiteProperty): SuiteProperty {
  const { id } = property;
  return {
    ...property,
    arbitrary: (profile: Profile) =>
      property
        .arbitrary(profile)
        .map((scenario): Scenario => parseScenario(scenario, `property ${id}: scenario`)),
  };
}

/**
 * Properties of a caller. Those of the package are taken as they are; of others, each scenario is checked, since a step that nobody knows
 * would try nothing. Throws TypeError for a property with a mistake; its arbitrary throws CaseError for a scenario that is none.
 */
export function givenProperties(
  given: readonly SuiteProperty[],
  own: readonly SuiteProperty[],
  rules: RuleSet,
): SuiteProperty[] {
  const known = new Set(own);
  const ids = new Set<string>();
  return given.map((property) => {
    if (!known.has(property)) mustBeSound(property, rules);
    if (ids.has(property.id)) throw new TypeError(`two properties have the id ${property.id}`);
    ids.add(property.id);
    return known.has(property) ? property : checked(property);
  });
}
