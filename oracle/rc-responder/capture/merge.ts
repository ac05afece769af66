import type { PendingReply } from '../pending.ts';
import { PendingReplies } from '../pending-replies.ts';
import { replyKey, type ResponderState } from '../state.ts';

/** Pending responses beyond which a state is not worth it. */
const longest = 128;

/**
 * Fewer states in the place of many that a responder of a capture may be in: those that differ in pending responses alone
 * become one, to which all of these are pending and may stay away. It explains whatever one of them explains, and a little more.
 */
export function merged(states: Iterable<ResponderState>): ResponderState[] {
  const groups = new Map<string, ResponderState[]>();
  for (const state of states) {
    const key = state.keyWithoutReplies();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [state]);
    else group.push(state);
  }
  return [...groups.values()].flatMap(joined);
}

/** The first of them, likeliest, with what is pending in any; all as they are where that would be too much. */
function joined(states: readonly ResponderState[]): readonly ResponderState[] {
  const [first, ...others] = states;
  if (first === undefined || others.length === 0) return states;
  const all: Named[] = [];
  for (const { replies } of states) {
    take(all, replies);
    if (all.length > longest) return states;
  }
  const state = first.clone();
  state.replies = PendingReplies.of(all.map(({ reply }) => reply));
  return [state];
}

interface Named {
  name: string;
  reply: PendingReply;
}

/** Adds what is not there yet, so that these responses still follow each other in their order: a late request is answered late. */
function take(all: Named[], replies: PendingReplies): void {
  let at = 0;
  for (const pending of replies.list()) {
    const reply = pending.optional ? pending : { ...pending, optional: true };
    const name = `${reply.event}/${replyKey(reply)}`;
    const found = all.findIndex((other, index) => index >= at && other.name === name);
    if (found < 0) all.splice(at, 0, { name, reply });
    at = (found < 0 ? at : found) + 1;
  }
}
