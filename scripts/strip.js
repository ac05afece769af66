// Takes comments and indentation out of the compiled sources: the declarations carry the docstrings, and the package stays small.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';

/** Lines stay short enough that the place in a stack trace says something. */
const form = { loader: 'js', format: 'esm', target: 'node20', minifyWhitespace: true, lineLimit: 160 };

/** Rewrites each .js file under a folder without comments and indentation, where it has any. */
export async function stripComments(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.js'));
  await Promise.all(
    files.map(async (file) => {
      const path = join(folder, file);
      const source = readFileSync(path, 'utf8');
      const { code } = await transform(source, form);
      if (code !== source) writeFileSync(path, code);
    }),
  );
}
