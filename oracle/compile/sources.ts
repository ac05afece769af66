import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { specDirectory } from '../../spec/load.ts';
import { checkOptions, text, textsByName, type OptionKinds } from '../options.ts';

/** Where rules are read from. */
export interface LoadOptions {
  /** a folder laid out as `spec/`; default: the package's own */
  readonly directory?: string;
  /**
   * texts by name below that folder (`machines/rc-responder/psn.yaml`) that replace its files, or are added to them
   */
  readonly files?: Readonly<Record<string, string>>;
}

/** Texts of the files that make a rule set, by name below the folder. */
export interface Sources {
  /** the files `machine.yaml` and `*-words.yaml` of every machine; empty if there is none */
  readonly vocabulary: ReadonlyMap<string, string>;
  /** the other files of every machine, one table each; sorted by name */
  readonly rules: ReadonlyMap<string, string>;
  /** texts of `statements/*.yaml`; read only when asked for */
  statements(): ReadonlyMap<string, string>;
  /** name for people: the folder's own name in front */
  display(name: string): string;
  readonly digest: string;
}

const isYaml = (name: string): boolean => name.endsWith('.yaml');

/** Names of the YAML files of a folder and, if asked, of the folders in it, below `directory`. */
function namesIn(directory: string, folder: string, deep: boolean): string[] {
  const path = join(directory, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return deep ? namesIn(directory, name, false) : [];
    return isYaml(name) ? [name] : [];
  });
}

/** Texts by name, sorted; `files` replaces or adds texts. */
function readFolder(
  directory: string,
  folder: string,
  files: Readonly<Record<string, string>>,
  deep = false,
): Map<string, string> {
  const names = new Set(namesIn(directory, folder, deep));
  for (const name of Object.keys(files)) if (name.startsWith(`${folder}/`)) names.add(name);
  const texts = [...names].toSorted().map((name): [string, string] => {
    return [name, files[name] ?? readFileSync(join(directory, name), 'utf8')];
  });
  return new Map(texts);
}

/** Whether a file of a machine holds words (state, facts, outcomes); the others hold one table each. */
function holdsWords(name: string): boolean {
  return /(?:^|\/)(?:machine|[a-z-]+-words)\.yaml$/.test(name);
}

const loadOptions: OptionKinds<LoadOptions> = { directory: text, files: textsByName };

/** Reads the machines; a missing `machine.yaml` is left for the compiler to report. */
export function readSources(options: LoadOptions = {}): Sources {
  checkOptions(options, loadOptions, 'loadRules');
  const directory = options.directory ?? specDirectory;
  const files = options.files ?? {};
  if (!existsSync(directory)) throw new Error(`${directory}: there is no such folder of rules`);
  const texts = [...readFolder(directory, 'machines', files, true)];
  const hash = createHash('sha256');
  for (const [name, text] of texts) hash.update(`${name}\0${text.length}\0${text}\0`);
  return {
    vocabulary: new Map(texts.filter(([name]) => holdsWords(name))),
    rules: new Map(texts.filter(([name]) => !holdsWords(name))),
    statements: () => readFolder(directory, 'statements', files),
    display: (name) => `${basename(directory)}/${name}`,
    digest: hash.digest('hex').slice(0, 12),
  };
}
