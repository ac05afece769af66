import { accessSync, constants, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compileSources } from '../../oracle/compile/compile.ts';
import { readSources } from '../../oracle/compile/sources.ts';
import { loadRules, RuleError } from '../../oracle/index.ts';
import { rulesByStatement } from '../coverage/coverage.ts';
import { loadExcuses } from '../coverage/excuses.ts';
import { statementsByDocument } from '../coverage/gather.ts';
import { loadCitations } from '../explain/sources.ts';
import { packageVersion } from '../version.ts';
import { makeFolder } from '../files/make-folder.ts';
import { stateDiagrams } from './diagrams.ts';
import { diagramsHtml, indexHtml } from './index-page.ts';
import { documentHtml } from './statement-page.ts';
import { tableHtml } from './table-page.ts';
import { documentPage, tablePage, type SiteSource } from './words.ts';

/** What the package holds of rules, words and statements. Throws RuleError where the rules do not compile. */
function siteSource(): SiteSource {
  const { vocabulary, drafts, diagnostics } = compileSources(readSources());
  if (vocabulary === undefined || diagnostics.length > 0) throw new RuleError(diagnostics);
  const set = loadRules();
  const documents = statementsByDocument();
  const statements = new Map([...documents.values()].flat().map((statement) => [statement.id, statement]));
  const { excuses } = loadExcuses({ statements, coveredBy: rulesByStatement(set.rules) });
  return {
    version: packageVersion(),
    set,
    vocabulary,
    drafts,
    documents,
    excuses,
    citations: loadCitations(),
  };
}

/** The pages, by path below the folder that is to hold them. */
export function sitePages(source: SiteSource = siteSource()): Map<string, string> {
  const { set, documents } = source;
  return new Map([
    ['index.html', indexHtml(source)],
    ['diagrams.html', diagramsHtml(stateDiagrams(set), source)],
    ...[...set.tables.values()].map((table) => [tablePage(table.id), tableHtml(table, source)] as const),
    ...[...documents].map(([id, list]) => [documentPage(id), documentHtml(id, list, source)] as const),
  ]);
}

/** Writes the pages into a folder; gives their number. Throws what `fs` throws. */
export function writeSite(folder: string): number {
  // what takes no files is known before the rules are read, which takes seconds
  makeFolder(folder);
  accessSync(`${folder}/`, constants.W_OK);
  const pages = sitePages();
  for (const [path, text] of pages) {
    const file = join(folder, path);
    makeFolder(dirname(file));
    writeFileSync(file, text);
  }
  return pages.size;
}
