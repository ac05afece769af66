import type { ReplyEntry } from '../../rc-responder/capture/doubts.ts';
import { ResponderJudge } from '../../rc-responder/judge.ts';
import { PendingReplies } from '../../rc-responder/pending-replies.ts';
import type { ResponderRules } from '../../rc-responder/rules.ts';
import type { ResponderState } from '../../rc-responder/state.ts';
import { Ledger } from '../../rulebook/ledger.ts';
import type { Reached } from './ordered-run.ts';

interface Known {
  /** the judge of lossy captures */
  readonly lossy: ResponderJudge;
  readonly rules: ResponderRules;
  /** path MTU in bytes; 0: not known */
  readonly mtu: number;
}

/**
 * The state of a responder behind a message, by what the message and its answer say alone; `undefined` where that is not certain. How many messages
 * the answer to a READ counts is unknown, as READs behind it may be counted early.
 */
export function stateBehind(
  { message }: Reached,
  answer: ReplyEntry,
  { lossy, rules, mtu }: Known,
): ResponderState | undefined {
  // of what it finds nothing counts
  const alone = new ResponderJudge(lossy.connection, rules, new Ledger(0));
  alone.startUnknown();
  const { pmtu } = lossy.state;
  alone.state.pmtu = pmtu < 0 && mtu > 0 ? mtu : pmtu;
  for (const entry of message) alone.push(entry);
  if (answer.seen.kind !== 'read-response') {
    alone.push(answer);
    return alone.settledState;
  }
  const state = alone.state.clone();
  state.replies = PendingReplies.none;
  return state.ePsn < 0 ? undefined : state;
}
