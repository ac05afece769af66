import type { QpAttr, RecvWr } from '../../spec/verbs.ts';
import type { QpChange, Reregistered } from '../device/listener.ts';
import type { Region } from '../device/memory.ts';
import type { Objects } from '../device/objects.ts';
import { doubtfulRegion } from '../device/objects/reregistration.ts';
import type { Observer } from '../device/observer.ts';
import type { PostedSend } from '../device/queues/posted-send.ts';
import type { RetryLimits } from '../device/retry-limits.ts';
import { serviceOf, type Qp, type Srq } from '../device/qp.ts';
import { Stalls } from '../device/stalls.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { RuleBook } from '../rulebook/rule-book.ts';
import type { When } from '../spot.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import { decideWork, perhapsSent, type Around } from './decide.ts';
import type { End } from './end.ts';
import { Ends } from './ends.ts';
import { judgeBytes, judgeState, nothingElse } from './rest.ts';
import type { EndToEndMachine } from './machine.ts';
import type { EffectsBook, EndToEndRules } from './tables.ts';

/**
 * Judges two QPs of one device that talk to each other unseen: each work request by its cause and the effects that the
 * tables rc-effects, uc-effects and ud-effects give it at both ends, in posting order.
 */
export class EndToEndJudge implements Observer {
  readonly #machine: EndToEndMachine;
  readonly #book: EffectsBook;
  readonly #objects: Objects;
  readonly #ends: Ends;
  readonly #stalls = new Stalls();
  readonly #around: Around;

  constructor(
    { machine, tables, limits }: EndToEndRules & { limits: RetryLimits },
    ledger: Ledger,
    { timing }: TraceHeader,
    objects: Objects,
  ) {
    const book = new RuleBook(tables, ledger);
    this.#machine = machine;
    this.#book = book;
    this.#objects = objects;
    this.#ends = new Ends(machine, book, objects);
    const responseTime = timing?.responseTime ?? Number.POSITIVE_INFINITY;
    this.#around = { machine, book, objects, ends: this.#ends, stalls: this.#stalls, limits, responseTime };
  }

  see(event: TraceEvent, index: number): 'mine' {
    switch (event.kind) {
      case 'completion':
        this.#ends.completed({ wc: event.wc, event: index, t: event.t });
        break;
      case 'async': {
        const { qp_num: number, srq } = event.event;
        if (event.event.event_type === 'IBV_EVENT_SRQ_ERR' && srq !== undefined) this.#srqLost(srq);
        const end = this.#ends.byNumber(number);
        end?.eventsSeen.push({ event: event.event, index, t: event.t });
        if (event.event.event_type === 'IBV_EVENT_QP_FATAL' && end !== undefined)
          this.#ends.lose(end, 'a QP behind IBV_EVENT_QP_FATAL');
        break;
      }
      case 'stall':
        this.#stalls.add(event.t, event.until);
        break;
      case 'settled':
        this.#settle({ event: index, t: event.t });
        break;
      case 'memory':
        judgeBytes(this.#book, this.#ends, this.#objects.memory, event, index);
        break;
      case 'gap':
        for (const end of this.#ends.all()) this.#ends.lose(end, event.reason);
        break;
      case 'link':
        this.#ends.linked(event.up);
        break;
      case 'packet':
      case 'frame':
      case 'call':
      case 'call-failed':
      case 'gid':
      case 'rate':
      case 'cq-event':
      case 'second-context':
      case 'hop':
      case 'gone':
    }
    return 'mine';
  }

  #srqLost(srq: number): void {
    for (const end of this.#ends.all())
      if (end.qp.srq?.handle === srq) this.#ends.lose(end, 'a QP whose SRQ is in error');
  }

  #settle(at: When): void {
    const ends = this.#ends;
    ends.crossed();
    const blocked = new Set<End>();
    for (const entry of ends.open.splice(0)) {
      const { from, send } = entry;
      const to = ends.addressee(from, send);
      if (from.lost || to?.lost === true) {
        if (to !== undefined) ends.lose(to, 'a QP whose other end is not judged');
        ends.lose(from, 'a QP whose other end is not judged');
        continue;
      }
      const works = ends.works(from);
      if (!blocked.has(from) && !works) perhapsSent(this.#around, from, to, send);
      if (blocked.has(from) || (works && !decideWork(this.#around, from, to, send, at))) {
        blocked.add(from);
        ends.open.push(entry);
      }
    }
    for (const end of ends.all()) if (!end.lost && !blocked.has(end)) nothingElse(this.#around, end, at);
  }

  deregistered(): void {
    this.#ends.disturbed('dereg_mr while work was under way');
  }

  reregistered(_region: Region, { pds, certain }: Reregistered): void {
    this.#ends.disturbed('rereg_mr while work was under way');
    if (certain) return;
    for (const end of this.#ends.all())
      if (pds.some((pd) => end.qp.reaches(pd))) this.#ends.lose(end, doubtfulRegion);
  }

  written(): void {
    this.#ends.disturbed('memory written by software while work was under way');
  }

  created(qp: Qp): void {
    const service = serviceOf(qp);
    if (service === undefined) return this.#book.skip(`QPs of type ${qp.type}`);
    this.#ends.add(qp, service);
  }

  destroyed(qp: Qp): void {
    this.#ends.remove(qp);
  }

  sharedPosted(srq: Srq, wr: RecvWr): void {
    this.#ends.sharedPosted(srq, wr);
  }

  receivePosted(qp: Qp, wr: RecvWr): void {
    const end = this.#ends.of(qp);
    if (end !== undefined) this.#ends.receivePosted(end, wr);
  }

  sendPosted(qp: Qp, posted: PostedSend): void {
    const end = this.#ends.of(qp);
    if (end !== undefined) this.#ends.sendPosted(end, posted);
  }

  localPosted(qp: Qp): void {
    const end = this.#ends.of(qp);
    if (end !== undefined) this.#ends.lose(end, 'work that sends nothing');
  }

  modified(qp: Qp, { to }: QpChange): void {
    const end = this.#ends.of(qp);
    if (end === undefined) return;
    this.#ends.disturbed('ibv_modify_qp while work was under way');
    if (to === undefined) return;
    this.#machine.step('modified')({ attr: { qp_state: to } }, end);
    if (to === 'SQD') return this.#ends.lose(end, 'a QP that software took out of RTS');
    // what software itself made of a QP is no effect of work
    if (!end.muted) return;
    Object.assign(end, { rule: undefined, sends: [], sendsSeen: [], receivesSeen: [], eventsSeen: [] });
    if (qp.srq === undefined) end.receives.waiting = [];
    if (to === 'RESET') end.lost = false;
  }

  queried(qp: Qp, attr: QpAttr, when: When): void {
    const end = this.#ends.of(qp);
    if (end !== undefined) judgeState(this.#book, this.#ends, end, attr, when);
  }
}
