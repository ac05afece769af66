import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { asScript } from '../../spec/as-script.ts';
import { builtFile } from '../../spec/load.ts';
import { compileRules } from './compile.ts';
import type { SoundRules } from './compile.ts';
import { machineText } from './machine/text.ts';
import type { MachineText } from './machine/text.ts';
import { readSources } from './sources.ts';

/**
 * The rules as `npm run build` found them sound, kept beside the compiled code so that the command need not prove them
 * again at every start. It holds for files with the same digest only; after any change the full compiler runs.
 */
export interface Snapshot {
  readonly format: 3;
  readonly digest: string;
  readonly rules: SoundRules;
  /** of machines, by id; absent where they are not of the code that runs */
  readonly texts?: Readonly<Record<string, MachineText>>;
}

const ownCode = fileURLToPath(import.meta.url);

const snapshotPath = builtFile('rules.json.br');

/** The snapshot, as JSON that is packed with brotli; throws RuleError if the rules do not compile. */
export function makeSnapshot(): Uint8Array {
  const sources = readSources();
  const rules = compileRules(sources);
  const texts = Object.fromEntries(
    rules.machines.map((draft) => [draft.id, machineText(draft, (fact) => rules.factValues[fact] ?? [])]),
  );
  const snapshot: Snapshot = { format: 3, digest: sources.digest, rules, texts };
  return brotliCompressSync(JSON.stringify(snapshot));
}

function isSnapshot(value: unknown): value is Snapshot {
  const snapshot = value as Partial<Snapshot> | null;
  return typeof value === 'object' && snapshot?.format === 3 && Array.isArray(snapshot.rules?.tables);
}

/** The rules of a snapshot made from files of this digest; `undefined` if there is none, or it is damaged. */
export function readSnapshot(digest: string, path = snapshotPath): Omit<Snapshot, 'format'> | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const value: unknown = JSON.parse(brotliDecompressSync(readFileSync(path)).toString('utf8'));
    if (!isSnapshot(value) || value.digest !== digest) return undefined;
    // sources may have another compiler than the one that wrote the text
    return ownCode.endsWith('.js') ? value : { digest, rules: value.rules };
  } catch {
    return undefined;
  }
}

void asScript(import.meta.url, () => writeFileSync(snapshotPath, makeSnapshot()));
