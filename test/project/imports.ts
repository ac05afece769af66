import { importTarget, projectFiles, readProjectFile } from './files.ts';

/** One file imports from another; both relative to the root. */
export interface Import {
  readonly from: string;
  readonly target: string;
}

const statement =
  /(?:^|\n)\s*(?:import|export)\s+(?:type\s+)?(?:(?:(?:[\w$]+|\*(?:\s+as\s+[\w$]+)?)\s*,?\s*)?(?:\{[^}]*\})?\s*from\s*)?['"]([^'"]+)['"]/g;

/** What a source imports or exports anew, types as well. */
export function specifiersOf(source: string): string[] {
  return [...source.matchAll(statement)].map(([, specifier = '']) => specifier);
}

/** Imports among the TypeScript files whose paths begin with `room`, of types as well. */
export function importsBetween(room: string): Import[] {
  const files = new Set(projectFiles().filter((path) => path.startsWith(room) && path.endsWith('.ts')));
  return [...files].flatMap((from) =>
    specifiersOf(readProjectFile(from))
      .map((specifier) => importTarget(from, specifier))
      .filter((target) => target !== undefined)
      .filter((target) => files.has(target))
      .map((target) => ({ from, target })),
  );
}

/** Files that import one another, directly or by way of others: each circle in alphabetical order. */
export function stronglyConnected(imports: readonly Import[]): string[][] {
  const out = new Map<string, string[]>();
  for (const { from, target } of imports) {
    out.set(from, [...(out.get(from) ?? []), target]);
    if (!out.has(target)) out.set(target, []);
  }
  const index = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): number => {
    const own = index.size;
    let least = own;
    index.set(file, own);
    stack.push(file);
    for (const next of out.get(file) ?? []) {
      if (!index.has(next)) least = Math.min(least, visit(next));
      else if (stack.includes(next)) least = Math.min(least, index.get(next) ?? own);
    }
    if (least < own) return least;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) found.push(circle.toSorted());
    return least;
  };
  for (const file of out.keys()) if (!index.has(file)) visit(file);
  return found.toSorted((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1));
}
