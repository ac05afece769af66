import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { specDirectory } from '../../spec/load.ts';

export interface MutantOptions {
  /** a folder laid out as `spec/`; default: the package's own */
  readonly directory?: string;
  /** texts by name below that folder (`mutants/x.yaml`) that replace its files, or are added to them */
  readonly files?: Readonly<Record<string, string>>;
}

/** Texts of all files below `mutants/`, by name below `spec/` and sorted by it. */
export function mutantTexts({ directory = specDirectory, files = {} }: MutantOptions = {}): ReadonlyMap<
  string,
  string
> {
  const folder = join(directory, 'mutants');
  const onDisk = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const names = new Set([
    ...onDisk.filter((name) => name.endsWith('.yaml')).map((name) => `mutants/${name.split(sep).join('/')}`),
    ...Object.keys(files),
  ]);
  return new Map(
    [...names]
      .toSorted()
      .map((name): [string, string] => [name, files[name] ?? readFileSync(join(directory, name), 'utf8')]),
  );
}
