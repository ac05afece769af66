import { describe, expect, it } from 'vitest';
import { importsOf, importTarget, projectFiles, readProjectFile } from '../project/files.ts';

/** Files that a page links to, relative to the root. */
function linksOf(page: string): string[] {
  const base = page.slice(0, page.lastIndexOf('/') + 1);
  return [...readProjectFile(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map(([, target = '']) =>
    new URL(target, `file:///${base}`).pathname.slice(1),
  );
}

const pages = projectFiles().filter((path) => /^docs\/[^/]+\.md$/.test(path));

describe('the pages of docs/', () => {
  it('are all in the index', () => {
    const linked = linksOf('docs/README.md');
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.filter((page) => page !== 'docs/README.md' && !linked.includes(page))).toEqual([]);
  });

  it('link to the glossary, as README does', () => {
    const using = ['README.md', 'docs/findings/soft-roce.md', ...pages].filter(
      (page) => page !== 'docs/glossary.md' && page !== 'docs/comparison.md',
    );
    expect(using.filter((page) => !linksOf(page).includes('docs/glossary.md'))).toEqual([]);
  });

  it('define every verdict', () => {
    const schema = readProjectFile('spec/schema/results.schema.json');
    const [, words = ''] = /"enum": \[([^\]]*"vacuous"[^\]]*)\]/.exec(schema) ?? [];
    const verdicts = [...words.matchAll(/"([a-z]+)"/g)].map(([, word = '']) => word);
    expect(verdicts).toContain('fail');
    const glossary = readProjectFile('docs/glossary.md');
    expect(verdicts.filter((word) => !glossary.includes(`| \`${word}\``))).toEqual([]);
  });
});

describe('the picture of the architecture', () => {
  const [, chart = ''] =
    /```mermaid\nflowchart BT\n([^]*?)```/.exec(readProjectFile('docs/architecture.md')) ?? [];
  const boxes = [...chart.matchAll(/^ +(\w+)\["\w+\//gm)].map(([, room = '']) => room);

  it('has a box for each room', () => {
    const rooms = [...readProjectFile('CONTRIBUTING.md').matchAll(/^\| `(\w+)\/` +\|/gm)].map(
      ([, room = '']) => room,
    );
    expect(rooms.length).toBeGreaterThan(5);
    expect(boxes.toSorted()).toEqual(rooms.toSorted());
  });

  it('has the arrows that the code has', () => {
    const room = (path: string): string => path.split('/')[0] ?? '';
    const found = projectFiles()
      .filter((path) => path.endsWith('.ts') && boxes.includes(room(path)))
      .flatMap((from) =>
        importsOf(readProjectFile(from)).map(
          (specifier) => [from, importTarget(from, specifier) ?? from] as const,
        ),
      )
      // results' types are what reporters take from those who fill them
      .filter(([from, target]) => room(from) !== room(target) && target !== 'report/results.ts')
      .map(([from, target]) => `${room(from)} --> ${room(target)}`);
    const drawn = [...chart.matchAll(/^ +(\w+ --> \w+)$/gm)].map(([, arrow = '']) => arrow);
    expect(drawn.toSorted()).toEqual([...new Set(found)].toSorted());
  });
});
