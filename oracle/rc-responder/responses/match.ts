import { psnDiff } from '../../../wire/psn.ts';
import { leavesChoice } from '../../rulebook/choices.ts';
import { choiceWord } from '../../device/packet/observed-reply.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import type { PendingRead, PendingReply } from '../pending.ts';
import { PendingReplies } from '../pending-replies.ts';
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
        const behind = goesOnWith(replies, i, item);
        const front = after === 'done' ? behind : [after, ...behind];
        return { kind: 'match', item, rest: mergedWith(replies.replaced(i + 1, front), item, after) };
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
 * What was passed over by the answer to a request that came again, and lies behind it: a responder that goes back to that request may go on
 * from there, or where it was.
 */
function goesOnWith(replies: PendingReplies, place: number, { repeat, psnTo }: PendingReply): PendingReply[] {
  if (!repeat) return [];
  const behind: PendingReply[] = [];
  for (let i = 0; i < place; i++) {
    const passed = replies.at(i);
    if (passed === undefined || psnDiff(passed.psnTo, psnTo) <= 0) continue;
    behind.push(passed);
    if (passed.read !== undefined && passed.read.index > 0)
      behind.push({ ...passed, read: { ...passed.read, index: 0 } });
  }
  return behind;
}

/** What is left once an answer has come, or its first part: where it had not begun when the same was asked for again, it answers both. */
function mergedWith(rest: PendingReplies, item: PendingReply, after: 'done' | PendingReply): PendingReplies {
  const begins = (item.read?.index ?? 0) === 0;
  const both = (other: PendingReply): boolean =>
    other.merges === item.event || (begins && other !== item && isSame(other, item));
  if (rest.findLast(both) === undefined) return rest;
  const change = after === 'done' ? { optional: true } : { merges: item.event };
  return PendingReplies.of(rest.list().map((other) => (both(other) ? { ...other, ...change } : other)));
}

/** Whether one asks for the same READ or ATOMIC as the other did before. */
function isSame(one: PendingReply, other: PendingReply): boolean {
  return (
    one.repeat &&
    one.event > other.event &&
    one.kind === other.kind &&
    one.psnFrom === other.psnFrom &&
    one.psnTo === other.psnTo &&
    one.read?.length === other.read?.length
  );
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
  if (!machine.readFits(inputs, state)) return undefined;
  if (machine.readEnds(inputs, state)) return read.readable === undefined ? 'done' : undefined;
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
  if (item !== undefined) state.looked = Math.max(state.looked, item.event);
  if (item !== undefined && leavesChoice(item.rule) && (item.read?.index ?? 0) === 0)
    state.choices = { rule: item.rule, what: choiceWord(seen), previous: state.choices };
  const answered = new Answered(state, seen, item);
  state.machine.responded({ reply: seen, seenAt: t, answered }, state);
}
