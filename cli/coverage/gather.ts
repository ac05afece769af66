import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { loadStatements, statementIds, type Statement } from '../../oracle/compile/statements.ts';
import { readSources } from '../../oracle/compile/sources.ts';
import { loadRules } from '../../oracle/index.ts';
import { expectedMutants } from '../../suites/mutants/index.ts';
import {
  coverageOf,
  rulesByStatement,
  type Coverage,
  type DeadMutant,
  type RunEvidence,
} from './coverage.ts';
import { formatMistake, loadExcuses } from './excuses.ts';

/** There are mistakes in the files of excuses, or mutants name statements that are none; the message lists all. */
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

/** Mutants that the table says a rule kills. The tests see that they do. */
function declaredKills(): DeadMutant[] {
  return expectedMutants.filter(({ rules }) => rules.length > 0);
}

/** The coverage of all documents, from the package's own data. Throws CoverageError where that has mistakes. */
export function gatherCoverage(
  evidence: { kills?: readonly DeadMutant[] | undefined; run?: RunEvidence | undefined } = {},
): Coverage {
  const rules = loadRules();
  const documents = statementsByDocument();
  const statements = new Map([...documents.values()].flat().map((statement) => [statement.id, statement]));
  const { excuses, mistakes } = loadExcuses({ statements, coveredBy: rulesByStatement(rules.rules) });
  const unknown = expectedMutants.flatMap(({ id, statements: named }) =>
    named
      .filter((statement) => !statements.has(statement))
      .map((statement) => `mutant ${id} names statement "${statement}", which does not exist`),
  );
  const all = [...mistakes.map(formatMistake), ...unknown];
  if (all.length > 0) throw new CoverageError(all);
  const { kills, run } = evidence;
  return coverageOf({
    rules,
    documents,
    excuses,
    mutants: kills ?? declaredKills(),
    kills: kills === undefined ? 'declared' : 'seen',
    run,
  });
}
