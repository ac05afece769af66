import type { Wc } from '../../spec/verbs.ts';
import type { Rule } from '../rules.ts';
import { exhaustionBy, failOldest } from './retransmission/exhaustion.ts';
import { RequesterEvent } from './inputs.ts';
import { spoilWork } from './responses/memory.ts';
import type { Finding, Requester } from './requester.ts';
import { expiryOf, nameOf, oldest } from './requester.ts';
import { leastLeft, retryRule } from './retransmission/retry.ts';
import type { RequesterState } from './state.ts';
import { onlyRule } from './tables.ts';
import type { RequesterTables } from './tables.ts';
import { completionOpcode } from '../device/queues/send-queue.ts';
import type { WorkItem } from '../device/queues/send-queue.ts';

/** What the rules say to a send completion. */
export interface Completed {
  rules: readonly Rule[];
  unmet: readonly Finding[];
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
  const look = { wc, item, state, requester };
  const event = new RequesterEvent(requester, state, t, { work: item });
  if (item === undefined) return judged(tables, event, look);
  const before: Rule[] = [];
  if (wc.status !== 'IBV_WC_SUCCESS' && wc.status !== 'IBV_WC_WR_FLUSH_ERR' && state.failure === undefined) {
    if (notPlaced(item, wc)) takeBack(requester, state, item);
    const denied = giveUp(requester, tables, state, wc, t, before);
    if (denied !== undefined)
      return { rules: before, unmet: [{ rule: denied, ...words(wc, item, 'no failure yet') }] };
  }
  const result = judged(tables, event, look);
  state.machine.steps.completed(event, state);
  return { rules: [...before, ...result.rules], unmet: result.unmet };
}

/** What was acknowledged from this work request on, in part too, has failed with it, and nothing is known of what answers brought. */
function takeBack(requester: Requester, state: RequesterState, { index }: WorkItem): void {
  for (const item of requester.work.between(index, state.head + 1)) spoilWork(requester, state, item);
  state.head = Math.min(state.head, index);
}

/** The answer had come, and what it brought could not be placed: software may hear of it long after. */
function notPlaced({ kind }: WorkItem, { status }: Wc): boolean {
  return (kind === 'read' || kind === 'atomic') && status.startsWith('IBV_WC_LOC_');
}

/**
 * A work request fails that no NAK has failed: by its timer, if that may be. Gives the rule against it; local errors of the
 * requester, which the rules of the verbs decide on, are taken as they come.
 */
function giveUp(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  wc: Wc,
  t: number,
  rules: Rule[],
): Rule | undefined {
  const item = oldest(requester, state);
  if (item === undefined || state.qpState === 'ERR') return undefined;
  if (wc.status.startsWith('IBV_WC_LOC_')) {
    failOldest(requester, state, { statuses: [wc.status], rule: undefined, event: item.event });
    return undefined;
  }
  if (wc.status === 'IBV_WC_RETRY_EXC_ERR') {
    const end = exhaustionBy(requester, tables, state, t);
    if (end !== undefined) {
      rules.push(...end.rules);
      end.apply(state);
      return undefined;
    }
    const timer = onlyRule(tables.timer.at(new RequesterEvent(requester, state, t), state));
    rules.push(timer);
    if (expiryOf(timer) === 'forbidden') return timer;
  }
  const cause = wc.status === 'IBV_WC_RNR_RETRY_EXC_ERR' ? 'rnr-nak' : 'timeout';
  const event = new RequesterEvent(requester, state, t, { cause });
  return retryRule(tables, event, state, {
    retryLeft: leastLeft('retryLeft', event, state),
    rnrLeft: leastLeft('rnrLeft', event, state),
  });
}

interface Look {
  wc: Wc;
  item: WorkItem | undefined;
  state: RequesterState;
  requester: Requester;
}

function words(wc: Wc, item: WorkItem | undefined, expected: string): Omit<Finding, 'rule'> {
  return { expected: `${expected} for ${nameOf(item)}`, observed: `${wc.status} for wr_id ${wc.wr_id}` };
}

function judged(tables: RequesterTables, event: RequesterEvent, look: Look): Completed {
  const rules = tables.completion.at(event, look.state);
  const unmet = rules.flatMap((rule): Finding[] => {
    const outcome = rule.outcomes[0] ?? {};
    return Object.entries(outcome).flatMap(([key, word]) => {
      const failed = typeof word === 'string' ? against(key, word, look) : undefined;
      return failed === undefined ? [] : [{ rule, ...failed }];
    });
  });
  return { rules, unmet };
}

function against(key: string, word: string, look: Look): Omit<Finding, 'rule'> | undefined {
  const { wc, item, state, requester } = look;
  switch (key) {
    case 'mustCome':
      return word === 'never' ? words(wc, item, 'no completion') : undefined;
    case 'mustStatus': {
      const allowed =
        word === 'success'
          ? ['IBV_WC_SUCCESS']
          : word === 'flush'
            ? ['IBV_WC_WR_FLUSH_ERR']
            : word === 'failure'
              ? (state.failure?.statuses ?? [])
              : [wc.status];
      return allowed.includes(wc.status) ? undefined : words(wc, item, allowed.join(' or '));
    }
    case 'mustOrder': {
      if (word !== 'posting' || item === undefined) return undefined;
      const skipped = [...requester.work.between(state.reported, item.index)].find((other) => {
        const event = new RequesterEvent(requester, state, 0, { work: other });
        return state.machine.workState(event, state) !== 'unsignaled';
      });
      return skipped === undefined ? undefined : words(wc, skipped, 'the completion');
    }
    case 'mustOpcodeOf': {
      if (word !== 'request' || item === undefined || wc.status !== 'IBV_WC_SUCCESS') return undefined;
      const opcode = completionOpcode(item);
      if (wc.opcode !== undefined && wc.opcode !== opcode) return { expected: opcode, observed: wc.opcode };
      const bytes = item.kind === 'atomic' ? 8 : item.length;
      const counts = item.kind === 'read' || item.kind === 'atomic';
      if (!counts || wc.byte_len === undefined || wc.byte_len === bytes) return undefined;
      return { expected: `byte_len ${bytes}`, observed: `byte_len ${wc.byte_len}` };
    }
    default:
      return undefined;
  }
}
