// Takes the comments out of the compiled sources: the declarations carry the docstrings, and the package stays small.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';

/** Rewrites each .js file under a folder without comments, where it has any. */
export async function stripComments(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.js'));
  await Promise.all(
    files.map(async (file) => {
      const path = join(folder, file);
      const source = readFileSync(path, 'utf8');
      const { code } = await transform(source, { loader: 'js', format: 'esm', target: 'node20' });
      if (code !== source) writeFileSync(path, code);
    }),
  );
}
