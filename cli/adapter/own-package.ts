import { createRequire, Module, register } from 'node:module';

/** What names this package, or an entry of it. */
const own = /^rdma-conform(?:\/|$)/;

/** Runs where Node resolves imports: what is found nowhere else is taken from the package at `from`. */
const hooks = `
  import { createRequire } from 'node:module';
  import { pathToFileURL } from 'node:url';
  let require;
  export const initialize = ({ from }) => { require = createRequire(from); };
  export const resolve = async (specifier, context, next) => {
    try {
      return await next(specifier, context);
    } catch (thrown) {
      if (!${String(own)}.test(specifier)) throw thrown;
      return { url: pathToFileURL(require.resolve(specifier)).href, shortCircuit: true };
    }
  };
`;

type Resolve = (this: unknown, request: string, ...more: unknown[]) => string;

function resolves(loader: object): loader is { _resolveFilename: Resolve } {
  return '_resolveFilename' in loader && typeof loader._resolveFilename === 'function';
}

let offered = false;

/**
 * Lets modules of the user import `rdma-conform/adapter` and the like wherever they are, also where this package is installed globally or
 * runs by npx. One that is installed beside them goes first.
 */
export function offerOwnPackage(): void {
  if (offered) return;
  offered = true;
  const from = import.meta.url;
  register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: { from } });
  // a module without a package.json beside it is CommonJS
  const loader: object = Module;
  if (!resolves(loader)) return;
  const ordinary = loader._resolveFilename;
  const { resolve } = createRequire(from);
  let within = false;
  loader._resolveFilename = function (this: unknown, request, ...more) {
    try {
      return ordinary.call(this, request, ...more);
    } catch (thrown) {
      if (within || !own.test(request)) throw thrown;
      // it asks this very function
      within = true;
      try {
        return resolve(request);
      } finally {
        within = false;
      }
    }
  };
}
