import type { Wc } from '../../spec/verbs.ts';
import type { Rule } from '../rules.ts';
import { exhaustionBy, failOldest } from './retransmission/exhaustion.ts';
import { RequesterEvent } from './inputs.ts';
import { openWork } from './responses/memory.ts';
import type { Finding, Requester } from './requester.ts';
import { expiryOf, nameOf, oldest } from './requester.ts';
import { leastLeft, retryRule } from './retransmission/retry.ts';
import type { RequesterState } from './state.ts';
import { onlyRule } from './tables.ts';
import type { RequesterTables } from './tables.ts';
import { completionOpcode } from '../device/queues/send-queue.ts';
import type { WorkItem } from '../device/queues/send-queue.ts';
import { ofRule } from '../rulebook/outcome.ts';

/** What the rules say to a send completion. */
export interface Completed {
  rules: readonly Rule[];
  unmet: readonly Finding[];
}

/** A completion, and the work request that it names. */
interface Look {
  requester: Requester;
  tables: RequesterTables;
  state: RequesterState;
  wc: Wc;
  t: number;
  item: WorkItem | undefined;
}

/** Holds a send completion against the state, and moves the state on. */
export function completeSend(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  wc: Wc,
  t: number,
): Completed {
  const item = [...requester.work.between(state.reported, state.tail)].find((i) => i.wr.wr_id === wc.wr_id);
  const look: Look = { requester, tables, state, wc, t, item };
  if (item === undefined) return judged(look, undefined);
  const { machine } = state;
  const before: Rule[] = [];
  const event = new RequesterEvent(requester, state, t, { work: item, completion: { wc, overtakes: false } });
  if (machine.reportsFailure(event, state)) {
    if (machine.answerUnplaced(event, state)) takeBack(requester, state, item);
    const denied = giveUp(look, event, before);
    if (denied !== undefined)
      return { rules: before, unmet: [{ rule: denied, ...words(look, 'no failure yet') }] };
  }
  const skipped = overtaken(requester, state, item);
  const result = judged(look, skipped);
  machine.steps.completed(event, state);
  return { rules: [...before, ...result.rules], unmet: result.unmet };
}

/** What was acknowledged from this work request on, in part too, has failed with it, and nothing is known of what answers brought. */
function takeBack(requester: Requester, state: RequesterState, { index }: WorkItem): void {
  for (const item of requester.work.between(index, state.head + 1)) openWork(requester, state, item);
  state.head = Math.min(state.head, index);
}

/**
 * A work request fails that no NAK has failed: by its timer, if that may be. Gives the rule against it; local errors of the
 * requester, which the rules of the verbs decide on, are taken as they come.
 */
function giveUp(
  { requester, tables, state, wc, t }: Look,
  seen: RequesterEvent,
  rules: Rule[],
): Rule | undefined {
  const { machine } = state;
  const item = oldest(requester, state);
  if (item === undefined || !machine.mayFail({}, state)) return undefined;
  const failsBy = machine.failsBy(seen, state);
  if (failsBy === 'local') {
    failOldest(requester, state, { statuses: [wc.status], rule: undefined, event: item.event });
    return undefined;
  }
  if (failsBy === 'timer') {
    const end = exhaustionBy(requester, tables, state, t);
    if (end !== undefined) {
      rules.push(...end.rules);
      end.apply(state);
      return undefined;
    }
    const timer = onlyRule(tables.timer.at(seen, state));
    rules.push(timer);
    if (expiryOf(timer) === 'forbidden') return timer;
  }
  const cause = machine.givenUpFor(seen, state) === 'rnr-nak' ? 'rnr-nak' : 'timeout';
  const event = new RequesterEvent(requester, state, t, { cause });
  return retryRule(tables, event, state, {
    retryLeft: leastLeft('retryLeft', event, state),
    rnrLeft: leastLeft('rnrLeft', event, state),
  });
}

/** The first work request that was posted before this one, must complete and has not. */
function overtaken(requester: Requester, state: RequesterState, { index }: WorkItem): WorkItem | undefined {
  return [...requester.work.between(state.reported, index)].find((other) => {
    const event = new RequesterEvent(requester, state, 0, { work: other });
    return state.machine.workState(event, state) !== 'unsignaled';
  });
}

type Words = Omit<Finding, 'rule'>;

function words({ wc, item }: Look, expected: string, of = item): Words {
  return { expected: `${expected} for ${nameOf(of)}`, observed: `${wc.status} for wr_id ${wc.wr_id}` };
}

/** Statuses that a rule demands of a completion (`mustStatus`). */
export function statusesOf(word: string | undefined, { failure }: RequesterState): readonly string[] {
  if (word === 'failure') return failure?.statuses ?? [];
  return [word === 'flush' ? 'IBV_WC_WR_FLUSH_ERR' : 'IBV_WC_SUCCESS'];
}

/** What a completion shows that is not as a demand has it; `skipped`: the first work request that it overtakes. */
const described = ofRule<(look: Look, word: string, skipped: WorkItem | undefined) => Words>({
  mustCome: (look) => words(look, 'no completion'),
  mustStatus: (look, word) => words(look, statusesOf(word, look.state).join(' or ')),
  mustOrder: (look, _, skipped) => words(look, 'the completion', skipped),
  mustOpcodeOf: ({ requester, state, wc, t, item }) => {
    const opcode = item && completionOpcode(item);
    if (wc.opcode !== undefined && opcode !== undefined && wc.opcode !== opcode)
      return { expected: opcode, observed: wc.opcode };
    const bytes = state.machine.brought(new RequesterEvent(requester, state, t, { work: item }), state);
    return { expected: `byte_len ${bytes}`, observed: `byte_len ${wc.byte_len}` };
  },
});

function judged(look: Look, skipped: WorkItem | undefined): Completed {
  const { requester, tables, state, wc, t, item } = look;
  const completion = { wc, overtakes: skipped !== undefined };
  const event = new RequesterEvent(requester, state, t, { work: item, completion });
  const rules = tables.completion.at(event, state);
  const unmet = rules.flatMap((rule) =>
    described(rule)
      .filter(({ key }) => state.machine.holds(key)(rule.outcomes[0] ?? {}, event, state) === false)
      .map(({ word, kept }): Finding => ({ rule, ...kept(look, word, skipped) })),
  );
  return { rules, unmet };
}
