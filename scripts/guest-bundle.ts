import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { parse } from 'yaml';
import { specDirectory } from '../spec/load.ts';

/** The constants as a module, so that the guest needs neither the YAML files nor a parser for them. */
function specModule(): string {
  const folder = join(specDirectory, 'constants');
  const files = Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name): [string, unknown] => [
        `constants/${name}`,
        parse(readFileSync(join(folder, name), 'utf8')),
      ]),
  );
  return `const files = ${JSON.stringify(files)};\nexport const loadSpecYaml = (path) => files[path];`;
}

/** A module of ours and all that it imports, as one ES module for the guest; it may use the constants of the spec and koffi. */
export async function bundleForGuest(entryPoint: string): Promise<string> {
  const result = await build({
    entryPoints: [entryPoint],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['koffi'],
    write: false,
    minifyWhitespace: true, // a changed comment is no reason to boot anew
    logLevel: 'silent',
    // the same bytes wherever the package lies
    absWorkingDir: dirname(specDirectory),
    plugins: [
      {
        name: 'embed-spec',
        setup: (b) => {
          b.onLoad({ filter: /[\\/]spec[\\/]load\.[jt]s$/ }, () => ({
            contents: specModule(),
            loader: 'js',
          }));
        },
      },
    ],
  });
  const text = result.outputFiles[0]?.text;
  if (text === undefined) throw new Error('esbuild wrote nothing');
  return text;
}
