import type { CheckResult, CheckViolation } from './check-results.ts';
import type { Verdict } from './results.ts';
import { count, grouped } from './text.ts';

/** "frame 6", "frame 6 of b.pcap". */
export function frameName({ frame, file }: { frame: number; file?: string }): string {
  // ungrouped, as filters of Wireshark take it
  return `frame ${frame}${file === undefined ? '' : ` of ${file}`}`;
}

/** Where in the file the guilty frame or event stands. */
export function placeOf({ frame, file, line, trace }: CheckViolation): string {
  const where =
    frame !== undefined
      ? frameName({ frame, ...(file !== undefined && { file }) })
      : line !== undefined
        ? `line ${grouped(line)}`
        : 'no single frame';
  return trace === undefined ? where : `${where} (${trace})`;
}

const ofQp = /^((?:sender to )?qp 0x[0-9a-f]+ at \S+): /;
/** Reasons that are listed one by one. */
const mostReasons = 20;

/** Why something could not be decided, each reason once: those of several QPs with their number and the first of them. */
export function reasonsOf({ inconclusive }: Pick<CheckResult, 'inconclusive'>): string[] {
  const byReason = new Map<string, { first: string; qps: number; text: string }>();
  for (const text of inconclusive) {
    const [prefix = '', first = ''] = ofQp.exec(text) ?? [];
    const reason = text.slice(prefix.length);
    const known = byReason.get(reason);
    if (known === undefined) byReason.set(reason, { first, qps: 1, text });
    else known.qps++;
  }
  const all = [...byReason].map(([reason, { first, qps, text }]) =>
    qps === 1 ? text : `${grouped(qps)} times, first ${first}: ${reason}`,
  );
  const more = all.length - mostReasons;
  return more > 0 ? [...all.slice(0, mostReasons), `and ${count(more, 'more reason')}`] : all;
}

/** What came of a check. `kind`: what it weighs; `seen`: what of the connections could be judged, and what of all could not be decided. */
export interface CheckSummary {
  kind: 'fail' | 'warn' | 'pass';
  text: string;
  seen: string[];
}

/** What came of a check in one sentence, and what stands behind it. */
export function summaryOf(result: CheckResult): CheckSummary {
  const { counts, inconclusive, damage, interrupted, errors, connections, rules } = result;
  const judgedAny = rules.some(({ exercised }) => exercised > 0);
  const open = !judgedAny || inconclusive.length > 0 || damage !== undefined || interrupted;
  const kind = counts.fail > 0 || errors.length > 0 ? 'fail' : open ? 'warn' : 'pass';
  const judged = connections?.judged.map(
    ({ says, connections: n }) => `${says} of ${count(n, 'connection')}`,
  );
  const seen = [
    ...(!judgedAny || judged === undefined || judged.length === 0
      ? []
      : [`Judged: ${judged.join(', ')}. A capture shows no calls, completions or memory.`]),
    ...(inconclusive.length === 0 ? [] : ['Not everything could be decided: see "Inconclusive".']),
  ];
  return { kind, text: brokenIn(result), seen };
}

function brokenIn({ counts, rules }: CheckResult): string {
  const violationsOf = (verdict: Verdict): string =>
    count(
      rules.filter((rule) => rule.verdict === verdict).reduce((sum, { violations }) => sum + violations, 0),
      'violation',
    );
  const shoulds =
    counts.deviation === 0 ? [] : [`${counts.deviation} SHOULD not kept (${violationsOf('deviation')})`];
  if (counts.fail > 0)
    return [`${count(counts.fail, 'rule')} broken (${violationsOf('fail')})`, ...shoulds].join(', ');
  if (shoulds.length > 0) return ['No MUST seen broken', ...shoulds].join(', ');
  return rules.some(({ exercised }) => exercised > 0) ? 'No rule seen broken' : 'Nothing was judged';
}

/** How much was judged. */
export function judgedIn({ frames, packets, traces, events }: CheckResult): string {
  const seen = `${count(frames, 'frame')}, ${count(packets, 'RoCEv2 packet')} judged`;
  return traces === undefined ? seen : `${count(traces, 'trace')}, ${count(events ?? 0, 'event')}, ${seen}`;
}
