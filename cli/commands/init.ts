import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { RunCommand } from './command.ts';
import { exitCode, usageError } from '../exit-codes.ts';
import { cannotWrite } from '../files/file-trouble.ts';
import { dependencyOf } from '../init/dependency.ts';
import { projectFiles, projectKinds, type ProjectKind } from '../init/files.ts';
import { makeFolder } from '../files/make-folder.ts';
import { unknownWord } from '../flags/nearest.ts';
import { packageRoot, packageVersion } from '../version.ts';

/** `init [DIR]`: writes the files of a new project. Nothing is overwritten: what is there already is a usage error. */
// oxlint-disable-next-line require-await -- commands are asynchronous, this one has nothing to wait for
export const initCommand: RunCommand = async (args, { streams, directory }) => {
  const [given = '.'] = args.operands;
  const wanted = args.text('kind') ?? 'node';
  const kind = projectKinds.find((candidate): candidate is ProjectKind => candidate === wanted);
  if (kind === undefined) throw usageError(unknownWord('kind', wanted, projectKinds));
  const folder = resolve(directory, given);
  const dependency = dependencyOf(packageRoot, folder, packageVersion());
  const files = projectFiles(kind, dependency);
  const there = files.filter(({ path }) => existsSync(join(folder, path))).map(({ path }) => path);
  if (there.length > 0) throw usageError(`${given} has ${there.join(', ')} already; nothing was written`);
  try {
    for (const { path, text } of files) {
      makeFolder(dirname(join(folder, path)));
      writeFileSync(join(folder, path), text);
      streams.out(`${join(given, path)}\n`);
    }
  } catch (thrown) {
    throw usageError(cannotWrite(given, thrown));
  }
  if (!dependency.startsWith('^')) streams.out(`\npackage.json takes rdma-conform from ${dependency}\n`);
  const enter = given === '.' ? '' : `cd ${given} && `;
  streams.out(`\nNow: ${enter}npm install && npm run smoke && npm run conformance\n`);
  return exitCode.ok;
};
