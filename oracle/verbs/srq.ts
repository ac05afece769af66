import { outcomeWord, ruleWord } from '../rulebook/outcome.ts';
import type { KnownSrq } from './objects.ts';
import type { SrqAttr } from '../../spec/verbs.ts';
import type { SrqChange } from '../device/listener.ts';
import type { When } from '../spot.ts';
import type { VerbsContext } from './context.ts';
import { least } from './posting.ts';

/** Judges the limits of SRQs, their event, and the calls that set and ask for them. */
export class SrqJudge {
  readonly #context: VerbsContext;
  /** IBV_DEVICE_SRQ_RESIZE, as the device says or its profile does */
  #resize: boolean | undefined;

  constructor(context: VerbsContext) {
    this.#context = context;
    this.#resize = context.capabilities?.has('srq-resize');
  }

  device(resize: boolean | undefined): void {
    this.#resize = resize ?? this.#resize;
  }

  modify(srq: KnownSrq, attr: SrqChange, when: When, errno: number | undefined): void {
    const { max_wr: size, srq_limit: limit } = attr;
    const srqAsked =
      size === undefined && limit === undefined
        ? 'nothing'
        : size === undefined
          ? (limit ?? 0) > srq.srq.size
            ? 'limit-beyond'
            : 'limit'
          : limit === undefined
            ? 'size'
            : 'both';
    const spot = { ...when, qp: nameOf(srq) };
    const observed = errno === undefined ? 'it succeeds' : `it fails with errno ${errno}`;
    for (const rule of this.#context.book.decide('modify-srq', { srqAsked })) {
      const outcome = rule.outcomes[0] ?? {};
      const fixed = outcomeWord(outcome, 'mustResize') === 'able' && this.#resize === false;
      const result = fixed ? 'refused' : (outcomeWord(outcome, 'result') ?? 'either');
      if (result === 'either') this.#context.book.choice(rule, errno === undefined ? 'accepted' : 'refused');
      else if ((result === 'accepted') !== (errno === undefined))
        this.#context.book.violate(
          rule,
          spot,
          `ibv_modify_srq ${result === 'accepted' ? 'succeeds' : 'fails'}`,
          observed,
        );
    }
    if (errno !== undefined || limit === undefined) return;
    srq.limit = limit;
    srq.standing = limit === 0 ? 'unset' : 'armed';
    srq.armedBelow = least(srq, this.#context) < limit;
    srq.fell = false;
    srq.cause = when.event;
  }

  query(srq: KnownSrq, attr: SrqAttr, when: When): void {
    const mayBeRaised = srq.standing === 'armed' && least(srq, this.#context) < srq.limit;
    const srqLimitState = mayBeRaised ? 'open' : srq.standing;
    for (const rule of this.#context.book.decide('srq-query', { srqLimitState })) {
      const demand = ruleWord(rule, 'mustLimit');
      const wanted = demand === 'zero' ? 0 : demand === 'as-set' ? srq.limit : attr.srq_limit;
      if (attr.srq_limit === wanted) continue;
      this.#context.book.violate(
        rule,
        { ...when, qp: nameOf(srq) },
        `srq_limit ${wanted}`,
        `srq_limit ${attr.srq_limit}`,
      );
    }
  }

  limitReached(handle: number | undefined, when: When): void {
    const srq = handle === undefined ? undefined : this.#context.srq(handle);
    if (srq === undefined) return;
    const judged = this.#context.book.ruling('srq-limit', { srqLimitCause: this.#cause(srq) }, 'mustRaise');
    const type = 'IBV_EVENT_SRQ_LIMIT_REACHED';
    if (judged?.word === 'never') {
      const observed = `${type} with limit ${srq.limit} and ${srq.posted.length} work requests posted`;
      this.#context.book.violate(judged.rule, { ...when, qp: nameOf(srq) }, `no ${type}`, observed);
    } else if (judged?.word === 'may') this.#context.book.choice(judged.rule, 'raised');
    if (srq.standing === 'armed' && !srq.armedBelow) srq.raisedAt = srq.limit;
    srq.standing = 'raised';
    srq.fell = false;
  }

  /** A work request of the SRQ has completed. */
  taken(srq: KnownSrq, event: number): void {
    // its event may have come before the completions that call for it
    if (srq.posted.length < srq.raisedAt) {
      this.#context.book.decide('srq-limit', { srqLimitCause: 'fell' });
      srq.raisedAt = 0;
    }
    if (srq.standing !== 'armed' || srq.fell || srq.posted.length >= srq.limit) return;
    srq.fell = true;
    srq.cause = event;
  }

  settle(t: number): void {
    for (const one of this.#context.objects.srqs()) {
      const srq = this.#context.ofSrq(one);
      const judged = this.#context.book.ruling('srq-limit', { srqLimitCause: this.#cause(srq) }, 'mustRaise');
      if (judged?.word !== 'due') continue;
      const spot = { event: srq.cause, t, qp: nameOf(srq) };
      this.#context.book.violate(judged.rule, spot, 'IBV_EVENT_SRQ_LIMIT_REACHED', 'no event');
      srq.standing = 'open';
      srq.fell = false;
    }
  }

  #cause(srq: KnownSrq): string {
    if (srq.standing === 'open') return 'open';
    if (srq.standing !== 'armed') return 'disarmed';
    if (srq.armedBelow) return 'armed-below';
    if (srq.fell) return 'fell';
    return least(srq, this.#context) >= srq.limit ? 'above' : 'open';
  }
}

function nameOf({ srq }: KnownSrq): string {
  return `srq ${srq.handle}`;
}
