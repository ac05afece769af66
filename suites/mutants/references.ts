import { isMutantId } from '../../adapters/reference/index.ts';
import { didYouMean } from '../../oracle/compile/suggest.ts';
import type { RuleSet } from '../../oracle/index.ts';
import type { Family } from './families.ts';
import type { MutantMistake } from './mistake.ts';

/** What mutants may name. */
export interface MutantContext {
  readonly rules: RuleSet;
  /** ids of all statements */
  readonly statements: ReadonlySet<string>;
  /** ids of all properties */
  readonly properties: ReadonlySet<string>;
}

function ruleMistake(id: string, rules: RuleSet): string | undefined {
  const rule = rules.rule(id);
  if (rule === undefined) {
    const known = rules.rules.map((candidate) => candidate.id);
    return `unknown rule "${id}"${didYouMean(id, known)}`;
  }
  return rule.level === 'may' ? `"${id}" is a may rule: a mutant breaks must or should rules` : undefined;
}

/** Mutants whose id the reference NIC does not know, and names of rules, statements and properties that are none. */
export function referenceMistakes({ source, entries }: Family, context: MutantContext): MutantMistake[] {
  return entries.flatMap(({ id, statements, rules = [], properties = [] }, i) => [
    ...(isMutantId(id)
      ? []
      : [
          {
            ...source.placeOf([i, 'id']),
            message: `the reference NIC does not know mutant "${id}" yet: run "npm run generate"`,
          },
        ]),
    ...statements.flatMap((statement, j) => {
      if (context.statements.has(statement)) return [];
      const message = `unknown statement "${statement}"${didYouMean(statement, context.statements)}`;
      return [{ ...source.placeOf([i, 'statements', j]), message }];
    }),
    ...properties.flatMap((property, j) => {
      if (context.properties.has(property)) return [];
      const message = `unknown property "${property}"${didYouMean(property, context.properties)}`;
      return [{ ...source.placeOf([i, 'properties', j]), message }];
    }),
    ...rules.flatMap((rule, j) => {
      const message = ruleMistake(rule, context.rules);
      return message === undefined ? [] : [{ ...source.placeOf([i, 'rules', j]), message }];
    }),
  ]);
}
