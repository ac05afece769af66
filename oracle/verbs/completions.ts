import type { SrqJudge } from '../srq/judge.ts';
import { wcStatus } from '../../spec/constants.ts';
import type { Wc } from '../../spec/verbs.ts';
import type { CompletionQueue } from '../cq/judge.ts';
import { withArticle } from '../device/qp.ts';
import { isSendOpcode } from '../device/queues/send-queue.ts';
import { outcomeWords } from '../rulebook/outcome.ts';
import type { Rule } from '../rules.ts';
import type { Spot, When } from '../spot.ts';
import type { VerbsContext } from './context.ts';
import { flushRules, type Queue } from './flush.ts';
import { eventInputs, statusInputs, unusedInputs, workInputs } from './inputs.ts';
import { wasLeft } from './lists.ts';
import type { KnownQp } from './objects.ts';
import type { VerbsWork, WorkList } from './outstanding.ts';

interface Found {
  queue: Queue;
  list: WorkList;
  place: number;
  work: VerbsWork;
}

const success = 'IBV_WC_SUCCESS';
const flushed = 'IBV_WC_WR_FLUSH_ERR';

/** `taken`: when a completion was taken from its CQ, where it may count from later on. */
type Taken = { taken: number };

/** Judges completions by what was posted and by the state of the QP, of every service. */
export class VerbsCompletionJudge {
  readonly #context: VerbsContext;
  readonly #srqs: SrqJudge;
  /** rules that keep statuses from a side of a service, by both */
  readonly #kept = new Map<string, readonly Rule[]>();

  constructor(context: VerbsContext, srqs: SrqJudge) {
    this.#context = context;
    this.#srqs = srqs;
  }

  see(cq: CompletionQueue | undefined, wc: Wc, when: When & Taken): void {
    const { book, gone, completionQueues, sight } = this.#context;
    const qp = this.#context.byNumber(wc.qp_num);
    if (cq !== undefined) completionQueues.gave(cq, when);
    if (qp === undefined) {
      if (!gone.has(wc.qp_num)) this.#strange(wc, { ...when, qp: 'device' });
      return;
    }
    const found = find(qp, wc, cq);
    if (cq !== undefined) this.#notifies(cq, found, wc, when);
    if (qp.blind && wc.status !== success && !this.#context.flag('failed', qp))
      qp.step('flushedUncaused', when);
    if (found === 'ambiguous' || qp.blind)
      return book.skip('a completion that stands for a work request of either queue');
    if (found === undefined) {
      if (qp.unused.has(wc.wr_id)) return this.#unused(qp, wc, { ...when, qp: qp.name }, false);
      if (wasLeft(this.#context, qp, wc.wr_id, { ...when, qp: qp.name })) return;
      const left = qp.leftover.owns(wc.wr_id, wc.status, when) || qp.sends.forgetful || qp.receives.forgetful;
      // where packets are seen, the rules of the service say more of it, but for the sends of UC and UD
      const sent = wc.status === success && wc.opcode !== undefined && isSendOpcode(wc.opcode);
      const forgotten = wc.status === flushed && qp.qp.posted.isForgotten(wc.wr_id);
      const elsewhere = sight.atDevice && (qp.service === 'RC' || !sent) && !forgotten;
      if (!left && !elsewhere) this.#strange(wc, { ...when, qp: qp.name });
      return;
    }
    const ofFormerLife = found.queue === 'shared' && this.#context.flag('leftError', qp);
    if (!ofFormerLife) this.#judge(qp, found, wc, { ...when, qp: qp.name }, cq);
    if (found.queue === 'shared') found.list.remove(found.place);
    else found.list.through(found.place);
    this.#take(qp, found, wc, when);
  }

  /** A completion may call for a completion event. */
  #notifies({ cq }: CompletionQueue, found: Found | 'ambiguous' | undefined, wc: Wc, when: When): void {
    const known = found === 'ambiguous' ? undefined : found;
    const sent = wc.opcode !== undefined && isSendOpcode(wc.opcode);
    const received = known === undefined ? !sent : known.queue !== 'send';
    this.#context.cqEvents.completed(cq, wc, received, known?.work.event, when);
  }

  #strange(wc: Wc, spot: Spot): void {
    const { book } = this.#context;
    for (const rule of book.broken(
      'completion',
      'mustName',
      this.#context.work(undefined, workInputs('send')),
    )) {
      const observed = `${wc.status} for wr_id ${wc.wr_id} of qp_num ${wc.qp_num}`;
      book.violate(rule, spot, 'a completion of a work request that is outstanding', observed);
    }
  }

  #judge(qp: KnownQp, found: Found, wc: Wc, spot: Spot & Taken, cq: CompletionQueue | undefined): void {
    const { queue, work } = found;
    const observed = `${wc.status} for wr_id ${wc.wr_id}`;
    this.#status(qp, queue, wc, spot);
    this.#standing(qp, found, wc, spot);
    if (cq !== undefined) this.#context.completionQueues.late(cq, work.event, spot, observed);
    if (qp.srq !== undefined && queue === 'shared' && wc.status === success)
      this.#srqs.late(qp.srq, work.event, spot, observed);
    if (queue === 'shared' && qp.triedUnused && wc.status === success) this.#unused(qp, wc, spot, true);
    if (queue === 'send') this.#sendFault(qp, work, wc, spot);
    this.#flush(qp, found, wc, spot);
  }

  #status(qp: KnownQp, queue: Queue, { status }: Wc, spot: Spot): void {
    const { book } = this.#context;
    if (status !== success) book.exercise(this.#keptFrom(qp, queue));
    const given = Object.hasOwn(wcStatus.numbers, status) ? status : 'other';
    const where = `${withArticle(qp.service)} ${queue === 'send' ? 'requester' : 'responder'}`;
    for (const rule of book.broken('status', 'admissible', this.#ofStatus(qp, queue, given)))
      book.violate(rule, spot, `a status that ${where} may report`, `${status} at ${where}`);
  }

  #ofStatus(qp: KnownQp, queue: Queue, status: string) {
    const { inputs } = this.#context.work(qp, workInputs(queue));
    inputs.event = eventInputs({ event: 0, t: 0 });
    return this.#context.met(qp, inputs, { wcStatus: status });
  }

  /** An error was reported, and none of those that must not be. */
  #keptFrom(qp: KnownQp, queue: Queue): readonly Rule[] {
    const key = `${queue} ${qp.service}`;
    let rules = this.#kept.get(key);
    if (rules === undefined) {
      const found = [...Object.keys(wcStatus.numbers), 'other'].flatMap((status) =>
        this.#context.book.saying('status', this.#ofStatus(qp, queue, status), 'admissible', 'forbidden'),
      );
      this.#kept.set(key, (rules = [...new Set(found)]));
    }
    return rules;
  }

  #standing(qp: KnownQp, { queue, list, place, work }: Found, wc: Wc, spot: Spot & Taken): void {
    const { book } = this.#context;
    const first = overtaken(list, place);
    const met = this.#context.work(
      qp,
      workInputs(queue, work, first !== undefined),
      statusInputs(wc.status, [], spot.taken),
      eventInputs(spot),
    );
    const rules = book.decide('completion', met);
    const observed = `${wc.status} for wr_id ${wc.wr_id}`;
    for (const rule of book.unmet(rules, 'mustOrder', met))
      book.violate(rule, spot, `wr_id ${first?.wrId} first`, `wr_id ${wc.wr_id} completes before it`);
    for (const rule of book.unmet(rules, 'mustCome', met)) book.violate(rule, spot, unwanted(work), observed);
    for (const rule of book.unmet(rules, 'admissible', met))
      book.violate(rule, spot, 'no receive completion behind IBV_EVENT_QP_LAST_WQE_REACHED', observed);
  }

  /** A completion of what no message may use (`shared`: of what the SRQ has, as is right). */
  #unused(qp: KnownQp, wc: Wc, spot: Spot, shared: boolean): void {
    const { book } = this.#context;
    const met = this.#context.work(qp, unusedInputs(), statusInputs(wc.status), eventInputs(spot));
    const rules = book.decide('completion', met);
    qp.triedUnused = false;
    if (shared) return;
    for (const rule of book.unmet(rules, 'mustCome', met))
      book.violate(
        rule,
        spot,
        'a completion of a work request of the SRQ',
        `${wc.status} for wr_id ${wc.wr_id}`,
      );
  }

  /** Whether a work request fails for what is wrong with it, and for nothing else that is its own. */
  #sendFault(qp: KnownQp, work: VerbsWork, { status }: Wc, spot: Spot): void {
    if (status === flushed || work.lost) return;
    const { book } = this.#context;
    const asked = workInputs('send', work);
    const table = work.foreign ? 'bind-domain' : 'send-fault';
    for (const rule of book.decide(table, this.#context.work(qp, asked))) {
      const statuses = outcomeWords(rule.outcomes[0] ?? {}, 'failsWith');
      const met = this.#context.work(qp, asked, statusInputs(status, statuses));
      const expected = statuses.join(' or ') || 'no local error of a valid work request';
      for (const broken of book.unmet([rule], 'mustFail', met))
        book.violate(broken, spot, expected, `${status} for wr_id ${work.wrId}`);
    }
  }

  #flush(qp: KnownQp, { queue, work }: Found, wc: Wc, { event, t, qp: name }: Spot): void {
    const { book } = this.#context;
    const spot = { event, t, qp: name };
    const met = this.#context.work(qp, workInputs(queue, work), statusInputs(wc.status), eventInputs(spot));
    if (wc.status !== flushed) {
      if (!work.lost) return;
      for (const rule of book.broken('flush', 'mustFlush', met))
        book.violate(rule, spot, `${flushed} for wr_id ${wc.wr_id}`, wc.status);
      return;
    }
    if (queue === 'shared') {
      qp.step('sharedFlushed', spot);
      for (const rule of book.broken('flush', 'mustFlush', met))
        book.violate(rule, spot, 'receive work requests stay on the SRQ', `${flushed} for several`);
    }
    if (this.#context.flag('flushCaused', qp, met.inputs) || work.past) flushRules(this.#context, qp, queue);
    else qp.uncaused.push({ event, t, queue });
  }

  /** What a completion shows of the QP. */
  #take(qp: KnownQp, { queue, work }: Found, { status }: Wc, when: When): void {
    const { inputs } = this.#context.work(qp, workInputs(queue, work), statusInputs(status));
    const fails = this.#context.flag('sendFailure', qp, inputs);
    qp.step('completed', when, inputs);
    if (fails) for (const behind of qp.sends.all()) behind.doomed = behind.lost = true;
  }
}

function find(qp: KnownQp, wc: Wc, cq: CompletionQueue | undefined): Found | 'ambiguous' | undefined {
  const send = foundIn('send', qp.sends, wc.wr_id);
  const receive =
    qp.srq === undefined
      ? foundIn('receive', qp.receives, wc.wr_id)
      : foundIn('shared', qp.srq.posted, wc.wr_id);
  if (wc.status === success && wc.opcode !== undefined) return isSendOpcode(wc.opcode) ? send : receive;
  if (send === undefined || receive === undefined) return send ?? receive;
  if (cq === undefined || qp.sendCq === qp.receiveCq) return 'ambiguous';
  return cq === qp.sendCq ? send : receive;
}

function foundIn(queue: Queue, list: WorkList, wrId: number): Found | undefined {
  const place = list.find(wrId);
  const work = list.at(place);
  return place < 0 || work === undefined ? undefined : { queue, list, place, work };
}

/** What should be in place of a completion that must not come. */
function unwanted({ quiet, becomes }: VerbsWork): string {
  if (quiet) return 'no completion, which was not asked for';
  return becomes === 'held'
    ? 'no completion in SQD'
    : 'no completion of a work request with too many elements';
}

/** The first work request before this place that must complete and has not. */
function overtaken(list: WorkList, place: number): VerbsWork | undefined {
  for (let before = 0; before < place; before++) {
    const work = list.at(before);
    if (work !== undefined && (work.signaled || work.lost)) return work;
  }
  return undefined;
}
