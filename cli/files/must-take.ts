import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { usageError } from '../exit-codes.ts';
import { cannotWrite } from './file-trouble.ts';

/** Where a run puts its own files, which makes the folder itself. */
const own = '.rdma-conform';

function mustBeWritable(path: string, folder: boolean): void {
  if (!existsSync(path)) return accessSync(dirname(path), constants.W_OK);
  if (statSync(path).isDirectory() !== folder)
    throw Object.assign(new Error(), { code: folder ? 'ENOTDIR' : 'EISDIR' });
  accessSync(path, constants.W_OK);
}

/**
 * Asks for the files of reports before anything runs: a usage error names one that no report could be written to, which would else be
 * found out when all is done.
 */
export function mustTake(files: readonly { file: string; folder: boolean }[], directory: string): void {
  const troubles = files.flatMap(({ file, folder }) => {
    const path = resolve(directory, file);
    if (relative(directory, path).startsWith(own)) return [];
    // A folder is made with those that it stands in.
    if (folder && !existsSync(path)) return [];
    try {
      mustBeWritable(path, folder);
      return [];
    } catch (thrown) {
      return [cannotWrite(file, thrown)];
    }
  });
  if (troubles.length > 0) throw usageError(troubles.join('; '));
}
