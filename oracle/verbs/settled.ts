import { ruleWord } from '../rulebook/outcome.ts';
import type { KnownCq, KnownQp } from './objects.ts';
import type { VerbsWork, WorkList } from './outstanding.ts';
import type { Rule } from '../rules.ts';
import type { VerbsCompletionJudge } from './completions.ts';
import type { VerbsContext } from './context.ts';

/** Judges what QPs owe when everything that waits for no timer has had its time. */
export class VerbsRest {
  readonly #context: VerbsContext;
  readonly #completions: VerbsCompletionJudge;

  constructor(context: VerbsContext, completions: VerbsCompletionJudge) {
    this.#context = context;
    this.#completions = completions;
  }

  settle(t: number): void {
    for (const qp of this.#context.qps.values()) {
      if (qp.blind) continue;
      this.#kept(qp);
      this.#uncaused(qp);
      this.#owed(qp, 'send', qp.sends, t);
      if (qp.srq === undefined) this.#owed(qp, 'receive', qp.receives, t);
      else if (qp.srq.posted.length > 0) this.#completions.flushRules(qp, 'shared');
      this.#faulty(qp, t);
    }
  }

  /** Everything is at rest. */
  done(): void {
    for (const qp of this.#context.qps.values()) {
      qp.arrived = 0;
      qp.busy = false;
    }
    for (const cq of this.#context.objects.cqs()) this.#context.ofCq(cq).taken = 0;
  }

  /** A memory region is gone: whether work requests under way find it is a matter of luck. */
  deregistered(mr: number): void {
    for (const { sends } of this.#context.qps.values())
      for (const work of sends.all())
        if (work.regions.includes(mr) && work.fault === 'none') work.fault = 'several';
  }

  /** Completions that might have come and must not have. */
  #kept(qp: KnownQp): void {
    if (qp.state === 'SQD' && qp.sends.all().some(({ becomes }) => becomes === 'held'))
      this.#context.book.decide('completion', { workStanding: 'held', completionSide: 'send' });
    const lostAt = qp.receiveCq.lostAt ?? qp.sendCq.lostAt;
    if (lostAt === undefined) return;
    const late = [...qp.sends.all(), ...qp.receives.all()].some(({ event }) => event > lostAt);
    if (late) this.#context.book.decide('cq-lost', { cqEntry: 'after' });
  }

  /** What was flushed must have had a cause by now. */
  #uncaused(qp: KnownQp): void {
    for (const { event, t, queue } of qp.uncaused) {
      const caused = queue === 'send' ? qp.failed : qp.state === 'ERR';
      const rules = this.#completions.flushRules(qp, queue);
      if (caused || qp.unsure) continue;
      for (const rule of rules)
        if (ruleWord(rule, 'mustFlush') === 'none')
          this.#context.book.violate(
            rule,
            { event, t, qp: qp.name },
            `no flush of the ${queue === 'send' ? 'send' : 'receive'} queue in ${qp.state}`,
            'IBV_WC_WR_FLUSH_ERR',
          );
    }
    qp.uncaused = [];
  }

  /** What has failed along with the QP must have completed by now. */
  #owed(qp: KnownQp, queue: 'send' | 'receive', list: WorkList, t: number): void {
    const missing = list.all().filter((work) => work.doomed && (work.signaled || work.lost));
    const [first] = missing;
    if (first === undefined) {
      if (list.length > 0) this.#completions.flushRules(qp, queue);
      return;
    }
    const rules = this.#completions.flushRules(qp, queue);
    const cq = queue === 'send' ? qp.sendCq : qp.receiveCq;
    const lacking = `${missing.length} of ${cq.taken + missing.length} completions did not come`;
    // what overflowed is full all the same
    if (cq.lostAt === undefined && cq.taken >= cq.cq.entries) this.#overflow(cq, first, t, lacking);
    else {
      this.#missed(qp, rules, 'mustFlush', 'all', first, t);
      if (!qp.cqLost) this.#missed(qp, this.#postRules(queue, missing), 'becomes', 'flushed', first, t);
    }
    // where completions are missing that were owed, nobody knows what stands in the queue
    if (!qp.cqLost) qp.blind = true;
    qp.leftover = new Set([...qp.leftover, ...list.clear().map(({ wrId }) => wrId)]);
  }

  /** The rules of posting to a QP that has failed, if one of the work requests was. */
  #postRules(queue: 'send' | 'receive', missing: readonly VerbsWork[]): readonly Rule[] {
    const late = missing.find(({ becomes }) => becomes === 'flushed');
    if (late === undefined) return [];
    const facts = { postedIn: late.postedIn, room: 'free', shape: 'sound' };
    return this.#context.book.decide(queue === 'send' ? 'post-send' : 'post-receive', facts);
  }

  #missed(
    qp: KnownQp,
    rules: readonly Rule[],
    key: string,
    word: string,
    { event, wrId }: VerbsWork,
    t: number,
  ): void {
    for (const rule of rules)
      if (ruleWord(rule, key) === word)
        this.#context.book.violate(
          rule,
          { event, t, qp: qp.name },
          `IBV_WC_WR_FLUSH_ERR for wr_id ${wrId}`,
          'no completion',
        );
  }

  #overflow(cq: KnownCq, { event }: VerbsWork, t: number, observed: string): void {
    if (cq.told) return;
    cq.told = true;
    this.#completions.overflowed(cq, { event, t }, observed);
  }

  /** A work request that is wrong in itself has failed when its turn has come. */
  #faulty(qp: KnownQp, t: number): void {
    if (qp.state !== 'RTS' || qp.unsure || qp.cqLost) return;
    for (const work of qp.sends.all()) {
      // sound ones of the unreliable services are sent and done; of RC, answers may be missing
      if (work.fault === 'none' && !work.past && qp.service !== 'RC' && !work.signaled) continue;
      if (work.fault === 'none' || work.past || (qp.service === 'RC' && work.places)) return;
      for (const rule of this.#context.book.decide('send-fault', {
        sendFault: work.fault,
        ofService: qp.service,
      })) {
        if (ruleWord(rule, 'mustFail') !== 'due') continue;
        const spot = { event: work.event, t, qp: qp.name };
        this.#context.book.violate(rule, spot, `wr_id ${work.wrId} fails`, 'no completion');
        work.fault = 'several';
      }
      return;
    }
  }
}
