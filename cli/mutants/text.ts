import { styleFor, type Style } from '../../report/style.ts';
import { count, grouped, hanging } from '../../report/text.ts';
import { caughtUnawares, unseen, type MutantResult, type MutantsResult } from './results.ts';

const verdictWidth = 9;

/** Widths, and whether there is room for what killed a mutant beside it; else it stands below. */
interface Columns {
  id: number;
  cases: number;
  beside: boolean;
}

/** Cases over the seeds: the median, and the worst where they differ. */
function casesText({ median, most }: MutantResult): string {
  if (median === undefined || most === undefined) return '';
  return median === most ? grouped(median) : `${grouped(median)}..${grouped(most)}`;
}

function listed(rules: readonly string[]): string {
  return rules.join(rules.length > 2 ? ', ' : ' or ');
}

/** What is in the last column, and below it. */
function remarks(mutant: MutantResult, result: MutantsResult): string[] {
  switch (mutant.verdict) {
    case 'killed': {
      const missing = unseen(result, mutant);
      const by = result.everyRule
        ? mutant.broken
        : [...new Set(mutant.hunts.flatMap(({ killedBy }) => killedBy ?? []))];
      return [by.join(', '), ...(missing.length === 0 ? [] : [`never seen violated: ${missing.join(', ')}`])];
    }
    case 'survived': {
      const seeds = mutant.hunts.filter(({ cases }) => cases === undefined).map(({ seed }) => seed);
      const where = result.seeds.length > 1 ? ` with seed ${seeds.join(', ')}` : '';
      return [
        `no violation of ${listed(mutant.rules)} in ${grouped(result.limit)} cases${where}`,
        `It ${mutant.says.charAt(0).toLowerCase()}${mutant.says.slice(1)}`,
        ...(mutant.others.length === 0 ? [] : [`violated on the way: ${mutant.others.join(', ')}`]),
      ];
    }
    case 'error':
      return [mutant.error ?? 'the harness broke'];
    case 'not-tried':
      return ['interrupted before its turn came'];
    case 'not-judged':
      return [mutant.notJudged ?? ''];
  }
}

function word(mutant: MutantResult, result: MutantsResult, style: Style): string {
  const pad = (text: string): string => text.padEnd(verdictWidth);
  switch (mutant.verdict) {
    case 'killed':
      return unseen(result, mutant).length > 0 ? style.warn(pad('in part')) : style.good(pad('killed'));
    case 'survived':
      return style.bad(pad('SURVIVED'));
    case 'error':
      return style.bad(pad('ERROR'));
    case 'not-tried':
    case 'not-judged':
      return style.dim(pad('not tried'));
  }
}

function rows(
  mutant: MutantResult,
  result: MutantsResult,
  columns: Columns,
  width: number,
  style: Style,
): string[] {
  const head = `  ${' '.repeat(verdictWidth)} ${mutant.id.padEnd(columns.id)}  ${casesText(mutant).padStart(columns.cases)}  `;
  const texts = remarks(mutant, result);
  const { beside } = columns;
  const indent = ' '.repeat(beside ? head.length : verdictWidth + 5);
  const lines = texts.flatMap((text, i) =>
    hanging(i === 0 && beside ? head : indent, text, width).map((line) => line.slice(2 + verdictWidth)),
  );
  const [first = '', ...more] = beside ? lines : [head.slice(2 + verdictWidth), ...lines];
  const gap = ' '.repeat(2 + verdictWidth);
  return [`  ${word(mutant, result, style)}${first.trimEnd()}`, ...more.map((line) => style.dim(gap + line))];
}

function summary(result: MutantsResult, style: Style): string[] {
  const { counts, mutants, seeds } = result;
  const caught = caughtUnawares(mutants).length;
  const parts = [
    style.good(`${grouped(counts.killed)} killed`),
    ...(counts.survived > 0 ? [style.bad(`${grouped(counts.survived)} SURVIVED`)] : []),
    ...(counts.error > 0 ? [style.bad(count(counts.error, 'ERROR'))] : []),
    ...(counts['not-judged'] > 0 ? [`${grouped(counts['not-judged'])} not judged`] : []),
    ...(caught > 0 ? [style.bad(`of which ${grouped(caught)} CAUGHT`)] : []),
    ...(counts['not-tried'] > 0 ? [style.warn(`${grouped(counts['not-tried'])} not tried`)] : []),
  ];
  const worst = mutants.find(({ most }) => most === result.most)?.id;
  const needed =
    result.median === undefined || result.most === undefined
      ? []
      : [`median ${count(result.median, 'case')} to kill, most ${grouped(result.most)} (${worst ?? ''})`];
  const hunts = seeds.length > 1 ? [count(seeds.length, 'seed')] : [];
  const time = `${(result.durationMs / 1000).toFixed(1)} s on ${count(result.threads, 'thread')}`;
  return [`${style.bold('Mutants')}  ${parts.join(', ')}`, style.dim([...needed, ...hunts, time].join(', '))];
}

/** The report for people: mutants by family, what killed each, and what to make of it. */
export function mutantsText(
  result: MutantsResult,
  { version, width, colour }: { version: string; width: number; colour: boolean },
): string {
  const style = styleFor(colour);
  const { mutants, seeds } = result;
  const [first = 0] = seeds;
  const seedText = seeds.length === 1 ? `seed ${first}` : `seeds ${first} to ${seeds.at(-1) ?? first}`;
  const title = [
    `rdma-conform ${version}`,
    'mutants of the reference NIC',
    ...(result.suite === undefined ? [] : [`suite ${result.suite}`]),
    seedText,
    `rules ${result.spec}`,
  ].join(' | ');
  const idWidth = Math.max(0, ...mutants.map(({ id }) => id.length));
  const casesWidth = Math.max(5, ...mutants.map((mutant) => casesText(mutant).length));
  const longest = Math.max(0, ...mutants.flatMap(({ rules }) => rules.map((rule) => rule.length)));
  const columns: Columns = {
    id: idWidth,
    cases: casesWidth,
    beside: verdictWidth + idWidth + casesWidth + longest + 7 <= width,
  };
  const judged = mutants.filter(({ verdict }) => verdict !== 'not-judged');
  const exempt = mutants.filter(({ verdict }) => verdict === 'not-judged');
  const lines = hanging('', title, width).map((line) => style.bold(line));
  lines.push('');
  for (const family of new Set(judged.map((mutant) => mutant.family))) {
    const members = judged.filter((mutant) => mutant.family === family);
    const heading = `${family} (${members.length})`.padEnd(columns.id + verdictWidth + 5);
    lines.push(`${style.bold(heading)}${style.dim(`${'cases'.padStart(columns.cases)}  killed by`)}`);
    for (const mutant of members) lines.push(...rows(mutant, result, columns, width, style));
    lines.push('');
  }
  if (exempt.length > 0) {
    lines.push(style.bold('Not judged'));
    for (const { id, notJudged = '', broken } of exempt) {
      lines.push(`  ${id}`, ...hanging('      ', notJudged, width).map((line) => style.dim(line)));
      if (broken.length > 0) {
        const text = `caught by ${broken.join(', ')}: its entry in spec/mutants/ must say so`;
        lines.push(...hanging('      ', text, width).map((line) => style.bad(line)));
      }
    }
    lines.push('');
  }
  if (result.outOfReach.length > 0) {
    const text = `${count(result.outOfReach.length, 'mutant')} left out: the suite reaches none of their rules`;
    lines.push(style.dim(text), '');
  }
  if (result.interrupted) {
    lines.push(style.warn('Interrupted: this is what was found until then.'), '');
  }
  return `${[...lines, ...summary(result, style)].join('\n')}\n`;
}
