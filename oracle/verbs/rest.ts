import type { ObjectListener } from '../device/listener.ts';
import type { Region } from '../device/memory.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import type { Rule } from '../rules.ts';
import type { VerbsContext } from './context.ts';
import { flushRules } from './flush.ts';
import { restInputs, statusInputs, workInputs } from './inputs.ts';
import { listMissing } from './lists.ts';
import type { KnownQp } from './objects.ts';
import { owesCompletion, takenIn, type VerbsWork, type WorkList } from './outstanding.ts';

/** Judges what QPs have still to do when everything that waits for no timer has had its time. */
export class VerbsRest implements ObjectListener {
  readonly #context: VerbsContext;

  constructor(context: VerbsContext) {
    this.#context = context;
  }

  settle(t: number): void {
    for (const qp of this.#context.qps.values()) {
      if (qp.blind) continue;
      this.#kept(qp, t);
      this.#uncaused(qp, t);
      this.#missing(qp, 'send', qp.sends, t);
      if (qp.srq === undefined) this.#missing(qp, 'receive', qp.receives, t);
      else if (qp.srq.posted.length > 0) flushRules(this.#context, qp, 'shared');
      this.#faulty(qp, t);
    }
  }

  /** Everything is at rest. */
  done(t: number): void {
    const { qps, objects, sight } = this.#context;
    for (const qp of qps.values()) qp.step('rested', { event: 0, t });
    for (const cq of objects.cqs()) this.#context.completionQueues.rested(this.#context.ofCq(cq));
    sight.traffic = false;
  }

  /** A memory region is gone: whether work requests under way find it is a matter of luck. */
  deregistered({ mr }: Region): void {
    for (const { sends } of this.#context.qps.values())
      for (const work of sends.all())
        if (work.regions.includes(mr) && work.fault === 'none') work.fault = 'several';
  }

  reregistered(region: Region): void {
    this.deregistered(region);
  }

  /** Completions that might have come and must not have. */
  #kept(qp: KnownQp, t: number): void {
    const { book, completionQueues } = this.#context;
    const held = qp.sends.all().find(({ becomes }) => becomes === 'held');
    if (held !== undefined && this.#context.flag('holdsBack', qp))
      book.decide(
        'completion',
        this.#context.work(
          qp,
          workInputs('send', { ...held, event: qp.stateAt }),
          statusInputs(undefined),
          restInputs(t),
        ),
      );
    const quiet = qp.sends.all().find((work) => work.quiet && !work.lost);
    if (quiet !== undefined)
      book.decide(
        'completion',
        this.#context.work(qp, workInputs('send', quiet), statusInputs('IBV_WC_SUCCESS'), restInputs(t)),
      );
    const cq = qp.receiveCq.inError ? qp.receiveCq : qp.sendCq;
    if (!cq.inError) return;
    const late = [...qp.sends.all(), ...qp.receives.all()].find(({ event }) => event > cq.errorAt);
    if (late !== undefined) completionQueues.late(cq, late.event, { event: late.event, t, qp: qp.name });
  }

  /** What was flushed must have had a cause by now. */
  #uncaused(qp: KnownQp, t: number): void {
    const { book } = this.#context;
    for (const { queue, ...when } of qp.uncaused) {
      const met = this.#context.work(
        qp,
        workInputs(queue),
        statusInputs('IBV_WC_WR_FLUSH_ERR'),
        restInputs(t),
      );
      const broken = book.broken('flush', 'mustFlush', met);
      if (this.#context.flag('flushExplained', qp, met.inputs)) {
        if (broken.length > 0) qp.step('flushedUncaused', when);
        continue;
      }
      const expected = `no flush of the ${queue === 'send' ? 'send' : 'receive'} queue in ${qp.qpState} before an event or a completion says that the QP has failed`;
      for (const rule of broken)
        book.violate(rule, { ...when, qp: qp.name }, expected, 'IBV_WC_WR_FLUSH_ERR');
      // the device holds that the QP has failed: its state is a consequence
      if (broken.length > 0) qp.step('flushedUncaused', when);
    }
    qp.uncaused = [];
    for (const { queue, ...when } of qp.leftover.uncaused()) {
      const flush = statusInputs('IBV_WC_WR_FLUSH_ERR');
      const met = this.#context.work(qp, workInputs(queue), flush, restInputs(t));
      const expected = `no flush of the ${queue} queue in RESET, which forgets what is posted`;
      for (const rule of book.broken('flush', 'mustFlush', met))
        book.violate(rule, { ...when, qp: qp.name }, expected, 'IBV_WC_WR_FLUSH_ERR');
    }
  }

  /** What has failed along with the QP must have completed by now. */
  #missing(qp: KnownQp, queue: 'send' | 'receive', list: WorkList, t: number): void {
    const missing = list.all().filter(owesCompletion);
    const [first] = missing;
    if (list.length === 0) return;
    const met = this.#context.work(qp, workInputs(queue), statusInputs(undefined), restInputs(t));
    const rules = this.#context.book.decide('flush', met);
    if (first === undefined) return;
    const cq = queue === 'send' ? qp.sendCq : qp.receiveCq;
    const lacking = `${missing.length} of ${cq.taken + missing.length} completions did not come`;
    const lost = qp.inputs.cqError;
    if (!lost && rules.some((rule) => ruleWord(rule, 'mustFlush') === 'any')) {
      qp.leftover.caused = true;
      qp.leftover.take(queue, list.clear());
      return;
    }
    if (!this.#context.completionQueues.lost(cq, { event: first.event, t }, lacking)) {
      this.#missed(qp, this.#context.book.unmet(rules, 'mustFlush', met), first, t);
      if (!lost) this.#missed(qp, this.#flushing(queue, missing), first, t);
      // of those posted in ERR, the rules of posting there say it
      const listed = missing.find((work) => work.listed && work.becomes !== 'flushed');
      if (!lost && listed !== undefined) this.#missed(qp, listMissing(this.#context, qp), listed, t);
    }
    // where completions are missing that had to come, the content of the queue is unknown
    if (!lost) qp.step('sightLost', { event: first.event, t });
    qp.leftover.caused = true;
    qp.leftover.take(queue, list.clear());
  }

  /** The rules of posting to a QP that has failed, if one of the work requests was. */
  #flushing(queue: 'send' | 'receive', missing: readonly VerbsWork[]): readonly Rule[] {
    const late = missing.find(({ becomes }) => becomes === 'flushed');
    if (late === undefined) return [];
    return this.#context.book
      .decide(queue === 'send' ? 'post-send' : 'post-receive', { by: takenIn(late.postedIn) })
      .filter((rule) => ruleWord(rule, 'becomes') === 'flushed');
  }

  #missed(qp: KnownQp, rules: readonly Rule[], { event, wrId }: VerbsWork, t: number): void {
    const spot = { event, t, qp: qp.name };
    const expected = `IBV_WC_WR_FLUSH_ERR for wr_id ${wrId}`;
    for (const rule of rules) this.#context.book.violate(rule, spot, expected, 'no completion');
  }

  /** A work request that is wrong in itself has failed when its turn has come. */
  #faulty(qp: KnownQp, t: number): void {
    if (!this.#context.flag('carriesOut', qp)) return;
    const { book } = this.#context;
    for (const work of qp.sends.all()) {
      // sound ones of the unreliable services are sent and done; of RC, answers may be missing
      if (work.fault === 'none' && !work.past && qp.service !== 'RC' && !work.signaled) continue;
      if (work.fault === 'none' || work.past || (qp.service === 'RC' && work.places) || work.waits) return;
      const met = this.#context.work(qp, workInputs('send', work), statusInputs(undefined));
      for (const rule of book.broken(work.foreign ? 'bind-domain' : 'send-fault', 'mustFail', met)) {
        const spot = { event: work.event, t, qp: qp.name };
        book.violate(rule, spot, `wr_id ${work.wrId} fails`, 'no completion');
        work.fault = 'several';
        work.foreign = false;
      }
      return;
    }
  }
}
