import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiFolder, formattedPages, readApi } from '../../scripts/api/reference.ts';
import type { Entry } from '../../scripts/api/exports.ts';
import { readProjectFile, root } from './files.ts';

describe('the API reference', () => {
  let entries: readonly Entry[] = [];
  beforeAll(() => {
    entries = readApi(root);
  });

  it('is what the docstrings of the last build say; otherwise run `npm run api`', async () => {
    const pages = await formattedPages(root, entries);
    expect(pages.size).toBe(entries.length + 1);
    for (const [name, text] of pages) {
      const page = join(apiFolder, name);
      expect(existsSync(join(root, page)), page).toBe(true);
      expect(readProjectFile(page), page).toBe(text);
    }
  });

  it('explains every name that the package exports', () => {
    const silent = entries.flatMap(({ path, exports }) =>
      exports.filter(({ doc }) => doc === '').map(({ name }) => `${path}: ${name}`),
    );
    expect(silent).toEqual([]);
  });

  it('shows no private member', () => {
    const codes = entries.flatMap(({ exports }) => exports.map(({ code }) => code));
    expect(codes.length).toBeGreaterThan(100);
    for (const code of codes) expect(code).not.toMatch(/^\s*(private |#)/m);
  });
});
