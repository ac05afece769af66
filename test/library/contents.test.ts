import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../cli/command-line.ts';
import { pack, unpack } from './packed.ts';

/** What only the repository has: decisions, code, statistics, screenshots, and two pages which `rules --html` makes as well. */
const onlyInRepository =
  /^docs\/reference\/(machines\/|api\/|vocabulary\.md|statistics\.md|captures\.md|captured-mutants\.md)|^docs\/adr\/|^docs\/findings\/matrix\.html|^docs\/images\/[\w-]+\.webp|^(test|bench|scripts|oracle|suites|adapters)\//;
const maxBytes = 1_600_000;

const folder = temporaryFolder();
const contents = join(folder.path, 'package');
let tarball = '';
let files: string[] = [];
beforeAll(() => {
  tarball = pack(folder.path);
  unpack(tarball, contents);
  files = readdirSync(contents, { recursive: true, encoding: 'utf8' });
});
afterAll(() => {
  folder.remove();
});

const read = (file: string): string => readFileSync(join(contents, file), 'utf8');

/** Targets of the links and pictures of a page that are not in the package. */
function missingFrom(page: string): string[] {
  const targets = [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map(([, target = '']) =>
    posix.join(posix.dirname(page), target).replace(/\/$/, ''),
  );
  return targets.filter((target) => !files.includes(target));
}

describe('the tarball', () => {
  it('is small', () => {
    expect(statSync(tarball).size).toBeLessThan(maxBytes);
  });

  it('holds all that README names: links, pictures, files in commands', () => {
    expect(missingFrom('README.md')).toEqual([]);
    const named = [...read('README.md').matchAll(/(?<=[ /])(?:examples|docs|spec|adapters)\/[\w./-]*\w/g)];
    expect(named.map(([path]) => path)).toContain('examples/captures/msn-counts-packets.pcap');
    expect(named.map(([path]) => path).filter((path) => !files.includes(path))).toEqual([]);
  });

  it('holds all that its other pages link to, but for what only the repository has', () => {
    const pages = files.filter((file) => file.endsWith('.md'));
    expect(pages).toContain('docs/nic-developer.md');
    const dead = pages.flatMap((page) => missingFrom(page).map((target) => ({ page, target })));
    expect(dead.filter(({ target }) => !onlyInRepository.test(`${target}/`))).toEqual([]);
  });

  it('has no source maps, and no code that asks for one', () => {
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
    const asking = files.filter((file) => file.endsWith('.js') && read(file).includes('sourceMappingURL='));
    expect(asking).toEqual([]);
  });

  it('has declarations for what they import, and for nothing else', () => {
    const declared = files.filter((file) => file.startsWith('dist') && file.endsWith('.d.ts'));
    const imported = declared.flatMap((file) =>
      [...read(file).matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g)].map(([, target = '']) =>
        posix.join(posix.dirname(file), target.replace(/\.[jt]s$/, '.d.ts')),
      ),
    );
    expect(declared).toContain('dist/cli/api.d.ts');
    expect(imported.filter((file) => !declared.includes(file))).toEqual([]);
    const entries = [...read('package.json').matchAll(/"types": "\.\/([^"]+)"/g)].map(
      ([, file = '']) => file,
    );
    expect(declared.filter((file) => !imported.includes(file) && !entries.includes(file))).toEqual([]);
  });

  it('tells in its changelog of its version', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(read('CHANGELOG.md')).toContain(`\n## ${version}\n`);
  });
});
