import { createRequire } from 'node:module';
import { causesOf, type Cause } from '../causes/causes.ts';
import { profileVersion } from '../profile-version.ts';
import type { ReportContext } from '../reporter.ts';
import { withoutHistory, type Failure, type RunResult } from '../results.ts';
import { count } from '../text.ts';

interface Entry {
  rule: string;
  signature?: string | string[];
  adapter: string;
  version?: string;
  reason: string;
  seldom?: string;
}

/** Parameters and commands may differ from run to run, and the version says which device it is; a mutant is one of its own. */
const kindOf = (adapter: string): string => adapter.replace(/^(rxe|verbs|stdio):.*$/s, '$1');

/** Why an entry need not show again, where some of the times that its findings were run again they did not. */
function luckOf(findings: readonly Failure[]): string | undefined {
  const [unsure] = findings.filter(({ reproduced }) => reproduced.times < reproduced.of);
  return unsure && `Shown ${unsure.reproduced.times} of ${unsure.reproduced.of} times that it was run again.`;
}

/** The findings by name; one that shows in several states of its QP is named for all of them. None in results of earlier versions. */
function signatureOf(findings: readonly Failure[]): Pick<Entry, 'signature'> {
  const names = new Set(findings.flatMap(({ signature }) => signature ?? []));
  const byBase = new Map<string, string[]>();
  for (const name of names) {
    const base = withoutHistory(name);
    byBase.set(base, [...(byBase.get(base) ?? []), name]);
  }
  const listed = [...byBase].map(([base, [one = base, ...more]]) => (more.length === 0 ? one : `${base}, *`));
  const [first, ...others] = listed;
  return first === undefined ? {} : { signature: others.length === 0 ? first : listed };
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;

/** An entry for each rule that a cause breaks. */
function entriesOf(cause: Cause, of: Pick<Entry, 'adapter' | 'version'>): Entry[] {
  const byRule = new Map<string, Failure[]>();
  for (const finding of [...cause.findings, ...cause.consequences].filter(({ known }) => !known))
    byRule.set(finding.rule, [...(byRule.get(finding.rule) ?? []), finding]);
  return [...byRule].map(([rule, findings]) => {
    const seldom = luckOf(findings);
    return {
      rule,
      ...signatureOf(findings),
      ...of,
      reason: sentence(cause.name),
      ...(seldom !== undefined && { seldom }),
    };
  });
}

/** The findings of a run that are not known yet, as entries of a file for `--known`, by cause. */
export function knownRun(result: RunResult, { version: of, adapter }: ReportContext): string {
  const causes = causesOf(result).filter(({ known }) => !known);
  const version = profileVersion(result.adapter.profile);
  const device = kindOf(adapter ?? result.adapter.name);
  const entries = causes.map((cause) =>
    entriesOf(cause, { adapter: device, ...(version !== undefined && { version }) }),
  );
  const total = entries.reduce((sum, { length }) => sum + length, 0);
  const begun = result.begun === undefined ? '' : ` of ${result.begun.slice(0, 10)}`;
  const head =
    ` What a run of rdma-conform ${of}${begun} with seed ${result.seed} found on ${result.adapter.name} and no list names: ${count(causes.length, 'cause')}, ${count(total, 'entry', 'entries')}.\n` +
    ' Read each before it is called known. Let "reason" say why, and "link" where it is described.';
  // loaded here, since it takes a tenth of the start of a command that does not need it
  const { Document, isSeq, visit }: typeof import('yaml') = createRequire(import.meta.url)('yaml');
  const document = new Document(entries.flat());
  document.commentBefore = head;
  visit(document, {
    Pair: (_, { value }) => {
      if (isSeq(value)) value.flow = true;
    },
  });
  if (total === 0) return `#${head.replaceAll('\n', '\n#')}\n[]\n`;
  return document.toString({
    lineWidth: 140,
    singleQuote: true,
    blockQuote: false,
    flowCollectionPadding: false,
  });
}

export function knownCheck(): string {
  return '# The reporter "known" reports runs: captures have no list of known divergences.\n[]\n';
}
