import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { parse } from 'yaml';
import { isOfVersion } from '../../cli/files/known-file.ts';
import { sortInfluences } from '../../report/influences.ts';
import type { Failure, Influence, LadderLine, RunResult } from '../../report/results.ts';
import { divergenceOf, expectedBy } from '../../suites/known.ts';
import type { Described, NamedRun } from './page.ts';

const folder = new URL('../../docs/findings/soft-roce/', import.meta.url);
const known = new URL('../../adapters/rxe/known.yaml', import.meta.url);

const inBrief = ({ what, is, kept }: Influence): Influence => ({
  what,
  is,
  broken: [],
  kept: kept.slice(0, 1),
});

/** The entries of the list of known divergences that are not described before a kernel has mended them. */
const isWithheld = ({ divergence }: Failure): boolean => divergence?.link?.endsWith('#withheld') === true;

/** What a page needs of a run, and no more: the file stays small. Of a finding that is withheld, only the verdict of its rule is in it. */
export function trimmed(result: RunResult): RunResult {
  return {
    ...result,
    properties: [],
    notJudged: [],
    rules: result.rules.map((rule) => {
      const { id, level, table, verdict, exercised, violations, impact } = rule;
      const broken = verdict === 'fail' || verdict === 'deviation';
      const says = broken ? rule.says : '';
      const base = { id, says, level, table, verdict, exercised, violations, statements: [] };
      const place = broken && rule.location !== undefined ? { location: rule.location } : {};
      return { ...base, ...place, ...(impact === undefined ? {} : { impact }) };
    }),
    failures: result.failures
      .filter((failure) => !isWithheld(failure))
      .map(({ caseFile: _caseFile, capture: _capture, influences, ladder, ...failure }) => ({
        ...failure,
        ...(influences !== undefined && { influences: sortInfluences(influences).matter.map(inBrief) }),
        token: '',
        scenario: {},
        statements: [],
        // its length tells which finding of a cause shows it best
        ladder: ladder.map((): LadderLine => ({ t: 0, kind: 'note', text: '' })),
      })),
  };
}

/** Keeps a run under a name such as "6.1". */
export function record(name: string, result: RunResult): void {
  const { causes: _, ...kept } = trimmed(result);
  writeFileSync(new URL(`${name}.json.br`, folder), brotliCompressSync(JSON.stringify(kept)));
}

/** The runs that are checked in, kernels first in the order of their versions. */
export function recordedRuns(): NamedRun[] {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.json.br'))
    .map((file) => basename(file, '.json.br'));
  const order = names.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return order.map((name) => {
    const bytes = brotliDecompressSync(readFileSync(new URL(`${name}.json.br`, folder)));
    return { name, result: JSON.parse(bytes.toString()) as RunResult };
  });
}

/** A run with what the list of known divergences says of its findings today, whatever it said when the run was made. */
export function asListed({ name, result }: NamedRun, listed: readonly Described[]): NamedRun {
  const { name: device, profile } = result.adapter;
  if (device !== 'rxe') return { name, result };
  const { version: ofDevice = '' } = profile as { version?: string };
  const own = listed.filter((entry) => isOfVersion(entry, ofDevice));
  const failures = result.failures.map(({ divergence: _divergence, ...failure }): Failure => {
    const { rule, signature = '' } = failure;
    return { ...failure, ...divergenceOf(expectedBy(own, { rule, signature })) };
  });
  const rules = result.rules.map((rule) => {
    const found = failures.filter((failure) => failure.rule === rule.id);
    const [first] = found;
    const known = found.every((failure) => failure.known) ? first?.divergence : rule.known;
    return known === undefined ? rule : { ...rule, known };
  });
  return { name, result: { ...result, rules, failures } };
}

export function notes(): string {
  return readFileSync(new URL('notes.txt', folder), 'utf8');
}

export function described(): Described[] {
  return parse(readFileSync(known, 'utf8')) as Described[];
}
