import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { specDirectory } from '../../spec/load.ts';

export interface LoadOptions {
  /** a folder laid out as `spec/`; default: the package's own */
  readonly directory?: string;
  /**
   * texts by name below that folder (`rules/x.yaml`, `vocabulary.yaml`, `vocabulary/x.yaml`) that stand in for, or are added
   * to, its files
   */
  readonly files?: Readonly<Record<string, string>>;
}

/** Texts of the files that make a rule set, by name below the folder. */
export interface Sources {
  /** `vocabulary.yaml` and the files of `vocabulary/`; empty if there is none */
  readonly vocabulary: ReadonlyMap<string, string>;
  /** sorted by name */
  readonly rules: ReadonlyMap<string, string>;
  /** texts of `statements/*.yaml`; read only when asked for */
  statements(): ReadonlyMap<string, string>;
  /** name for people: the folder's own name in front */
  display(name: string): string;
  readonly digest: string;
}

function readFolder(
  directory: string,
  folder: string,
  files: Readonly<Record<string, string>>,
): Map<string, string> {
  const path = join(directory, folder);
  const onDisk = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.yaml')) : [];
  const names = new Set(onDisk.map((name) => `${folder}/${name}`));
  for (const name of Object.keys(files)) if (name.startsWith(`${folder}/`)) names.add(name);
  const texts = [...names].toSorted().map((name): [string, string] => {
    return [name, files[name] ?? readFileSync(join(directory, name), 'utf8')];
  });
  return new Map(texts);
}

/** Reads vocabulary and rule files; a missing vocabulary is left for the compiler to report. */
export function readSources(options: LoadOptions = {}): Sources {
  const directory = options.directory ?? specDirectory;
  const files = options.files ?? {};
  const vocabularyPath = join(directory, 'vocabulary.yaml');
  const main =
    files['vocabulary.yaml'] ??
    (existsSync(vocabularyPath) ? readFileSync(vocabularyPath, 'utf8') : undefined);
  const parts = readFolder(directory, 'vocabulary', files);
  const vocabulary = main === undefined ? parts : new Map([['vocabulary.yaml', main], ...parts]);
  const rules = readFolder(directory, 'rules', files);
  const hash = createHash('sha256');
  for (const [name, text] of [...vocabulary, ...rules]) {
    hash.update(`${name}\0${text.length}\0${text}\0`);
  }
  return {
    vocabulary,
    rules,
    statements: () => readFolder(directory, 'statements', files),
    display: (name) => `${basename(directory)}/${name}`,
    digest: hash.digest('hex').slice(0, 12),
  };
}
