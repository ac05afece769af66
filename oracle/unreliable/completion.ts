import type { Wc } from '../../spec/verbs.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import type { Due, ReceiveState, UnreliableQp } from './qp.ts';
import type { Rule } from '../rules.ts';

/** Moves a state over a completion; false where it calls for none such: of that work request, with that status. */
export function takes(qp: UnreliableQp, state: ReceiveState, wc: Wc): boolean {
  if (wc.status === 'IBV_WC_WR_FLUSH_ERR') return state.qpState === 'ERR';
  const [due] = state.due;
  if (due === undefined || qp.posted.at(due.wqe)?.wr_id !== wc.wr_id) return false;
  if (!due.statuses.includes(wc.status)) return false;
  state.due = state.due.slice(1);
  return true;
}

interface Unmet {
  rule: Rule;
  expected: string;
  observed: string;
}

type Check = (due: Due, wc: Wc) => [expected: string, observed: string] | undefined;

const checks: Readonly<Record<string, readonly [value: string, check: Check]>> = {
  mustLength: ['received', (due, { byte_len: seen }) => differ('byte_len', due.length, seen)],
  mustImmediate: ['delivered', checkImmediate],
  mustSource: ['deth', (due, { src_qp: seen }) => differ('src_qp', due.source, seen)],
  mustGrh: ['set', (_due, { grh }) => (grh === true ? undefined : ['the flag IBV_WC_GRH', 'none'])],
};

function differ(
  name: string,
  want: number | undefined,
  seen: number | undefined,
): [string, string] | undefined {
  // what the adapter does not tell is not judged
  if (want === undefined || seen === undefined || want === seen) return undefined;
  return [`${name} ${want}`, `${name} ${seen}`];
}

function checkImmediate(due: Due, wc: Wc): [string, string] | undefined {
  if (wc.opcode !== undefined && wc.opcode !== due.opcode) return [due.opcode, wc.opcode];
  const name = (value: number | undefined): string =>
    value === undefined ? 'no immediate data' : `immediate data 0x${value.toString(16)}`;
  return wc.imm_data === due.immediate ? undefined : [name(due.immediate), name(wc.imm_data)];
}

/** What of a successful receive completion is not as the rules demand it. */
export function compareReceive(rules: readonly Rule[], due: Due, wc: Wc): Unmet[] {
  return rules.flatMap((rule) =>
    Object.entries(checks).flatMap(([key, [value, check]]): Unmet[] => {
      if (ruleWord(rule, key) !== value) return [];
      const found = check(due, wc);
      return found === undefined ? [] : [{ rule, expected: found[0], observed: found[1] }];
    }),
  );
}
