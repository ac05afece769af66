import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { specDirectory } from '../../spec/load.ts';
import { knownFile, moduleAdapter, readme, workflow, type Build } from './templates.ts';

/** What the device of a new project is written in. `node`: a module of TypeScript. */
export const projectKinds = ['node', 'python', 'c', 'cpp', 'verilog'] as const;
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
  build?: Build;
  files: NewFile[];
}

const examples = join(dirname(specDirectory), 'examples');
const responder = ' --suite rc-responder';

/** Files of an example, as they are. */
function copied(example: string, paths: readonly string[]): NewFile[] {
  return paths.map((path) => ({ path, text: readFileSync(join(examples, example, path), 'utf8') }));
}

/** Of the C example, all but the calls, which a device in C++ has in C++. */
const nic = ['stdio.c', 'device.h', 'json.c', 'json.h', 'nic.c', 'nic.h', 'roce.c', 'roce.h'];
const make = (packages: string): Build => ({ command: 'make', packages });

function deviceOf(kind: ProjectKind): Device {
  switch (kind) {
    case 'node':
      return {
        adapter: './adapter.ts',
        flags: '',
        says: ' It begins as the reference NIC.',
        files: [{ path: 'adapter.ts', text: moduleAdapter }],
      };
    case 'python':
      return {
        adapter: 'stdio:python3 responder.py',
        flags: responder,
        says: ' It is a responder of reliable connections; `rdma_stdio.py` is all that a device of your own needs of it.',
        files: copied('python-responder', [
          'rdma_stdio.py',
          'packets.py',
          'memory.py',
          'states.py',
          'connection.py',
          'responder.py',
        ]),
      };
    case 'c':
      return {
        adapter: 'stdio:./c-responder',
        flags: responder,
        says: ' `nic.c` is a small NIC, a responder of reliable connections. `device.c` has its calls: put your own NIC in its place.',
        build: make('gcc make'),
        files: copied('c-responder', ['Makefile', 'device.c', 'play.c', ...nic]),
      };
    case 'cpp':
      return {
        adapter: 'stdio:./cpp-responder',
        flags: responder,
        says: ' `nic.c` is a small NIC, a responder of reliable connections. `device.cpp` has its calls: put your own NIC in its place.',
        build: make('g++ make'),
        files: [...copied('cpp-responder', ['Makefile', 'device.cpp']), ...copied('c-responder', nic)],
      };
    case 'verilog':
      return {
        adapter: 'stdio:python3 responder.py',
        flags: responder,
        says: ' `rc_receive.v` is the hardware: a receive path of reliable connections. `bench.v` puts it behind a pipe, and `responder.py` is its driver.',
        build: make('iverilog make python3'),
        files: [
          ...copied('verilog-responder', ['Makefile', 'rc_receive.v', 'bench.v', 'responder.py']),
          ...copied('python-responder', ['rdma_stdio.py', 'states.py']),
        ],
      };
  }
}

/** All files of a new project. `dependency`: where npm finds rdma-conform, as package.json says it. */
export function projectFiles(kind: ProjectKind, dependency: string): NewFile[] {
  const { adapter, flags, says, build, files } = deviceOf(kind);
  const manifest = {
    name: 'my-device-conformance',
    private: true,
    type: 'module',
    scripts: {
      ...(build !== undefined && { presmoke: build.command, preconformance: build.command }),
      smoke: `rdma-conform smoke --adapter "${adapter}"`,
      conformance: `rdma-conform --adapter "${adapter}"${flags} --known known.yaml`,
    },
    devDependencies: { 'rdma-conform': dependency },
  };
  return [
    ...files,
    { path: 'package.json', text: `${JSON.stringify(manifest, undefined, 2)}\n` },
    { path: 'known.yaml', text: knownFile(adapter) },
    { path: '.github/workflows/conformance.yml', text: workflow(adapter, flags, build) },
    {
      path: '.gitignore',
      text: 'node_modules/\n.rdma-conform/\n__pycache__/\n*.o\n*-responder\nplay\n*.vvp\n',
    },
    { path: 'README.md', text: readme(adapter, says) },
  ];
}
