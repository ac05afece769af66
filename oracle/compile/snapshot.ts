import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { specDirectory } from '../../spec/load.ts';
import { compileRules } from './compile.ts';
import type { SoundRules } from './compile.ts';
import { readSources } from './sources.ts';

/**
 * The rules as `npm run build` found them sound, kept beside the compiled code so that the command need not prove them
 * again at every start. It holds for files with the same digest only; after any change the full compiler runs.
 */
interface Snapshot {
  readonly format: 2;
  readonly digest: string;
  readonly rules: SoundRules;
}

/** `dist/rules.json` of the package. */
function snapshotPath(): string {
  return join(dirname(specDirectory), 'dist', 'rules.json');
}

/** Text of the snapshot; throws RuleError if the rules do not compile. */
export function makeSnapshot(): string {
  const sources = readSources();
  const snapshot: Snapshot = { format: 2, digest: sources.digest, rules: compileRules(sources) };
  return JSON.stringify(snapshot);
}

function isSnapshot(value: unknown): value is Snapshot {
  const snapshot = value as Partial<Snapshot> | null;
  return typeof value === 'object' && snapshot?.format === 2 && Array.isArray(snapshot.rules?.tables);
}

/** The rules of a snapshot made from files of this digest; `undefined` if there is none, or it is damaged. */
export function readSnapshot(digest: string, path = snapshotPath()): SoundRules | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isSnapshot(value) && value.digest === digest ? value.rules : undefined;
  } catch {
    return undefined;
  }
}

const script = process.argv[1];
if (script !== undefined && existsSync(script) && realpathSync(script) === fileURLToPath(import.meta.url)) {
  writeFileSync(snapshotPath(), makeSnapshot());
}
