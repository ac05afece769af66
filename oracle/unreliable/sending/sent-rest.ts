import type { When } from '../../spot.ts';
import { ruleWord } from '../../rulebook/outcome.ts';
import type { Rule } from '../../rules.ts';
import type { UnreliableBook } from '../tables.ts';
import type { UnreliableVariables } from '../variables.ts';
import type { Work } from './work.ts';

/** A sender when everything due has had its time. */
interface SenderAtRest {
  book: UnreliableBook;
  sending: UnreliableVariables;
  /** the rule about work requests that have not been sent */
  standing: Rule;
  t: number;
}

const packetsOf = (n: number): string => (n === 1 ? '1 packet' : `${n} packets`);

const sentOf = (n: number): string => (n === 0 ? 'no packet' : `${packetsOf(n)} only`);

/** Whether nothing is missing of a work request that nothing makes doubtful; notes what is. */
export function settled({ book, sending, standing, t }: SenderAtRest, item: Work): boolean {
  const { sent, packets, completed, event, wr } = item;
  const at: When = { event, t };
  const what = `work request ${wr.wr_id}`;
  const whole = sent === packets;
  if ((whole && completed) || book.tables.machine.flag('leftBehind')({ work: item }, sending)) return true;
  item.settled = true;
  const inputs = { work: item, came: completed };
  const stopped = book.tables.machine.flag('stopped')(inputs, sending);
  const rules = book.ask('uc-ud-requester-completion', { inputs, variables: sending });
  const wrong =
    stopped && !whole ? undefined : book.unmet(rules, 'mustCome', { inputs, variables: sending })[0];
  if (wrong !== undefined) {
    const [expected, observed] = whole
      ? [`success of ${what}`, 'no completion']
      : [`all ${packetsOf(packets)} of ${what} before its completion`, sentOf(sent)];
    book.violate(wrong, at, expected, observed);
    return false;
  }
  if (ruleWord(standing, 'expiry') !== 'owed' || stopped) {
    book.exercise(rules);
    return true;
  }
  if (book.unmet([standing], 'expiry', { inputs, variables: sending })[0] === undefined) return true;
  book.violate(standing, at, `${packetsOf(packets)} of ${what}`, sentOf(sent));
  return false;
}
