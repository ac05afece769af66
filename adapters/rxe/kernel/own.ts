import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AdapterUnavailable } from '../../adapter.ts';
import { cached, prune } from '../cache.ts';
import type { Roots } from '../packages.ts';
import { readKernel, writeKernel, type GuestKernel } from './folder.ts';
import { bootable, imagesIn, releaseOf } from './image.ts';
import { collectModules } from './modules.ts';

/** Where a build of Linux for x86 leaves its image, from the top of its tree. */
const builtImage = 'arch/x86/boot/bzImage';
/** Kernels of a bisection come and go: so many stay in the cache. */
const kept = 4;

function imageIn(folder: string): string {
  const built = join(folder, builtImage);
  if (existsSync(built)) return built;
  const [image, ...more] = imagesIn(folder);
  if (image === undefined)
    throw new AdapterUnavailable(
      `rxe: no kernel in ${folder}: neither ${builtImage} nor a file vmlinuz* or bzImage`,
    );
  if (more.length > 0)
    throw new AdapterUnavailable(
      `rxe: several kernels in ${folder}: name one of ${[image, ...more].join(', ')}`,
    );
  return image;
}

/** The tree of the modules of an image: that in which it was built, or where its release is installed. */
function treeOf(image: string, bytes: Buffer): string {
  if (image.endsWith(`/${builtImage}`)) return image.slice(0, -builtImage.length - 1);
  const release = releaseOf(bytes);
  const installed = release === undefined ? undefined : join('/lib/modules', release);
  if (installed !== undefined && existsSync(installed)) return installed;
  throw new AdapterUnavailable(
    `rxe: no modules for ${image}: it lies in no build tree, and ${installed ?? '/lib/modules/RELEASE'} is not here; add modules=FOLDER`,
  );
}

/**
 * A kernel of this machine. `path`, absolute: a bzImage, or a folder with one and its modules. What the guest takes is kept by its contents, so
 * that a build in the same tree is another kernel. AdapterUnavailable says what is lacking.
 */
export async function ownKernel(
  { path, modules }: { path: string; modules?: string },
  more: readonly string[],
  roots: Roots,
  log: (line: string) => void,
): Promise<GuestKernel> {
  for (const named of [path, ...(modules === undefined ? [] : [modules])])
    if (!existsSync(named)) throw new AdapterUnavailable(`rxe: there is no ${named}`);
  const isFolder = statSync(path).isDirectory();
  const image = isFolder ? imageIn(path) : path;
  const bytes = readFileSync(image);
  const tree = modules ?? (isFolder ? path : treeOf(image, bytes));
  const found = await collectModules(roots, { tree, what: image, more });
  const hash = createHash('sha256').update(bytes);
  for (const { name, bytes: module } of found) hash.update(name).update(module);
  const name = `own-${hash.digest('hex').slice(0, 16)}`;
  const directory = await cached('own-kernel', name, async (draft) => {
    log(`taking ${releaseOf(bytes) ?? 'the kernel'} from ${image}, ${found.length} modules from ${tree}`);
    writeKernel(draft, { image: await bootable(roots, bytes, image), modules: found });
  });
  prune('own-kernel', kept);
  return readKernel(name, directory);
}
