import type { Rule } from '../rules.ts';
import type { Requester } from './requester.ts';
import type { RequesterState } from './state.ts';
import type { RequesterTables } from './tables.ts';

const itemsLookedAt = 16;

/** What a requester was seen to do since everything was last at rest. */
export interface Activity {
  /** request packets left */
  sent: boolean;
  /** it went back to packets that it had sent */
  wentBack: boolean;
}

/** Rules that forbid something, or call for it, of which a requester at rest had the occasion and kept to them. */
export function rulesKept(
  requester: Requester,
  tables: RequesterTables,
  { una, end, cursor, head, tail, reported }: RequesterState,
  { sent, wentBack }: Activity,
): Rule[] {
  const kept: (readonly Rule[])[] = [];
  const transmission = (place: string, retransmitCause = 'none'): void => {
    kept.push(tables.transmission.by({ place, retransmitCause }));
  };
  if (head < tail) kept.push(tables.completion.by({ workState: 'unacknowledged' }));
  const unsignaled = [...requester.work.between(Math.max(0, head - itemsLookedAt), head)].some(
    (i) => !i.signaled,
  );
  if (unsignaled) kept.push(tables.completion.by({ workState: 'unsignaled' }));
  if (reported > 0) kept.push(tables.completion.by({ workState: 'gone' }).filter(forbids));
  if (sent) {
    transmission('skips');
    if (head === tail) transmission('unposted');
    if (head > 0) transmission('completed');
    if (una !== end && !wentBack) transmission('back');
    if (head === tail || una !== end) kept.push(tables.standing.by({ unsent: 'work' }));
    if (cursor === end) kept.push(tables.asking.by({ waitsFor: 'unasked' }));
  }
  if (wentBack) {
    transmission('back', 'earlier');
    if (cursor === end) kept.push(tables.standing.by({ unsent: 'retransmission' }));
  }
  return kept.flat();
}

function forbids(rule: Rule): boolean {
  return rule.outcomes[0]?.['mustCome'] === 'never';
}
