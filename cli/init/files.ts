import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { specDirectory } from '../../spec/load.ts';
import { knownFile, moduleAdapter, readme, workflow } from './templates.ts';

/** What the adapter of a new project is written in. */
export const projectKinds = ['module', 'python'] as const;
export type ProjectKind = (typeof projectKinds)[number];

/** A file of a new project, by its path in it. */
export interface NewFile {
  path: string;
  text: string;
}

interface Device {
  /** as `--adapter` takes it */
  adapter: string;
  /** flags that a run needs */
  flags: string;
  says: string;
  files: NewFile[];
}

const example = join(dirname(specDirectory), 'examples', 'python-responder');
const pythonFiles = [
  'rdma_stdio.py',
  'packets.py',
  'memory.py',
  'states.py',
  'connection.py',
  'responder.py',
];

function deviceOf(kind: ProjectKind): Device {
  switch (kind) {
    case 'module':
      return {
        adapter: './adapter.ts',
        flags: '',
        says: ' It begins as the reference NIC.',
        files: [{ path: 'adapter.ts', text: moduleAdapter }],
      };
    case 'python':
      return {
        adapter: 'stdio:python3 responder.py',
        flags: ' --suite rc-responder',
        says: ' It is a responder of reliable connections; `rdma_stdio.py` is all that a device of your own needs of it.',
        files: pythonFiles.map((path) => ({ path, text: readFileSync(join(example, path), 'utf8') })),
      };
  }
}

/** All files of a new project. `version` of rdma-conform is what it depends on. */
export function projectFiles(kind: ProjectKind, version: string): NewFile[] {
  const { adapter, flags, says, files } = deviceOf(kind);
  const manifest = {
    name: 'my-device-conformance',
    private: true,
    type: 'module',
    scripts: {
      smoke: `rdma-conform smoke --adapter "${adapter}"`,
      conformance: `rdma-conform --adapter "${adapter}"${flags} --known known.yaml`,
    },
    devDependencies: { 'rdma-conform': `^${version}` },
  };
  return [
    ...files,
    { path: 'package.json', text: `${JSON.stringify(manifest, undefined, 2)}\n` },
    { path: 'known.yaml', text: knownFile(adapter) },
    { path: '.github/workflows/conformance.yml', text: workflow(adapter, flags) },
    { path: '.gitignore', text: 'node_modules/\n.rdma-conform/\n__pycache__/\n' },
    { path: 'README.md', text: readme(adapter, says) },
  ];
}
