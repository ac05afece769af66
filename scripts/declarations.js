// Type declarations of the package: those that an entry of package.json leads to, and no others.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Paths below `from` of all declarations that the entries import, directly or not. */
function reachable(entries, from) {
  const found = new Set();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path) || !existsSync(join(from, path))) continue;
    found.add(path);
    const text = readFileSync(join(from, path), 'utf8');
    for (const [, plain, inline] of text.matchAll(
      /\bfrom ['"](\.[^'"]+)['"]|\bimport\(['"](\.[^'"]+)['"]\)/g,
    )) {
      waiting.push(join(dirname(path), (plain ?? inline).replace(/\.[jt]s$/, '.d.ts')));
    }
  }
  return found;
}

/** Puts the declarations of the entries from `dist/.types` beside the code; takes away those that nothing needs, and source maps. */
export function placeDeclarations(root) {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entries = Object.values(exports).flatMap(({ types }) =>
    types ? [normalize(types).slice('dist/'.length)] : [],
  );
  const from = join(root, 'dist', '.types');
  const wanted = reachable(entries, from);
  for (const path of wanted) {
    const target = join(root, 'dist', path);
    const text = readFileSync(join(from, path), 'utf8');
    if (existsSync(target) && readFileSync(target, 'utf8') === text) continue;
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  for (const path of readdirSync(join(root, 'dist'), { recursive: true })) {
    const needless = (path.endsWith('.d.ts') && !wanted.has(path)) || path.endsWith('.js.map');
    if (needless && !path.startsWith('.types')) rmSync(join(root, 'dist', path), { force: true });
  }
}
