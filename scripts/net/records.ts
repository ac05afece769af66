import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What the build before came to, case by case, as digests: as long as the build after comes to the same, the build before need
 * not run again. Kept in the temporary folder of the machine, by the contents of the build and of the net.
 */
export class Records {
  /** cases that were not known before */
  readonly added: Record<string, string> = {};
  private readonly known: Readonly<Record<string, string>>;

  constructor(file: string) {
    this.known = read(file);
  }

  get(name: string): string | undefined {
    return this.known[name] ?? this.added[name];
  }

  set(name: string, digest: string): void {
    this.added[name] = digest;
  }
}

function read(file: string): Readonly<Record<string, string>> {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}

/** Adds what is new to such a file. */
export function keep(file: string, added: Readonly<Record<string, string>>): void {
  if (Object.keys(added).length === 0) return;
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ ...read(file), ...added }));
  renameSync(draft, file);
}

function* filesIn(folder: string): Generator<string> {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (/\.(js|ts|json|yaml)$/.test(entry.name)) yield path;
  }
}

/** Where the digests of a build are kept, for the cases of one seed. */
export function recordsFile(folder: string, seed: number): string {
  const hash = createHash('sha1').update(process.version);
  for (const path of [...filesIn(join(folder, 'dist')), ...filesIn(join(folder, 'spec'))].toSorted()) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}`);
  }
  for (const path of [...filesIn(dirname(fileURLToPath(import.meta.url)))].toSorted())
    if (path.endsWith('.ts')) hash.update(readFileSync(path));
  return join(tmpdir(), 'rdma-conform-net', hash.digest('hex').slice(0, 16), `seed-${seed}.json`);
}
