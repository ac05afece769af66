import { RuleError } from './diagnostic.ts';
import { compileSources, soundRules } from './compile.ts';
import { link } from './load.ts';
import { machinePage } from './machine/page.ts';
import { vocabularyPage } from './page.ts';
import { rulesSchema, type JsonSchema } from './schema.ts';
import { readSources } from './sources.ts';
import type { LoadOptions } from './sources.ts';
import { variablesText } from './machine/variables.ts';
import { asGenerator } from '../../spec/as-generator.ts';

/**
 * Files that follow from the machines, by path below the package: the JSON Schema of rule files with all words enumerated, the
 * pages for people, and the types of the machines' variables. Throws RuleError if the rules do not compile.
 */
export async function generatedFiles(options: LoadOptions = {}): Promise<Record<string, string>> {
  const sources = readSources(options);
  const compiled = compileSources(sources);
  const { vocabulary, drafts, machines, diagnostics } = compiled;
  if (vocabulary === undefined || diagnostics.length > 0) throw new RuleError(diagnostics);
  // Only sources are generated, never on a user's machine: a development dependency will do.
  const { format } = await import('prettier');
  const style = { printWidth: 110, singleQuote: true };
  const set = link(soundRules(compiled, vocabulary), sources.digest);
  const pages = await Promise.all(
    machines.map(async (draft): Promise<[string, string]> => [
      `docs/reference/machines/${draft.id}.md`,
      await format(machinePage(draft, set), { ...style, parser: 'markdown' }),
    ]),
  );
  const variables = await Promise.all(
    machines.map(async (draft): Promise<[string, string]> => [
      `oracle/${draft.id}/variables.ts`,
      await format(variablesText(draft), { ...style, parser: 'typescript' }),
    ]),
  );
  return {
    ...Object.fromEntries([...variables, ...pages]),
    'spec/schema/rules.schema.json': lines(rulesSchema(vocabulary)),
    'docs/reference/vocabulary.md': await format(vocabularyPage(vocabulary, drafts), {
      ...style,
      parser: 'markdown',
    }),
  };
}

/** JSON with a line for each entry of its lists and objects: differences can be read, and the package has no indentation to carry. */
function lines(schema: JsonSchema): string {
  const parts = Object.entries(schema).map(([key, value]) => `${JSON.stringify(key)}: ${entries(value)}`);
  return `{\n${parts.join(',\n')}\n}\n`;
}

function entries(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const list = Array.isArray(value);
  const each = Object.entries(value).map(
    ([key, entry]) => (list ? '' : `${JSON.stringify(key)}:`) + JSON.stringify(entry),
  );
  return list ? `[\n${each.join(',\n')}\n]` : `{\n${each.join(',\n')}\n}`;
}

await asGenerator(import.meta.url, generatedFiles);
