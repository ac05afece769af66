import { psnDiff } from '../../wire/psn.ts';
import type { RuleSet } from '../rules.ts';
import { arrivalOver, migrationTables } from '../path-migration/tables.ts';
import { lookupOf } from '../rulebook/lookup.ts';
import { outcomeWord, ruleThatSays, wordOnTheWay } from '../rulebook/outcome.ts';
import type { Branch } from '../rulebook/outcome.ts';
import { createFaults } from './software/fault.ts';
import type { Faults } from './software/fault.ts';
import { responderMachine } from './machine.ts';
import { isRepeat, replyOf, replyToFrame } from './responses/reply.ts';
import type { PendingReply } from './pending.ts';
import { PendingReplies } from './pending-replies.ts';
import type { RequestView } from './request.ts';
import type { ResponderState } from './state.ts';
import type { RcResponderInputs } from './variables.ts';
import { invalidate } from './words/invalidation.ts';
import { atomicValue, markNamed, modify, writePayload } from './words/memory.ts';
import { completeReceive, holdReceive } from './words/receive-queue.ts';
import { noteExecuted } from './words/record.ts';

/** Carries out what the rules say about requests. */
export interface Effects extends Faults {
  /** Moves `request.state` by one branch of the rules. `event` is the index of the request in the trace. */
  apply(request: RequestView, branch: Branch, event: number): void;
  /** What a frame that is no packet calls for. */
  frame(state: ResponderState, branch: Branch, event: number): void;
}

export function createEffects(rules: RuleSet): Effects {
  const paths = migrationTables(rules);
  const machine = responderMachine(rules);
  const faults = createFaults(rules);
  const offset = machine.number('offset');
  const psns = machine.number('psns');
  const completions = lookupOf(rules, 'rc-responder-completion');
  const completed = ruleThatSays(completions({ consumedBy: 'message' }), 'mustCome');

  function apply(request: RequestView, branch: Branch, event: number): void {
    const { state, packet, opcode } = request;
    const { outcome } = branch;
    for (const rule of branch.rules)
      if (rule !== branch.rule) machine.machine.apply(rule.outcomes[0] ?? {}, request, state);
    if (state.migration.loaded && wordOnTheWay(branch, 'packet') === 'taken') applyPath(request);
    const accepted = outcomeWord(outcome, 'expectedPsn') === 'advance';
    const pending = outcomeWord(outcome, 'pendingReplies');
    // in a capture, all of them may have been lost
    if (pending === 'release' && request.qp.atDevice)
      giveUp(state, ({ psnTo }) => psnDiff(psnTo, packet.psn) >= 0);
    const found = opcode.family === 'atomic' ? atomicValue(request) : undefined;
    const reply = replyOf(request, branch, event, found);
    const { established } = state;
    touchMemory(request, branch, found);
    const before = { rqHead: state.rqHead, offset: offset(request, state) };
    machine.machine.apply(outcome, request, state);
    if (accepted) holdReceive(request, outcome, before);
    if (state.established === 'due' && established !== 'due') state.establishedBy = event;
    if (reply !== undefined) {
      reply.msn = state.msn;
      state.replies = state.replies.with(reply);
    }
    if (accepted) {
      completeReceive(request, outcome, completed, event);
      invalidate(request, outcome);
      noteExecuted(request, psns(request, state), found);
    }
    const fault = outcomeWord(outcome, 'fault');
    // no NAK covers what came before, and a QP in ERR sends nothing
    if (fault !== undefined && reply === undefined) giveUp(state, () => true);
    if (fault !== undefined) faults.fatal(request, fault as RcResponderInputs['fault'], event);
  }

  /** A packet with a sound header may move the QP to its alternate path; what it calls for goes there already. */
  function applyPath({ qp, state, packet }: RequestView): void {
    const { move } = arrivalOver(paths, qp, state.migration, packet);
    if (move !== undefined) state.migration = state.migration.moved(move).settled;
  }

  function frame(state: ResponderState, branch: Branch, event: number): void {
    const reply = replyToFrame(state, branch, event);
    if (reply !== undefined) state.replies = state.replies.with(reply);
  }

  return { apply, frame, ...faults };
}

/** What the request does to memory. `found`: the value that an ATOMIC finds. */
function touchMemory(request: RequestView, branch: Branch, found: bigint | undefined): void {
  const { outcome } = branch;
  const accepted = outcomeWord(outcome, 'expectedPsn') === 'advance';
  switch (outcomeWord(outcome, 'memory') ?? 'untouched') {
    case 'write':
      return writePayload(request);
    case 'modify':
      return modify(request, found);
    case 'undefined':
      return markNamed(request, 'undefined');
    case 'untouched':
      if (!accepted) markNamed(request, isRepeat(branch) ? 'repeated' : 'refused');
  }
}

/** Replies of which `which` is true need not come any more. */
function giveUp(state: ResponderState, which: (reply: PendingReply) => boolean): void {
  const given = (reply: PendingReply): boolean => !reply.optional && which(reply);
  const replies = state.replies.list();
  if (!replies.some(given)) return;
  state.replies = PendingReplies.of(replies.map((r) => (given(r) ? { ...r, optional: true } : r)));
}
