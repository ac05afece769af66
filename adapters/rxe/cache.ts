import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** `RDMA_CONFORM_CACHE`, else `rdma-conform` below `XDG_CACHE_HOME` or `~/.cache`. */
export function cacheDirectory(env: NodeJS.ProcessEnv = process.env): string {
  const own = env['RDMA_CONFORM_CACHE'];
  if (own !== undefined && own !== '') return own;
  const shared = env['XDG_CACHE_HOME'];
  return join(shared !== undefined && shared !== '' ? shared : join(homedir(), '.cache'), 'rdma-conform');
}

/**
 * Directory `kind/key` of the cache. Where it is missing, `fill` writes a new one beside it, which takes its place at
 * once when complete: a process that dies half-way, or two at a time, do no harm.
 */
export async function cached(
  kind: string,
  key: string,
  fill: (directory: string) => Promise<void>,
): Promise<string> {
  const parent = join(cacheDirectory(), kind);
  const place = join(parent, key);
  if (existsSync(place)) return place;
  mkdirSync(parent, { recursive: true });
  const draft = mkdtempSync(join(parent, '.new-'));
  try {
    await fill(draft);
    renameSync(draft, place);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
  }
  return place;
}

/** Forgets `kind/key`. */
export function forget(kind: string, key: string): void {
  rmSync(join(cacheDirectory(), kind, key), { recursive: true, force: true });
}

/** Keeps the `count` newest entries of a kind, and drops drafts that died more than an hour ago. */
export function prune(kind: string, count: number): void {
  const parent = join(cacheDirectory(), kind);
  if (!existsSync(parent)) return;
  const age = (name: string): number => {
    try {
      return statSync(join(parent, name)).mtimeMs;
    } catch {
      return 0; // another process was faster
    }
  };
  const all = readdirSync(parent).map((name) => ({ name, time: age(name) }));
  const drafts = all.filter((e) => e.name.startsWith('.new-') && e.time < Date.now() - 3_600_000);
  const old = all
    .filter((e) => !e.name.startsWith('.new-'))
    .toSorted((a, b) => b.time - a.time)
    .slice(count);
  for (const { name } of [...drafts, ...old]) rmSync(join(parent, name), { recursive: true, force: true });
}
