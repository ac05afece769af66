import { pathToFileURL } from 'node:url';
import type { Adapter } from '../../adapters/adapter.ts';
import { CliError, exitCode, messageOf, usageError } from '../exit-codes.ts';
import { checkedAdapter } from './checked.ts';
import { offerOwnPackage } from './own-package.ts';

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** What keeps a value from being an Adapter, in words; undefined if nothing does. */
function adapterDefect(value: unknown): string | undefined {
  if (!isObject(value)) {
    return value === undefined ? 'has no default export' : `exports a ${typeof value} as default`;
  }
  if (typeof value['name'] !== 'string' || value['name'] === '') return 'exports a default without a name';
  for (const method of ['describe', 'open']) {
    if (typeof value[method] !== 'function') return `exports a default without ${method}()`;
  }
  return undefined;
}

function isAdapter(value: unknown): value is Adapter {
  return adapterDefect(value) === undefined;
}

/** A CommonJS module that was compiled from ESM has its default one level deeper. */
function defaultOf(loaded: unknown): unknown {
  if (!isObject(loaded)) return undefined;
  const outer = loaded['default'];
  return isObject(outer) && '__esModule' in outer ? outer['default'] : outer;
}

/** The default export of the module at an absolute path, TypeScript included. `shown` names it. Throws CliError 70 if it throws. */
export async function importDefault(path: string, shown: string): Promise<unknown> {
  const { tsImport } = await import('tsx/esm/api');
  offerOwnPackage();
  const loaded = await tsImport(pathToFileURL(path).href, import.meta.url).catch((thrown: unknown) => {
    throw new CliError(exitCode.error, `${shown}: ${messageOf(thrown)}`, { cause: thrown });
  });
  return defaultOf(loaded);
}

/** The Adapter that a module exports as default. Throws CliError: 70 if the module throws, 64 if it exports no Adapter. */
export async function loadAdapterModule(path: string, shown: string): Promise<Adapter> {
  const value = await importDefault(path, `adapter module ${shown}`);
  if (isAdapter(value)) return checkedAdapter(value, shown);
  throw usageError(
    `adapter module ${shown} ${adapterDefect(value) ?? ''}; it must export an Adapter as default`,
  );
}
