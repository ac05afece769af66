import type { QpAttr } from '../../spec/verbs.ts';
import { stateName, type QpStateName } from '../device/qp-state.ts';
import { outcomeWord, ruleWord } from '../rulebook/outcome.ts';
import type { Facts } from '../rulebook/tables.ts';
import type { Rule } from '../rules.ts';
import type { Spot } from '../spot.ts';
import { attributeFacts, transitionName } from './attributes.ts';
import type { Known } from './known.ts';
import { attributeTable, type AttributeBook, type AttributeTable } from './tables.ts';
import { valueFacts, type QpLimits } from './values.ts';

const EINVAL = 22;

/** Whether a device may take a call of ibv_modify_qp, or refuse it with `errno`. `to`: the state asked for, or the one it is in. */
export function judgeModify(
  book: AttributeBook,
  known: Known,
  { attr, to, errno }: { attr: QpAttr; to: QpStateName; errno: number | undefined },
  limits: QpLimits,
  spot: Spot,
): void {
  const { state: from, drained } = known;
  const transition = Object.keys(attr).length === 0 ? 'nothing' : transitionName(from, to);
  const named = attr.cur_qp_state === undefined ? undefined : stateName(attr.cur_qp_state);
  const rule = decided(book, {
    transition,
    namedState: named === undefined ? 'absent' : named === from ? 'right' : 'wrong',
    drain: from !== 'SQD' ? 'none' : drained ? 'done' : 'possible',
    ...attributeFacts(transition, attr),
    towardsSqd: transition === 'RTS-SQD' ? 'sqd' : 'other',
    ...valueFacts(attr, limits),
  });
  if (rule === undefined) return;
  const outcome = rule.outcomes[0] ?? {};
  const result = outcomeWord(outcome, 'result');
  if (result === 'either') return book.choice(rule, errno === undefined ? 'accepted' : 'refused');
  const right =
    result === 'accepted'
      ? errno === undefined
      : errno !== undefined && (errno === EINVAL || outcomeWord(outcome, 'errno') === undefined);
  if (right) return;
  const what = `ibv_modify_qp in ${from} with ${words(attr)}`;
  const expected = `${what} ${result === 'accepted' ? 'succeeds' : 'fails with errno 22 (EINVAL)'}`;
  book.violate(rule, spot, expected, errno === undefined ? 'it succeeds' : `it fails with errno ${errno}`);
}

/** The rule that decides, the tables before it passed; all of them count as exercised. */
function decided(book: AttributeBook, facts: Facts): Rule | undefined {
  let found: Rule | undefined;
  let table: AttributeTable | undefined = 'qp-modify-transition';
  while (table !== undefined) {
    [found] = book.decide(table, facts);
    table = attributeTable(ruleWord(found, 'next'));
  }
  return found;
}

/** The attributes of a call as a person reads them. */
function words(attr: QpAttr): string {
  const parts = Object.entries(attr).map(([key, value]) => {
    if (key === 'qp_state' || key === 'cur_qp_state')
      return `${key} ${String(value).slice('IBV_QPS_'.length)}`;
    return typeof value === 'number' ? `${key} ${value}` : key;
  });
  return parts.length === 0 ? 'no attributes' : parts.join(', ');
}
