/** `npx tsx scripts/oracle-size.ts`: lines of `oracle/` by part, as Markdown. What each line is, its first characters decide. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const oracle = join(dirname(dirname(fileURLToPath(import.meta.url))), 'oracle');
const kinds = ['code', 'imports', 'comments', 'blank'] as const;
type Kind = (typeof kinds)[number];
type Lines = Record<Kind, number>;

/** The part that a file belongs to; the first that fits. */
const parts: readonly (readonly [string, RegExp])[] = [
  ['types that are generated from the YAML', /^[^/]+\/variables\.ts$/],
  ['compiler', /^compile\/|^machine-draft\.ts$/],
  ['captures', /^capture\/|\/capture\/|^congestion\/captured|^reliable\/captured/],
  ['RC', /^(rc-|outage\/|reliable\/|path-migration\/)/],
  ['UC and UD', /^unreliable\//],
  ['out of order', /^ooo\//],
  ['congestion control', /^congestion\//],
  [
    'verbs, attributes, queues, SRQs, ports, paths, end to end',
    /^(verbs|attributes|cq|cq-event|srq|objects|port|route|user-context|end-to-end)\//,
  ],
  ['objects of the device, memory, queues, packets', /^device\//],
  ['rule book, routing, entry', /./],
];

function kindsOf(text: string): Kind[] {
  let inside: 'comments' | 'imports' | undefined;
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const start = line.trim();
      if (inside === undefined && start.startsWith('/*')) inside = 'comments';
      if (inside === undefined && start.startsWith('import ')) inside = 'imports';
      const kind = inside ?? (start === '' ? 'blank' : start.startsWith('//') ? 'comments' : 'code');
      if (inside === 'comments' && start.includes('*/')) inside = undefined;
      if (inside === 'imports' && start.endsWith(';')) inside = undefined;
      return kind;
    });
}

function sum(lines: readonly Lines[]): Lines {
  const total = { code: 0, imports: 0, comments: 0, blank: 0 };
  for (const each of lines) for (const kind of kinds) total[kind] += each[kind];
  return total;
}

const counted = new Map(parts.map(([name]) => [name, { code: 0, imports: 0, comments: 0, blank: 0 }]));
for (const file of readdirSync(oracle, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.ts')) continue;
  const [name = ''] = parts.find(([, of]) => of.test(file)) ?? [];
  const lines = counted.get(name);
  for (const kind of kindsOf(readFileSync(join(oracle, file), 'utf8')))
    if (lines !== undefined) lines[kind]++;
}
const row = (name: string, lines: Lines): string =>
  `| ${[name, kinds.reduce((all, kind) => all + lines[kind], 0), ...kinds.map((kind) => lines[kind])].join(' | ')} |`;
process.stdout.write(
  [
    '| part | lines | code | imports | comments | blank |',
    '| --- | --- | --- | --- | --- | --- |',
    ...[...counted].map(([name, lines]) => row(name, lines)),
    row('all', sum([...counted.values()])),
    '',
  ].join('\n'),
);
