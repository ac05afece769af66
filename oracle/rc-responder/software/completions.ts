import type { RecvWr, Wc } from '../../../spec/verbs.ts';
import type { Rule, RuleSet } from '../../rules.ts';
import { totalLength } from '../../device/memory.ts';
import type { Qp } from '../../device/qp.ts';
import type { Difference } from '../../device/packet/header.ts';
import { invalidatedText, lengthText } from '../../device/queues/receive-texts.ts';
import { kindOf, opcodeOf } from '../../device/queues/wc-kind.ts';
import { MachineTable } from '../../rulebook/machine-table.ts';
import { ofRule } from '../../rulebook/outcome.ts';
import { responderMachine } from '../machine.ts';
import type { Compared, Unmet } from '../responses/demands.ts';
import type { PendingCompletion } from '../pending.ts';
import type { ResponderState } from '../state.ts';
import { Unbound, wqeText } from '../unbound.ts';
import { bind } from '../words/memory.ts';
import type { RcResponderInputs } from '../variables.ts';

/** Receive completions against those that are due. */
export interface ReceiveCompletions {
  /** `undefined` for completions that are none of the receive queue */
  seen(connection: Qp, state: ResponderState, wc: Wc, event: number): Compared | undefined;
  /** Whether one that is due must come, and so is missing. */
  misses(state: ResponderState, due: PendingCompletion): boolean;
  /** The rules about completions that nothing calls for. */
  undue(state: ResponderState): readonly Rule[];
}

type Inputs = Pick<RcResponderInputs, 'due' | 'wc' | 'inOrder' | 'came'>;

interface Judged {
  readonly wc: Wc;
  readonly due: PendingCompletion;
  readonly first: PendingCompletion;
}

/** What a completion shows that is not as a demand has it, by the demands that are made of those that are due. */
const textsOf = ofRule<(judged: Judged) => Difference>({
  mustCome: ({ wc }) => ({ expected: 'no receive completion', observed: describeWc(wc) }),
  mustOrder: ({ wc, first }) => ({
    expected: `completion of ${wqeText(first.wr)} first`,
    observed: `wr_id ${wc.wr_id}`,
  }),
  mustLength: ({ wc, due }) => lengthText(due.byteLen, wc),
  mustImmediate: ({ wc, due }) => ({
    expected: `${opcodeOf[due.opcode]}${immediateText(due.immediate)}`,
    observed: `${wc.opcode}${immediateText(wc.imm_data)}`,
  }),
  mustInvalidated: ({ wc, due }) => invalidatedText(due.invalidated, wc),
});
/** What is demanded of success alone. */
const ofSuccess: ReadonlySet<string> = new Set(['mustLength', 'mustImmediate', 'mustInvalidated']);

const nothing: Compared = { exercised: [], unmet: [] };
const none: Inputs['due'] = { kind: 'none', length: 0, opcode: 'receive' };

export function createReceiveCompletions(rules: RuleSet): ReceiveCompletions {
  const machine = responderMachine(rules);
  const table = new MachineTable(rules, machine, 'rc-responder-completion');
  const broken = (rule: Rule, key: string, inputs: Partial<Inputs>, state: ResponderState): boolean => {
    const [outcome = {}] = rule.outcomes;
    return machine.holds(key)(outcome, inputs, state) === false;
  };
  const rulesOf = (state: ResponderState, due?: PendingCompletion): readonly Rule[] =>
    due?.kind === 'fault'
      ? []
      : table.at({ due: due === undefined ? none : dueInputs(due, due.kind) }, state);

  function stray({ posted }: Qp, state: ResponderState, wc: Wc): Compared {
    const rule = rulesOf(state).find((one) => broken(one, 'mustCome', { came: true }, state));
    // the rules of flushes judge what RESET should have forgotten
    if (wc.status === 'IBV_WC_WR_FLUSH_ERR' && posted.isForgotten(wc.wr_id)) return nothing;
    const [expected, observed] = ['no receive completion', describeWc(wc)];
    return { exercised: [], unmet: rule === undefined ? [] : [{ rule, expected, observed }] };
  }

  function seen(connection: Qp, state: ResponderState, wc: Wc, event: number): Compared | undefined {
    if (!connection.posted.has(wc.wr_id)) return undefined;
    const open = connection.contested?.posted.openAt(wc.wr_id, event);
    const isOf = (c: PendingCompletion): boolean =>
      c.wr instanceof Unbound ? mayBe(c, open) : c.wr.wr_id === wc.wr_id;
    const [first] = state.completions;
    const due = state.completions.find(isOf);
    if (first === undefined || due === undefined) {
      const left = state.left.find((c) => isOf(c) && c.statuses.includes(wc.status));
      if (left === undefined) return stray(connection, state, wc);
      state.left = state.left.filter((c) => c !== left);
      return nothing;
    }
    const exercised = rulesOf(state, due);
    const unmet = due.kind === 'fault' ? [] : unmetOf(state, exercised, due.kind, { wc, due, first });
    if (!due.statuses.includes(wc.status))
      unmet.unshift({ rule: due.rule, expected: due.statuses.join(' or '), observed: describeWc(wc) });
    state.completions = state.completions.filter((c) => c !== due);
    if (due.wr instanceof Unbound && open !== undefined)
      bind(connection, state, due.wr, open, due.kind === 'message');
    return { exercised, unmet };
  }

  function unmetOf(
    state: ResponderState,
    rules: readonly Rule[],
    kind: Inputs['due']['kind'],
    judged: Judged,
  ): Unmet[] {
    const { wc, due, first } = judged;
    const received = kind === 'message' && wc.status === 'IBV_WC_SUCCESS';
    const inputs: Inputs = {
      due: dueInputs(due, kind),
      wc: { ...wc, kind: kindOf(wc.opcode) },
      inOrder: due === first,
      came: true,
    };
    return rules.flatMap((rule) =>
      textsOf(rule).flatMap(({ key, kept: text }): Unmet[] => {
        if ((ofSuccess.has(key) && !received) || !broken(rule, key, inputs, state)) return [];
        return [{ rule, ...text(judged) }];
      }),
    );
  }

  return {
    seen,
    undue: (state) => rulesOf(state),
    misses: (state, due) =>
      !due.optional &&
      (due.kind === 'fault' ||
        !rulesOf(state, due).some((rule) => broken(rule, 'mustCome', { came: true }, state))),
  };
}

function dueInputs(
  { byteLen, opcode, immediate, invalidated }: PendingCompletion,
  kind: Inputs['due']['kind'],
): Inputs['due'] {
  return { kind, length: byteLen, opcode, immediate, invalidated };
}

/** Whether a completion that is due, of one of the WQEs of an SRQ, may be that of the given one. */
function mayBe({ kind, byteLen, opcode }: PendingCompletion, wr: RecvWr | undefined): boolean {
  if (wr === undefined) return false;
  return kind !== 'message' || opcode !== 'receive' || totalLength(wr.sg_list) >= byteLen;
}

function describeWc(wc: Wc): string {
  return `completion of wr_id ${wc.wr_id} with ${wc.status}`;
}

function immediateText(value: number | undefined): string {
  return value === undefined ? ' without immediate data' : ` with immediate data 0x${value.toString(16)}`;
}
