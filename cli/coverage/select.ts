import { prefixOf, statementStatuses, type Coverage, type StatementStatus } from './coverage.ts';

/** The part of a coverage that is about some documents: file names, or prefixes of ids. */
export function onlyDocuments(coverage: Coverage, names: readonly string[]): Coverage {
  const wanted = (document: string, prefix: string): boolean =>
    names.includes(document) || names.includes(prefix);
  const statements = coverage.statements.filter(({ document, id }) => wanted(document, prefixOf(id)));
  const documents = coverage.documents.filter(({ id, prefix }) => wanted(id, prefix));
  const rules = new Set(statements.flatMap((statement) => statement.rules));
  const sum = (status: StatementStatus): number =>
    documents.reduce((total, { counts }) => total + counts[status], 0);
  const counts = { ...coverage.counts };
  for (const status of statementStatuses) counts[status] = sum(status);
  return {
    ...coverage,
    counts,
    documents,
    statements,
    rules: coverage.rules.filter(({ id }) => rules.has(id)),
  };
}
