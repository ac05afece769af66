import { wcStatus } from '../../spec/constants.ts';
import type { Wc } from '../../spec/verbs.ts';
import { outcomeWord, outcomeWords, ruleWord } from '../rulebook/outcome.ts';
import type { KnownCq, KnownQp } from './objects.ts';
import { isLocalError } from './outstanding.ts';
import type { VerbsWork, WorkList } from './outstanding.ts';
import { isSendOpcode } from '../device/send-queue.ts';
import type { Rule } from '../rules.ts';
import type { Spot, When } from '../spot.ts';
import type { VerbsContext } from './context.ts';

type Queue = 'send' | 'receive' | 'shared';

interface Found {
  queue: Queue;
  list: WorkList;
  place: number;
  work: VerbsWork;
}

const success = 'IBV_WC_SUCCESS';
const flushed = 'IBV_WC_WR_FLUSH_ERR';
const aborted = 'IBV_WC_REM_ABORT_ERR';
/** statuses whose effect on the QP nobody tells */
const unclear: ReadonlySet<string> = new Set([
  'IBV_WC_FATAL_ERR',
  'IBV_WC_GENERAL_ERR',
  'IBV_WC_RESP_TIMEOUT_ERR',
  'IBV_WC_MW_BIND_ERR',
  'IBV_WC_TM_ERR',
  'IBV_WC_TM_RNDV_INCOMPLETE',
]);

/** Judges completions by what was posted and by the state of the QP, of every service. */
export class VerbsCompletionJudge {
  readonly #context: VerbsContext;
  /** QP numbers that were destroyed */
  readonly #gone: ReadonlySet<number>;
  /** rules that keep statuses from a side of a service, by both */
  readonly #kept = new Map<string, readonly Rule[]>();

  constructor(context: VerbsContext, gone: ReadonlySet<number>) {
    this.#context = context;
    this.#gone = gone;
  }

  see(cq: KnownCq | undefined, wc: Wc, when: When): void {
    const qp = this.#context.byNumber(wc.qp_num);
    if (cq !== undefined) this.#count(cq, when);
    if (qp === undefined) {
      if (!this.#gone.has(wc.qp_num)) this.#strange(wc, { ...when, qp: 'device' });
      return;
    }
    const found = this.#find(qp, wc, cq);
    if (found === 'ambiguous' || qp.blind)
      return this.#context.book.skip('a completion that stands for a work request of either queue');
    if (found === undefined) {
      const left = qp.leftover.delete(wc.wr_id) || qp.sends.forgetful || qp.receives.forgetful;
      // where packets are seen, the rules of the service say more of it, but for the sends of UC and UD
      const sent = wc.status === success && wc.opcode !== undefined && isSendOpcode(wc.opcode);
      const elsewhere = this.#context.atDevice && (qp.service === 'RC' || !sent);
      if (!left && !elsewhere) this.#strange(wc, { ...when, qp: qp.name });
      return;
    }
    const spot = { ...when, qp: qp.name };
    this.#status(qp, found, wc, spot);
    this.#standing(qp, found, wc, spot);
    if (cq?.lostAt !== undefined) this.#fromLost(cq.lostAt, found, wc, spot);
    if (found.queue === 'send') this.#sendFault(qp, found.work, wc, spot);
    this.#flush(qp, found, wc, spot);
    if (found.queue === 'shared') found.list.remove(found.place);
    else found.list.through(found.place);
    this.#moves(qp, found, wc, when.event);
  }

  #find(qp: KnownQp, wc: Wc, cq: KnownCq | undefined): Found | 'ambiguous' | undefined {
    const send = found('send', qp.sends, wc.wr_id);
    const receive =
      qp.srq === undefined
        ? found('receive', qp.receives, wc.wr_id)
        : found('shared', qp.srq.posted, wc.wr_id);
    if (wc.status === success && wc.opcode !== undefined) return isSendOpcode(wc.opcode) ? send : receive;
    if (send === undefined || receive === undefined) return send ?? receive;
    if (cq === undefined || qp.sendCq === qp.receiveCq) return 'ambiguous';
    return cq === qp.sendCq ? send : receive;
  }

  #strange(wc: Wc, spot: Spot): void {
    const facts = { workStanding: 'stranger', completionSide: 'send' };
    for (const rule of this.#context.book.decide('completion', facts))
      if (ruleWord(rule, 'mustName') === 'outstanding')
        this.#context.book.violate(
          rule,
          spot,
          'a completion of a work request that is outstanding',
          `${wc.status} for wr_id ${wc.wr_id} of qp_num ${wc.qp_num}`,
        );
  }

  #status(qp: KnownQp, { queue }: Found, wc: Wc, spot: Spot): void {
    const side = queue === 'send' ? 'requester' : 'responder';
    const known = Object.hasOwn(wcStatus.numbers, wc.status);
    const facts = { wcStatus: known ? wc.status : 'other', side, ofService: qp.service };
    if (wc.status !== success) this.#context.book.exercise(this.#keptFrom(side, qp.service));
    const judged = this.#context.book.ruling('status', facts, 'admissible');
    if (judged?.word !== 'forbidden') return;
    const where = `${qp.service} ${side}`;
    this.#context.book.violate(
      judged.rule,
      spot,
      `a status that a ${where} may report`,
      `${wc.status} at a ${where}`,
    );
  }

  /** An error was reported, and none of those that must not be. */
  #keptFrom(side: string, ofService: string): readonly Rule[] {
    const key = `${side} ${ofService}`;
    let rules = this.#kept.get(key);
    if (rules === undefined) {
      const statuses = [...Object.keys(wcStatus.numbers), 'other'];
      const found = statuses.flatMap((status) =>
        this.#context.book.saying('status', { wcStatus: status, side, ofService }, 'admissible', 'forbidden'),
      );
      this.#kept.set(key, (rules = [...new Set(found)]));
    }
    return rules;
  }

  #standing(qp: KnownQp, { queue, list, place, work }: Found, wc: Wc, spot: Spot): void {
    const held = work.becomes === 'held' && qp.state === 'SQD' && qp.stateAt <= work.event;
    const facts = { workStanding: held ? 'held' : 'outstanding', completionSide: queue };
    for (const rule of this.#context.book.decide('completion', facts)) {
      const outcome = rule.outcomes[0] ?? {};
      if (outcomeWord(outcome, 'mustCome') === 'never' && wc.status === success)
        this.#context.book.violate(rule, spot, 'no completion in SQD', `${wc.status} for wr_id ${wc.wr_id}`);
      if (outcomeWord(outcome, 'mustOrder') !== 'posting') continue;
      for (let before = 0; before < place; before++) {
        const skipped = list.at(before);
        if (skipped === undefined || !(skipped.signaled || skipped.lost)) continue;
        this.#context.book.violate(
          rule,
          spot,
          `wr_id ${skipped.wrId} first`,
          `wr_id ${wc.wr_id} completes before it`,
        );
        break;
      }
    }
  }

  #fromLost(lostAt: number, { work }: Found, wc: Wc, spot: Spot): void {
    const facts = { cqEntry: work.event > lostAt ? 'after' : 'before' };
    const judged = this.#context.book.ruling('cq-lost', facts, 'mustTake');
    if (judged?.word !== 'forbidden') return;
    this.#context.book.violate(
      judged.rule,
      spot,
      'no completion after IBV_EVENT_CQ_ERR',
      `${wc.status} for wr_id ${wc.wr_id}`,
    );
  }

  /** Whether a work request fails for what is wrong with it, and for nothing else that is its own. */
  #sendFault(qp: KnownQp, work: VerbsWork, { status }: Wc, spot: Spot): void {
    if (status === flushed || work.lost) return;
    for (const rule of this.#context.book.decide('send-fault', {
      sendFault: work.fault,
      ofService: qp.service,
    })) {
      const outcome = rule.outcomes[0] ?? {};
      const mustFail = outcomeWord(outcome, 'mustFail');
      const statuses = outcomeWords(outcome, 'failsWith');
      const observed = `${status} for wr_id ${work.wrId}`;
      if (mustFail === 'never') {
        // what a responder sent may be too long for an RC requester
        const own = isLocalError(status) && !(qp.service === 'RC' && status === 'IBV_WC_LOC_LEN_ERR');
        if (own) this.#context.book.violate(rule, spot, 'no local error of a sound work request', observed);
      } else if (isLocalError(status) ? !statuses.includes(status) : mustFail === 'due' && status === success)
        this.#context.book.violate(rule, spot, statuses.join(' or '), observed);
    }
  }

  #flush(qp: KnownQp, { queue, work }: Found, wc: Wc, { event, t, qp: name }: Spot): void {
    const spot = { event, t, qp: name };
    if (wc.status !== flushed) {
      if (!work.lost) return;
      for (const rule of this.flushRules(qp, queue))
        if (ruleWord(rule, 'mustFlush') === 'all')
          this.#context.book.violate(rule, spot, `${flushed} for wr_id ${wc.wr_id}`, wc.status);
      return;
    }
    if (queue === 'shared') {
      const [rule] = this.flushRules(qp, queue);
      // one may have been taken for a message
      if (++qp.sharedFlushes > 1 && rule !== undefined && !qp.cqLost && qp.qp.kind !== 'ORC')
        this.#context.book.violate(
          rule,
          spot,
          'receive work requests stay on the SRQ',
          `${flushed} for several`,
        );
    }
    const caused = queue === 'send' ? qp.failed : qp.state === 'ERR';
    if (caused || work.past) this.flushRules(qp, queue);
    else qp.uncaused.push({ event, t, queue });
  }

  /** What the rules say of flushing a queue in the QP's state. */
  flushRules(qp: KnownQp, queue: Queue): readonly Rule[] {
    const flushIn = qp.state === 'ERR' || qp.state === 'SQE' ? qp.state : 'working';
    const cqStanding = qp.cqLost ? 'lost' : 'working';
    return this.#context.book.decide('flush', { flushOf: queue, flushIn, cqStanding });
  }

  /** What a completion tells of the QP. */
  #moves(qp: KnownQp, { queue, work }: Found, { status }: Wc, event: number): void {
    if (status === success) {
      if (queue === 'send') return;
      qp.received++;
      if (qp.state === 'RTR') qp.receivedInRtr = true;
      return;
    }
    if (status === flushed || work.past || qp.state === 'ERR') return;
    if (status === aborted) return qp.happens('aborted', event);
    if (unclear.has(status)) return void (qp.unsure = true);
    if (queue === 'send') {
      qp.happens('failed-send', event);
      if (qp.service === 'RC') fail(qp, event);
      else qp.enter('SQE', event);
      for (const behind of qp.sends.all()) behind.doomed = behind.lost = true;
      return;
    }
    qp.happens('failed-receive', event);
    if (qp.service === 'UC') qp.unsure = true;
    else fail(qp, event);
  }

  /** On a virtual clock, what is taken at one moment stood in the CQ together. */
  #count(cq: KnownCq, { event, t }: When): void {
    cq.taken++;
    if (this.#context.header.clock !== 'virtual') return;
    cq.together = cq.together.t === t ? { t, count: cq.together.count + 1 } : { t, count: 1 };
    if (cq.together.count <= cq.cq.entries || cq.told || cq.lostAt !== undefined) return;
    cq.told = true;
    this.overflowed(cq, { event, t }, `${cq.together.count} completions in a CQ of ${cq.cq.entries} entries`);
  }

  /** A CQ took more than it has room for, or lost what came, and no event told of it. */
  overflowed(cq: KnownCq, when: When, observed: string): void {
    const judged = this.#context.book.ruling('cq-error', { cqFill: 'overflowed' }, 'mustRaise');
    if (judged?.word === 'due')
      this.#context.book.violate(
        judged.rule,
        { ...when, qp: `cq ${cq.cq.handle}` },
        'IBV_EVENT_CQ_ERR',
        observed,
      );
  }
}

/** The QP has gone to ERR: all that is outstanding must complete. */
export function fail(qp: KnownQp, event: number): void {
  qp.enter('ERR', event);
  qp.sharedFlushes = 0;
  if (qp.lastWqe === 'none') qp.lastWqe = 'due';
  for (const work of qp.sends.all()) work.doomed = true;
  for (const work of qp.receives.all()) work.doomed = true;
}

function found(queue: Queue, list: WorkList, wrId: number): Found | undefined {
  const place = list.find(wrId);
  const work = list.at(place);
  return place < 0 || work === undefined ? undefined : { queue, list, place, work };
}
