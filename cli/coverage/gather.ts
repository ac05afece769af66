import { basename } from 'node:path';
import { loadStatements, statementIds, type Statement } from '../../oracle/compile/statements.ts';
import { readSources } from '../../oracle/compile/sources.ts';
import { loadRules, type RuleSet } from '../../oracle/index.ts';
import { loadMutants, MutantError, type Mutant } from '../../suites/mutants/index.ts';
import {
  coverageOf,
  rulesByStatement,
  type Coverage,
  type DeadMutant,
  type RunEvidence,
} from './coverage.ts';
import { formatMistake, loadExcuses } from './excuses.ts';

/** There are mistakes in the files of excuses, or in those of mutants; the message lists all. */
export class CoverageError extends Error {
  constructor(mistakes: readonly string[]) {
    super(
      `the coverage data has ${mistakes.length} mistake${mistakes.length === 1 ? '' : 's'}\n${mistakes.join('\n')}`,
    );
    this.name = 'CoverageError';
  }
}

/** Statements by document: the name of their file, without extension. */
export function statementsByDocument(): Map<string, Statement[]> {
  const byId = new Map(loadStatements().map((statement) => [statement.id, statement]));
  return new Map(
    [...readSources().statements()].map(([name, text]) => [
      basename(name, '.yaml'),
      [...statementIds(new Map([[name, text]]))].flatMap((id) => byId.get(id) ?? []),
    ]),
  );
}

/** All mutants, or every mistake in their files. */
function mutantsOf(rules: RuleSet): { mutants: readonly Mutant[]; mistakes: readonly string[] } {
  try {
    return { mutants: loadMutants(rules), mistakes: [] };
  } catch (thrown) {
    if (!(thrown instanceof MutantError)) throw thrown;
    return { mutants: [], mistakes: thrown.mistakes };
  }
}

/** The coverage of all documents, from the package's own data. Throws CoverageError where that has mistakes. */
export function gatherCoverage(
  evidence: { kills?: readonly DeadMutant[] | undefined; run?: RunEvidence | undefined } = {},
): Coverage {
  const rules = loadRules();
  const documents = statementsByDocument();
  const statements = new Map([...documents.values()].flat().map((statement) => [statement.id, statement]));
  const { excuses, mistakes } = loadExcuses({ statements, coveredBy: rulesByStatement(rules.rules) });
  const planted = mutantsOf(rules);
  const all = [...mistakes.map(formatMistake), ...planted.mistakes];
  if (all.length > 0) throw new CoverageError(all);
  const { kills, run } = evidence;
  return coverageOf({
    rules,
    documents,
    excuses,
    // as their files declare them: the tests see that each dies
    mutants: kills ?? planted.mutants.filter(({ rules: broken }) => broken.length > 0),
    kills: kills === undefined ? 'declared' : 'seen',
    run,
  });
}
