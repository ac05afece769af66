import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from '../cache.ts';

const day = 24 * 3600 * 1000;

/** How the name of a kernel's package is found. */
export interface Current {
  /** asks for it; may need a network */
  readonly ask: () => Promise<string>;
  /** what makes an answer old: a file or folder that has changed since, or a day that has gone by */
  readonly changed: 'daily' | `/${string}`;
  /** the kernel of this name is in the cache */
  readonly usable: (name: string) => boolean;
}

export function inCache(place: string): boolean {
  return existsSync(join(cacheDirectory(), 'kernel', place));
}

/** The package that is the current one of `what`, as it was found last, or found anew where that is old. */
export async function currentName(what: string, { ask, changed, usable }: Current): Promise<string> {
  const note = join(cacheDirectory(), `kernel-${what}`);
  const known = existsSync(note) ? readFileSync(note, 'utf8') : '';
  const has = known !== '' && usable(known);
  if (has && isFresh(note, changed)) return known;
  try {
    const name = await ask();
    mkdirSync(cacheDirectory(), { recursive: true });
    writeFileSync(note, name);
    return name;
  } catch (error) {
    if (has) return known; // offline: what was unpacked before still works
    throw error;
  }
}

function isFresh(note: string, changed: Current['changed']): boolean {
  const written = statSync(note).mtimeMs;
  if (changed === 'daily') return Date.now() - written < day;
  return !existsSync(changed) || statSync(changed).mtimeMs <= written;
}
