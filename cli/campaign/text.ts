import type { RunResult } from '../../report/results.ts';
import { count, grouped, hanging } from '../../report/text.ts';
import type { Round } from '../../suites/campaign/state.ts';

/** How many of the last rounds the text lists. */
const roundsShown = 8;

/** How far a campaign has come, and what it has not reached. */
export function campaignText(
  rounds: readonly Round[],
  { rules, cases }: RunResult,
  terms: { folder: string; now: number; pairs: number; kept: number; width: number },
): string {
  const { folder, now, pairs, kept, width } = terms;
  const seconds = rounds.reduce((sum, round) => sum + round.seconds, 0);
  const binding = rules.filter(({ verdict }) => verdict !== 'unsupported');
  const shown = binding.filter(({ verdict }) => verdict !== 'vacuous');
  const missing = binding.filter(({ level, verdict }) => level === 'must' && verdict === 'vacuous');
  const last = rounds.slice(-roundsShown);
  const line = (name: string, text: string): string[] => hanging(`${name.padEnd(9)} `, text, width);
  return [
    '',
    ...line(
      'Campaign',
      `${folder}: ${count(rounds.length, 'round')} (${now} now), ${count(cases, 'case')}, ${grouped(Math.round(seconds))} s`,
    ),
    ...line(
      'Reached',
      `${grouped(shown.length)} of ${count(binding.length, 'rule')} that bind this device, ${count(pairs, 'pair')} of rules; ${count(kept, 'case')} kept`,
    ),
    ...line(
      'News',
      `rules and pairs in the last ${count(last.length, 'round')}: ${last.map(({ news }) => grouped(news)).join(', ')}; findings: ${last.map(({ findings }) => findings).join(', ')}`,
    ),
    ...line(
      'Missing',
      missing.length === 0
        ? 'no MUST rule; nothing is known of pairs that no round has met'
        : `${count(missing.length, 'MUST rule')} never exercised: ${missing.map(({ id }) => id).join(', ')}`,
    ),
    '',
  ].join('\n');
}
