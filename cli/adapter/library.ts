import type { Adapter } from '../../adapters/adapter.ts';
import { resolveAdapter } from './registry.ts';

/**
 * The adapter that `--adapter NAME` means: `reference:mutant=ID`, `rxe:kernel=6.12`, `verbs:DEVICE`, a path to a module. Paths
 * are taken from `directory`, by default the working directory. Throws an Error that says what is wrong with the name.
 */
export async function adapterFor(name: string, directory: string = process.cwd()): Promise<Adapter> {
  return resolveAdapter(name, directory);
}
