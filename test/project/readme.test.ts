import { describe, expect, it } from 'vitest';
import { commands } from '../../cli/commands/index.ts';
import { exitMeanings } from '../../cli/exit-codes.ts';
import { parseArguments } from '../../cli/flags/parse.ts';
import { projectFiles, readProjectFile } from './files.ts';

const documents = projectFiles().filter((path) =>
  /^(README|CONTRIBUTING)\.md$|^docs\/(?:findings\/)?[^/]+\.md$|^examples\/.*\.md$/.test(path),
);

/** Commands in the shell blocks of a document, and in those that show how a CI system is told of them. */
function shellLines(path: string): string[] {
  const blocks = [...readProjectFile(path).matchAll(/```(?:sh|console|yaml)\n([\s\S]*?)```/g)];
  return blocks.flatMap(([, block = '']) =>
    block
      .split('\n')
      .map((line) =>
        line
          .replace(/^\$ |^\s*- (?:run: )?|^\s*run: /, '')
          .replace(/\s+(?:#|>).*$/, '')
          // one word, whatever the shell makes of it
          .replaceAll(/"[^"]*"|\$\{\{[^}]*\}\}/g, '1'),
      )
      .filter((line) => /^(npm|npx) /.test(line)),
  );
}

const invocations = documents.flatMap((path) =>
  shellLines(path)
    .flatMap((line) => line.split(' && '))
    .map((line) => ({ path, line: line.trim() })),
);

describe('what the documents tell people to type', () => {
  it('is in each of them', () => {
    expect(documents.length).toBeGreaterThan(5);
    const without = documents.filter((path) => !invocations.some((found) => found.path === path));
    expect(without).toEqual(['docs/README.md', 'docs/comparison.md', 'docs/glossary.md']);
  });

  const ours = invocations.filter(({ line }) => line.startsWith('npx rdma-conform'));
  it.each(ours)('$path: $line', ({ line }) => {
    const argv = line.split(/\s+/).slice(2);
    const command = commands.find((c) => c.name === argv[0]) ?? commands[0];
    const rest = command?.name === argv[0] ? argv.slice(1) : argv;
    expect(parseArguments(rest, command?.flags ?? []).operands.length).toBeLessThanOrEqual(
      command?.maxOperands ?? 0,
    );
  });

  const scripts = invocations.filter(({ line }) => /^npm (run |test)/.test(line));
  it.each(scripts)('$path: $line', ({ line }) => {
    const manifest: unknown = JSON.parse(readProjectFile('package.json'));
    const name = line.replace(/^npm (run )?/, '').split(' ')[0] ?? '';
    expect(manifest).toHaveProperty(['scripts', name]);
  });

  it('README shows the two commands of a fresh clone', () => {
    const lines = shellLines('README.md');
    expect(lines).toContain('npm ci && npx rdma-conform');
    expect(lines).toContain('npm ci && npm test');
  });

  it('README is short', () => {
    expect(readProjectFile('README.md').split('\n').length).toBeLessThan(160);
  });

  it('a page lists every command and exit code', () => {
    const page = readProjectFile('docs/commands.md');
    for (const { name } of commands) expect(page).toMatch(new RegExp(`\\brdma-conform ${name}\\b`));
    for (const { code } of exitMeanings) expect(page).toMatch(new RegExp(`^\\| ${code} +\\|`, 'm'));
  });

  it('links in documents lead to files', () => {
    const files = projectFiles();
    const folders = new Set(files.flatMap((f) => f.split('/').map((_, i, all) => all.slice(0, i).join('/'))));
    const dead = files
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) =>
        [...readProjectFile(path).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map(([, target = '']) => {
          const base = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
          return new URL(target, `file:///${base}`).pathname.slice(1).replace(/\/$/, '');
        }),
      )
      .filter((target) => !files.includes(target) && !folders.has(target));
    expect(dead).toEqual([]);
  });
});
