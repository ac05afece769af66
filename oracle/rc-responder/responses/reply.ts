import { encodeSyndrome, nakCodeByName } from '../../../spec/constants.ts';
import { psnAdd } from '../../../wire/psn.ts';
import { offsetIn } from '../../device/memory.ts';
import type { RequestView } from '../request.ts';
import { grantingRegion } from '../words/access.ts';
import { recordOf } from '../words/record.ts';
import type { PendingReply } from '../pending.ts';
import type { ResponderState } from '../state.ts';
import { outcomeWord, wordOnTheWay } from '../../rulebook/outcome.ts';
import type { Branch } from '../../rulebook/outcome.ts';

/**
 * The reply that a branch of the rules calls for, before `state` moves past the request: `msn` is still that of before.
 * `found`: the value that an ATOMIC finds.
 */
export function replyOf(
  request: RequestView,
  branch: Branch,
  event: number,
  found: bigint | undefined,
): PendingReply | undefined {
  const { qp, state, packet } = request;
  const { outcome, rule } = branch;
  const kind = outcomeWord(outcome, 'reply');
  if (kind === undefined || kind === 'none') return undefined;
  const { machine } = state;
  const where = outcomeWord(outcome, 'replyPsn');
  const newest = machine.newestPsn(request, state);
  // of a capture that begins midway, any
  const expected = state.ePsn < 0 && !qp.atDevice ? -1 : psnAdd(newest, 1);
  const psnFrom = where === 'expected' ? expected : packet.psn;
  const psnTo = where === 'request-to-newest' ? newest : psnFrom;
  const repeat = isRepeat(branch);
  const recorded = repeat ? recordOf(state, packet)?.msn : undefined;
  const reply: PendingReply = {
    kind: 'ack',
    rule,
    event,
    optional: outcomeWord(outcome, 'due') === 'optional' || !qp.atDevice,
    repeat,
    duplicate: where === 'request-to-newest',
    psnFrom,
    psnTo,
    syndrome: 0,
    merges: undefined,
    msnBefore: recorded ?? state.msn,
    msn: state.msn,
    rqHead: state.rqHead,
    migration: state.migration,
    read: undefined,
    atomic: undefined,
  };
  switch (kind) {
    case 'ack':
      return reply;
    case 'nak':
      reply.kind = 'nak';
      reply.syndrome = nakSyndrome(outcome);
      return reply;
    case 'rnr-nak': {
      const timer = outcomeWord(outcome, 'rnrTimer') === 'configured' ? qp.minRnrTimer : undefined;
      reply.kind = 'rnr-nak';
      reply.syndrome = timer === undefined ? -1 : encodeSyndrome('rnr-nak', timer);
      return reply;
    }
    case 'read-then-nak':
    case 'read-response': {
      const fails = kind === 'read-then-nak';
      const { reth } = request;
      const length = reth?.dmaLen ?? 0;
      const right = 'IBV_ACCESS_REMOTE_READ';
      const region = reth && grantingRegion(request, { right, ...reth }, fails ? 1 : length);
      const count = machine.number('readResponses')(request, state);
      reply.kind = 'read';
      reply.psnTo = count < 0 ? packet.psn : psnAdd(packet.psn, count - 1);
      const offset = region && reth ? offsetIn(region, reth.va) : 0;
      const readableBytes = region === undefined ? -1 : region.length - offset;
      const whole = machine.number('readableResponses')({ readableBytes }, state);
      const readable = !fails ? undefined : whole < 0 ? Number.MAX_SAFE_INTEGER : whole;
      if (fails) reply.syndrome = nakSyndrome(outcome);
      reply.read = { index: 0, count, length, region, offset, readable, memory: state.memory };
      return reply;
    }
    case 'atomic-ack': {
      const again = outcomeWord(outcome, 'value') === 'recorded';
      reply.kind = 'atomic';
      reply.atomic = { value: again ? recordOf(state, packet)?.value : found };
      return reply;
    }
    default:
      throw new RangeError(`the oracle does not know the reply ${kind}`);
  }
}

/** The request asks again for what it, or one before it, has asked. */
export function isRepeat(branch: Branch): boolean {
  return wordOnTheWay(branch, 'copy') === 'repeat';
}

function nakSyndrome(outcome: Branch['outcome']): number {
  return encodeSyndrome('nak', nakCodeByName(outcomeWord(outcome, 'nakCode')));
}

/** The reply that a frame without a PSN calls for, if rules say that one is due; any Acknowledge of the expected PSN is it. */
export function replyToFrame(state: ResponderState, branch: Branch, event: number): PendingReply | undefined {
  if ((outcomeWord(branch.outcome, 'reply') ?? 'none') === 'none') return undefined;
  const { ePsn: psn, msn, rqHead, migration } = state;
  return {
    kind: 'ack',
    rule: branch.rule,
    event,
    optional: outcomeWord(branch.outcome, 'due') === 'optional',
    repeat: false,
    duplicate: false,
    psnFrom: psn,
    psnTo: psn,
    syndrome: 0,
    merges: undefined,
    msnBefore: msn,
    msn,
    rqHead,
    migration,
    read: undefined,
    atomic: undefined,
  };
}
