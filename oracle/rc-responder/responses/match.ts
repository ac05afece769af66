import { psnDiff } from '../../../wire/psn.ts';
import { leavesChoice } from '../../rulebook/choices.ts';
import { choiceWord } from '../../device/packet/observed-reply.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import type { PendingRead, PendingReply } from '../pending.ts';
import type { PendingReplies } from '../pending-replies.ts';
import type { ResponderState } from '../state.ts';
import { Answered, coversPsn } from './seen-reply.ts';

/** How a response fits what is pending. */
export type ReplyMatch =
  /** `item` is answered; `rest` stays pending. `item` is `undefined` for a repeated Acknowledge of the newest PSN. */
  | { kind: 'match'; item: PendingReply | undefined; rest: PendingReplies }
  /**
   * Nothing pending explains it. `blocking` is the reply that had to come first; `passed` the newest Acknowledge still
   * owed whose PSN lies before that of the response.
   */
  | { kind: 'mismatch'; blocking: PendingReply | undefined; passed: PendingReply | undefined };

/**
 * Finds the pending reply that a response answers. Responses come in PSN order; a response acknowledges every earlier
 * request, so pending Acknowledges before it are covered (coalescing), while READ and ATOMIC answers may not be passed.
 * `lossy`: responses may have been lost before they were seen. `from`: those before are taken as lost.
 */
export function matchReply(state: ResponderState, seen: ObservedReply, lossy: boolean, from = 0): ReplyMatch {
  const { replies } = state;
  let first = -1;
  let last = -1;
  let blocking: PendingReply | undefined;
  let passed: PendingReply | undefined;
  for (let i = from; i < replies.length; i++) {
    const item = replies.at(i);
    if (item === undefined) break;
    if (item.kind === 'ack') {
      if (seen.kind === 'ack' && coversPsn(item, seen.psn)) {
        if (first < 0) first = i;
        last = i;
      } else if (psnDiff(seen.psn, item.psnTo) < (seen.kind === 'ack' ? 0 : 1)) {
        if (item.optional) continue;
        blocking = item;
        break;
      } else if (!item.optional) passed = item;
      continue;
    }
    if (seen.kind !== 'ack') {
      const after = answers(state, item, seen, lossy);
      if (after !== undefined) {
        const rest = replies.replaced(i + 1, after === 'done' ? [] : [after]);
        return { kind: 'match', item, rest };
      }
    }
    if (item.optional) continue;
    blocking = item;
    break;
  }
  if (first >= 0) {
    // those that the same PSN would answer may have been answered with it, or may still be
    const others: PendingReply[] = [];
    for (let i = first + 1; i <= last; i++) {
      const item = replies.at(i);
      if (item !== undefined) others.push(item.optional ? item : { ...item, optional: true });
    }
    return { kind: 'match', item: replies.at(first), rest: replies.replaced(last + 1, others) };
  }
  if (seen.kind === 'ack' && seen.psn === state.lastAck)
    return { kind: 'match', item: undefined, rest: replies };
  return { kind: 'mismatch', blocking, passed };
}

/**
 * How a response of a capture answers what was asked for again, where the answers of the first time were lost before they were seen;
 * `undefined` where it does not.
 */
export function matchRepeat(
  state: ResponderState,
  seen: ObservedReply,
): Extract<ReplyMatch, { kind: 'match' }> | undefined {
  if (seen.kind !== 'atomic-ack' && seen.kind !== 'read-response' && seen.kind !== 'read-middle')
    return undefined;
  const from = state.replies.firstRepeat;
  if (from <= 0) return undefined;
  const match = matchReply(state, seen, true, from);
  return match.kind === 'match' ? match : undefined;
}

/** `done` if the response answers the item whole, the item as it goes on if it is one of several, else `undefined`. */
function answers(
  state: ResponderState,
  item: PendingReply,
  seen: ObservedReply,
  lossy: boolean,
): 'done' | PendingReply | undefined {
  switch (seen.kind) {
    case 'ack':
      return undefined;
    case 'sequence-nak':
    case 'fatal-nak':
      if (item.kind === 'read' && item.read?.readable !== undefined)
        return seen.syndrome === item.syndrome && replaced(item.read, psnDiff(seen.psn, item.psnFrom), lossy)
          ? 'done'
          : undefined;
      return item.kind === 'nak' &&
        item.syndrome === seen.syndrome &&
        (item.psnFrom === seen.psn || item.psnFrom < 0)
        ? 'done'
        : undefined;
    case 'rnr-nak':
      return item.kind === 'rnr-nak' &&
        (item.syndrome < 0 || item.syndrome === seen.syndrome) &&
        item.psnFrom === seen.psn
        ? 'done'
        : undefined;
    case 'atomic-ack':
      return item.kind === 'atomic' && item.psnFrom === seen.psn ? 'done' : undefined;
    case 'read-response':
    case 'read-middle':
      return item.kind === 'read' && item.read ? readAnswer(state, item, item.read, seen, lossy) : undefined;
  }
}

/** Whether a NAK may take the place of response `index`. */
function replaced({ index: next, readable = 0 }: PendingRead, index: number, lossy: boolean): boolean {
  return lossy ? index >= next && index <= readable : index === next;
}

function readAnswer(
  state: ResponderState,
  item: PendingReply,
  read: PendingRead,
  seen: ObservedReply,
  lossy: boolean,
): 'done' | PendingReply | undefined {
  const index = psnDiff(seen.psn, item.psnFrom);
  const inOrder = lossy ? index >= read.index : index === read.index;
  if (read.readable !== undefined && index >= read.readable) return undefined;
  if (!inOrder || (read.count >= 0 && index >= read.count)) return undefined;
  const { machine } = state;
  const inputs = {
    reply: seen,
    packet: seen.packet,
    readIndex: index,
    answered: new Answered(state, seen, item),
  };
  if (!machine.flag('readFits')(inputs, state)) return undefined;
  if (machine.flag('readEnds')(inputs, state)) return read.readable === undefined ? 'done' : undefined;
  return { ...item, read: { ...read, index: index + 1 } };
}

/** Moves the state by a response that fits, seen at `t`. The first positive response of a capture tells the MSN. */
export function acceptReply(
  state: ResponderState,
  { seen, t }: { readonly seen: ObservedReply; readonly t: number },
  match: Extract<ReplyMatch, { kind: 'match' }>,
): void {
  const { item } = match;
  state.replies = match.rest;
  if (item !== undefined && leavesChoice(item.rule) && (item.read?.index ?? 0) === 0)
    state.choices = { rule: item.rule, what: choiceWord(seen), previous: state.choices };
  const answered = new Answered(state, seen, item);
  state.machine.step('responded')({ reply: seen, seenAt: t, answered }, state);
}
