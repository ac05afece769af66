import { isOfVersion } from '../../cli/files/known-file.ts';
import { profileVersion } from '../../report/profile-version.ts';
import { matrixOf, type CauseRow } from '../../report/matrix/matrix.ts';
import type { FindingName, RunResult } from '../../report/results.ts';
import { count, grouped } from '../../report/text.ts';
import { expectedBy, type KnownDivergence } from '../../suites/known.ts';

/** A run that is checked in, and what its column is called, e.g. "6.1". */
export interface NamedRun {
  name: string;
  result: RunResult;
}

/** Where the list of known divergences describes what a rule shows on a version. */
export interface Described extends KnownDivergence {
  version?: string | string[];
}

interface Section {
  heading: string;
  lines: string[];
}

const escaped = (text: string): string => text.replaceAll(/[|<>_*]/g, (found) => `\\${found}`);

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

function sectionsOf(notes: string): { before: string; sections: Section[] } {
  const parts = notes.split(/^(?=## )/m);
  const first = parts.findIndex((part) => part.includes('<!-- causes -->')) + 1;
  return {
    before: parts.slice(0, first).join(''),
    sections: parts.slice(first).map((part) => {
      const [heading = '', ...lines] = part.trimEnd().split('\n');
      return { heading: heading.slice(3), lines };
    }),
  };
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function runsTable(runs: readonly NamedRun[]): string {
  const version = ({ result }: NamedRun): string => profileVersion(result.adapter.profile) ?? '';
  return table(
    ['kernel', 'version', 'seed', 'cases', 'rules broken', 'findings'],
    runs.map((run) => {
      const { seed, cases, rules, failures } = run.result;
      const broken = rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'deviation').length;
      return [run.name, version(run), `${seed}`, grouped(cases), `${broken}`, `${failures.length}`];
    }),
  );
}

/** What is known of the version that a run is called after. */
const knownOf = (run: string, known: readonly Described[]): Described[] =>
  known.filter((entry) => isOfVersion(entry, `Linux ${run}.`));

/** Where the section stands that describes a finding of a run. */
function anchorOfFinding(finding: FindingName, run: string, known: readonly Described[]): string | undefined {
  return expectedBy(knownOf(run, known), finding)?.link?.split('#')[1];
}

/** Anchors of the sections that describe the findings of a cause in the runs that it shows in, the most frequent first. */
function anchorsOf({ rules }: CauseRow, known: readonly Described[], names: readonly string[]): string[] {
  const times = new Map<string, number>();
  for (const { rule, cells } of rules)
    for (const [i, { signatures }] of cells.entries())
      for (const signature of signatures) {
        const anchor = anchorOfFinding({ rule, signature }, names[i] ?? '', known);
        if (anchor !== undefined) times.set(anchor, (times.get(anchor) ?? 0) + 1);
      }
  return [...times].toSorted(([, a], [, b]) => b - a).map(([anchor]) => anchor);
}

/** Rules of a section that a run breaks: by findings that it describes, or by some that are withheld. */
function brokenIn({ name, result }: NamedRun, anchor: string, known: readonly Described[]): string[] {
  const shown = result.failures.filter(
    ({ rule, signature = '' }) => anchorOfFinding({ rule, signature }, name, known) === anchor,
  );
  const told = new Set(result.failures.map(({ rule }) => rule));
  const listed = new Set(
    knownOf(name, known)
      .filter(({ link }) => link?.endsWith(`#${anchor}`) === true)
      .map(({ rule }) => rule),
  );
  const withheld = result.rules.filter(
    ({ id, verdict }) => verdict === 'fail' && !told.has(id) && listed.has(id),
  );
  return [...new Set([...shown.map(({ rule }) => rule), ...withheld.map(({ id }) => id)])];
}

function shownBy(section: Section, runs: readonly NamedRun[], known: readonly Described[]): string {
  const anchor = anchorOf(section.heading);
  const where = new Map<string, string[]>();
  for (const run of runs)
    for (const rule of brokenIn(run, anchor, known)) where.set(rule, [...(where.get(rule) ?? []), run.name]);
  const listed = known.some(({ link }) => link?.endsWith(`#${anchor}`) === true);
  if (where.size === 0) return listed ? 'In these runs none of its rules was broken.' : '';
  const told = [...where].map(([rule, on]) => `\`${rule}\` (${on.join(', ')})`);
  return `Broken in these runs: ${told.join(', ')}.`;
}

/**
 * The page of findings: what the runs show by cause, ranked, and the notes by hand beside it, each with the rules that the runs
 * break. `notes` is markdown with the marks `runs` and `causes`, and a section for each thing that is described.
 */
export function findingsPage(runs: readonly NamedRun[], notes: string, known: readonly Described[]): string {
  const names = runs.map(({ name }) => name);
  const matrix = matrixOf(
    runs.map(({ result }) => result),
    names,
  );
  const { before, sections } = sectionsOf(notes);
  const headings = new Map(sections.map(({ heading }) => [anchorOf(heading), heading]));
  const described = (cause: CauseRow): string[] =>
    anchorsOf(cause, known, names).filter((anchor) => headings.has(anchor));
  const rows = matrix.causes.map((cause) => {
    const [lead, ...more] = cause.rules;
    const links = described(cause).slice(0, 2);
    return [
      cause.impact ?? '',
      `${escaped(cause.name)}<br>${lead === undefined ? '' : escaped(lead.says)}`,
      ...cause.findings.map((n) => (n === 0 ? '' : `${n}`)),
      `\`${lead?.rule}\`${more.length === 0 ? '' : `, ${count(more.length, 'more', 'more')}`}`,
      links.map((anchor) => `[${headings.get(anchor)}](#${anchor})`).join(', '),
    ];
  });
  const rank = ({ heading }: Section): number => {
    const at = matrix.causes.findIndex((cause) => described(cause).includes(anchorOf(heading)));
    return at < 0 ? matrix.causes.length : at;
  };
  const last = sections.filter(({ heading }) => heading.startsWith('Seen, and'));
  const ordered = [
    ...sections.filter((section) => !last.includes(section)).toSorted((a, b) => rank(a) - rank(b)),
    ...last,
  ];
  const causes = [
    `${count(matrix.causes.length, 'cause')}, the gravest first: what is seen, and the rule that it breaks. The numbers are findings: rules that were broken, each by what was seen.`,
    '',
    table(['impact', 'cause', ...names, 'rules', 'described under'], rows),
  ].join('\n');
  return [
    '<!-- made by `npm run findings` of soft-roce/ -->',
    '',
    before.replace('<!-- runs -->', runsTable(runs)).replace('<!-- causes -->', causes).trimEnd(),
    '',
    ...ordered.flatMap((section) => {
      const shown = shownBy(section, runs, known);
      const text = section.lines.join('\n').trim();
      return [`## ${section.heading}`, '', ...(shown === '' ? [] : [shown, '']), text, ''];
    }),
  ].join('\n');
}
