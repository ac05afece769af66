import { encodeSyndrome, nakCodeByName } from '../../../spec/constants.ts';
import { outcomeWord, wordOnTheWay } from '../../rulebook/outcome.ts';
import type { Branch } from '../../rulebook/outcome.ts';
import type { ReplyMatch } from './match.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import type { PendingReply } from '../pending.ts';
import type { Rule } from '../../rules.ts';

type Mismatch = Extract<ReplyMatch, { kind: 'mismatch' }>;

const sequenceNak = encodeSyndrome('nak', nakCodeByName('psn-sequence-error'));

const decisionsKept = 2048;

interface Attributed {
  rule: Rule | undefined;
  /** the reply that was due in its place; `undefined` where there was none to send */
  item: PendingReply | undefined;
  /** the response is a NAK, and so is what was due */
  meant: boolean;
}

/**
 * Which rule an unexplained response breaks most likely. Keeps what was decided of the newest requests since
 * everything was last at rest; the verdict itself does not depend on it.
 */
export class RuleAttribution {
  #decided: { branch: Branch; event: number; psn: number | undefined }[] = [];
  #last: Branch | undefined;
  readonly #unasked: (seen: ObservedReply) => Rule | undefined;

  /** `unasked`: the rule that forbids a response for which no request calls. */
  constructor(unasked: (seen: ObservedReply) => Rule | undefined) {
    this.#unasked = unasked;
  }

  /** `psn`: of the request; `undefined` for a frame that has none. */
  decided(branch: Branch, event: number, psn: number | undefined): void {
    this.#last = branch;
    this.#decided.push({ branch, event, psn });
    if (this.#decided.length > 2 * decisionsKept) this.#decided = this.#decided.slice(-decisionsKept);
  }

  /** A packet came that no response answers: a frame just before it is less likely to be behind the next response. */
  passed(): void {
    while (this.#decided.length > 0 && this.#decided.at(-1)?.psn === undefined) this.#decided.pop();
  }

  /** A new window begins; the newest decision may still be the cause of what comes late. */
  forget(): void {
    if (this.#decided.length > 0) this.#decided = [];
  }

  /** Nothing that was decided counts any more. */
  forgetAll(): void {
    this.forget();
    this.#last = undefined;
  }

  violatedRule(seen: ObservedReply, mismatch: Mismatch, replies: readonly PendingReply[]): Attributed {
    const refused = seen.kind === 'fatal-nak' ? replies.find((item) => isRefused(item, seen)) : undefined;
    // a NAK in place of a NAK is that one gone wrong, but for one with the PSN of a request in front
    const meant = replies.find((item) => item === refused || isNakOf(item, seen));
    if (meant !== undefined && meant !== refused)
      return { rule: this.#binding(meant), item: meant, meant: true };
    if (refused !== undefined && !this.#isSilent(refused.psnTo))
      return { rule: this.#binding(refused), item: refused, meant: false };
    return { ...this.#otherwise(seen, mismatch, replies), meant: false };
  }

  #otherwise(
    seen: ObservedReply,
    { blocking, passed }: Mismatch,
    replies: readonly PendingReply[],
  ): Omit<Attributed, 'meant'> {
    const silent = this.#decided.findLast(({ branch, psn, event }) => {
      if (outcomeWord(branch.outcome, 'reply') !== 'none') return false;
      if (psn === undefined) return blocking === undefined;
      if (seen.kind === 'sequence-nak') return wordOnTheWay(branch, 'copy') === undefined;
      return psn === seen.psn && blocking?.psnFrom !== seen.psn && event < (blocking?.event ?? Infinity);
    });
    if (silent !== undefined) return { rule: mustOf(silent.branch.rule, silent.branch), item: undefined };
    const near = replies.findLast((item) => isLike(item, seen));
    const owed =
      seen.kind === 'ack' && passed !== undefined && blocking?.kind !== 'ack' ? passed : (blocking ?? near);
    if (owed !== undefined) return { rule: this.#binding(owed), item: owed };
    // with nothing to answer, or nothing ahead, no request is behind it
    const nothingAhead =
      seen.kind === 'sequence-nak' && outcomeWord(this.#last?.outcome ?? {}, 'expectedPsn') === 'advance';
    if (this.#decided.length === 0 || nothingAhead) return { rule: this.#unasked(seen), item: undefined };
    return { rule: this.#last && mustOf(this.#last.rule, this.#last), item: undefined };
  }

  /** Whether the newest request with this PSN calls for no response. */
  #isSilent(of: number): boolean {
    const newest = this.#decided.findLast(({ psn }) => psn === of);
    return newest !== undefined && outcomeWord(newest.branch.outcome, 'reply') === 'none';
  }

  #binding(item: PendingReply): Rule {
    const decision = this.#decided.find(({ event }) => event === item.event);
    return mustOf(item.rule, decision?.branch);
  }
}

function isLike(item: PendingReply, seen: ObservedReply): boolean {
  switch (item.kind) {
    case 'ack':
      return seen.kind === 'ack';
    case 'nak':
    case 'rnr-nak':
      return isNakOf(item, seen);
    case 'read':
      return seen.kind === 'read-response' || seen.kind === 'read-middle';
    case 'atomic':
      return seen.kind === 'atomic-ack';
  }
}

/** The NAK has the PSN of a request that was to be acknowledged. */
function isRefused(item: PendingReply, seen: ObservedReply): boolean {
  return item.kind === 'ack' && !item.repeat && !item.duplicate && item.psnTo === seen.psn;
}

function isNakOf(item: PendingReply, seen: ObservedReply): boolean {
  switch (seen.kind) {
    case 'sequence-nak':
    case 'fatal-nak':
      return item.kind === 'nak' && (item.syndrome === sequenceNak) === (seen.kind === 'sequence-nak');
    case 'rnr-nak':
      return item.kind === 'rnr-nak';
    case 'ack':
    case 'read-response':
    case 'read-middle':
    case 'atomic-ack':
      return false;
  }
}

/** What no rule allows is no choice: of a MAY rule, the nearest rule on the way to it that binds. */
function mustOf(rule: Rule, branch: Branch | undefined): Rule {
  if (rule.level !== 'may') return rule;
  return branch?.rules.findLast((r) => r.level === 'must') ?? rule;
}
