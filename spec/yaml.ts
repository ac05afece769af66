import { createRequire } from 'node:module';

type Yaml = typeof import('yaml');

const load = createRequire(import.meta.url);
let loaded: Yaml | undefined;

/**
 * The package that reads and writes YAML. Loading it takes as long as the rest of a short command, and most commands read only what
 * `npm run build` has made of YAML: it is loaded when it is asked for.
 */
export function yaml(): Yaml {
  if (loaded === undefined) {
    const found: Yaml = load('yaml');
    loaded = found;
  }
  return loaded;
}
