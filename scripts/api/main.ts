// Writes the API reference from the docstrings of the sources: `npm run api`, part of `npm run generate`.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiFolder, formattedPages, readApi } from './reference.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = join(root, apiFolder);
const pages = await formattedPages(root, readApi(root));

mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(join(folder, name));
for (const [name, text] of pages) writeFileSync(join(folder, name), text);
