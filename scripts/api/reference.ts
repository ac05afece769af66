import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { readEntries, type Entry } from './exports.ts';
import { apiPages } from './pages.ts';

/** The folder of the pages below the root. */
export const apiFolder = join('docs', 'reference', 'api');

/** Entries of package.json that lead to code: as they are imported, with the declarations' file below dist/. */
function entryFiles(root: string): Map<string, string> {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    name: string;
    exports: Record<string, string | { types: string }>;
  };
  return new Map(
    Object.entries(exports).flatMap(([path, target]) =>
      typeof target === 'string' ? [] : [[name + path.slice(1), target.types.replace(/^\.\/dist\//, '')]],
    ),
  );
}

/** What the package exports, from the declarations that `npm run build` wrote last. */
export function readApi(root: string): Entry[] {
  return readEntries(join(root, 'dist'), entryFiles(root));
}

/** The pages of the API reference as they should stand below `root`, by file name. */
export async function formattedPages(root: string, entries: readonly Entry[]): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for (const [name, text] of apiPages(entries)) {
    const filepath = join(root, apiFolder, name);
    pages.set(name, await format(text, { ...(await resolveConfig(filepath)), filepath }));
  }
  return pages;
}
