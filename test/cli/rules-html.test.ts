import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stateDiagrams } from '../../cli/rules-site/diagrams.ts';
import { sitePages } from '../../cli/rules-site/site.ts';
import { loadStatements } from '../../oracle/compile/statements.ts';
import { loadRules } from '../../oracle/index.ts';
import { stateSvg } from '../../report/state-diagram.ts';
import { runHere, temporaryFolder } from './command-line.ts';

const folder = temporaryFolder();
afterAll(() => {
  folder.remove();
});

const pages = sitePages();
const set = loadRules();

function bodyOf(path: string): string {
  const text = pages.get(path) ?? '';
  return text.slice(text.indexOf('<main'), text.indexOf('</main>'));
}

describe('pages of the rules', () => {
  it('show every rule in its table and every statement in its document', () => {
    for (const rule of set.rules) {
      expect(pages.get(`tables/${rule.table}.html`), rule.id).toContain(`id="rule-${rule.id}"`);
    }
    const documents = [...pages].filter(([path]) => path.startsWith('statements/')).map(([, text]) => text);
    const all = documents.join('\n');
    for (const { id } of loadStatements()) expect(all, id).toContain(`id="statement-${id}"`);
  });

  it('lead nowhere but to each other, and every link has its target', () => {
    const ids = new Map(
      [...pages].map(([path, text]) => [
        path,
        new Set([...text.matchAll(/ id="?([^">\s]+)/g)].map(([, id]) => id)),
      ]),
    );
    const dead = new Set<string>();
    for (const [path, text] of pages) {
      for (const [, href = ''] of text.matchAll(/<a\b[^>]* href="?([^">\s]*)/g)) {
        const [file = '', id] = href.split('#');
        const target = file === '' ? path : normalize(join(dirname(path), file));
        const there = ids.get(target);
        if (there === undefined || (id !== undefined && !there.has(id))) dead.add(`${path}: ${href}`);
      }
      expect(text).not.toMatch(/\b(src|href)="https?:/);
    }
    expect([...dead]).toEqual([]);
  });

  it('draw a decision table as a table: a row per rule, a column per fact and outcome', async () => {
    await expect(bodyOf('tables/rc-responder-psn.html')).toMatchFileSnapshot(
      'snapshots/rc-responder-psn.html',
    );
  });

  it('tell the erratum of a statement and the reason where nothing can cover it', () => {
    const text = bodyOf('statements/retransmission.html');
    expect(text).toMatch(/<dt>erratum<dd><em>/);
    expect(text).toMatch(/<dt>excused</);
  });

  it('are written by rules --html', async () => {
    const { code, stdout } = await runHere(['rules', '--html', 'site'], { cwd: folder.path });
    expect(code).toBe(0);
    expect(stdout).toBe(`${pages.size} pages, beginning with ${join('site', 'index.html')}\n`);
    for (const path of pages.keys()) expect(existsSync(join(folder.path, 'site', path)), path).toBe(true);
    expect(readFileSync(join(folder.path, 'site', 'index.html'), 'utf8')).toBe(pages.get('index.html'));
  });
});

describe('state diagrams', () => {
  const diagrams = stateDiagrams(set);

  it('follow from the tables and constants', async () => {
    const text = diagrams.map(({ title, states, edges }) =>
      [
        title,
        `  states: ${states.join(', ')}`,
        ...edges.map(({ from, to, causes }) => `  ${from ?? 'any'} -> ${to}: ${causes.join(', ')}`),
      ].join('\n'),
    );
    await expect(`${text.join('\n\n')}\n`).toMatchFileSnapshot('snapshots/state-diagrams.txt');
  });

  it('have states that are all told apart, and edges between states that there are', () => {
    for (const { states, edges, title } of diagrams) {
      expect(new Set(states).size, title).toBe(states.length);
      expect(edges.length, title).toBeGreaterThan(1);
      for (const { from, to } of edges) {
        expect(states, title).toContain(to);
        expect([...states, undefined], title).toContain(from);
      }
    }
  });

  it('are drawn with every state and every edge', async () => {
    for (const diagram of diagrams) {
      const svg = stateSvg(diagram);
      for (const state of diagram.states) expect(svg).toContain(`>${state}</text>`);
      expect(svg.match(/class="number"/g)).toHaveLength(diagram.edges.length);
    }
    const nak = diagrams.find(({ title }) => title === 'rc-responder: nakState');
    await expect(nak === undefined ? '' : stateSvg(nak)).toMatchFileSnapshot('snapshots/nak-state.svg');
  });
});
