import type { Packet } from '../../../wire/packet.ts';
import { anyNumber, type Taken, type Taker } from '../../device/queues/takers.ts';
import type { Rule } from '../../rules.ts';
import type { When } from '../../spot.ts';
import { ReceiveAnswers } from './answers.ts';
import type { Receipt } from './completion.ts';
import { ReceiveCompletions } from './completions.ts';
import { choicesBeside } from './course.ts';
import { Discards } from './discards.ts';
import { PossibleReceiveStates, type ReceiveWays } from './possible-states.ts';
import { SharedReceiveStates } from './shared-states.ts';
import type { UnreliableQp } from '../qp.ts';
import type { ReceiveState } from './state.ts';
import type { UnreliableBook } from '../tables.ts';
import type { UnreliableInputs, UnreliableStep } from '../variables.ts';

/** Judges what a UC or UD QP receives. Every way that the rules allow is followed, mostly one; completions tell which it was. */
export class UnreliableReceiver implements Taker {
  readonly qp: UnreliableQp;
  ways: ReceiveWays;
  lost = false;
  /** packets have come since the device last had time to settle */
  unsettled = false;
  /** the same, or since software stopped the QP: packets of which a call may decide what becomes */
  underWay = false;
  readonly discards: Discards;
  readonly #book: UnreliableBook;
  readonly #completions: ReceiveCompletions;
  /** WQEs of the life before, whose completions may be taken until the device has had time to settle */
  #former = new Set<number>();
  /** software has taken the QP to ERR since then, or posted to it there, and what is flushed takes its time */
  #failed = false;
  readonly #sharing: (start: readonly ReceiveState[]) => ReceiveWays;
  readonly #answers: ReceiveAnswers;

  constructor(qp: UnreliableQp, book: UnreliableBook) {
    this.qp = qp;
    this.#book = book;
    const giveUp = (why: string): void => {
      this.loseSight(why);
    };
    this.#sharing = (start) => new SharedReceiveStates(qp, book, giveUp, start);
    const alone = new PossibleReceiveStates(qp, book, giveUp);
    this.ways = qp.contested === undefined ? alone : this.#sharing(alone.all);
    this.discards = new Discards(qp);
    this.#completions = new ReceiveCompletions(qp, book, this.discards);
    this.#answers = new ReceiveAnswers(qp, book);
  }

  /** The likeliest. */
  get state(): ReceiveState {
    return this.ways.likeliest;
  }

  /** The QP may be in ERR, by a fault of what it received. */
  get mayHaveFailed(): boolean {
    return this.ways.all.some(({ qpState }) => qpState === 'ERR');
  }

  get taken(): Taken {
    return this.lost ? anyNumber : this.ways.taken;
  }

  contended(): void {
    if (!this.lost) this.ways.contended();
  }

  /** Another QP takes from its SRQ from now on. */
  share(): void {
    if (this.lost || this.ways instanceof SharedReceiveStates) return;
    if (this.unsettled || this.ways.all.some(({ wqe }) => wqe >= 0))
      return this.loseSight('an SRQ that another QP came to while packets were under way');
    this.ways = this.#sharing(this.ways.all);
  }

  packet(packet: Packet, event: number): void {
    if (this.lost) return;
    this.unsettled = true;
    this.underWay = true;
    const courses = this.ways.packet(packet, event);
    const [course] = courses;
    if (course === undefined) return;
    this.#book.exercise(course.rules);
    this.#book.exercise(choicesBeside(course, courses));
    const { discardedBy: rule, reportedBy } = course;
    const { via } = this.state;
    if (rule !== undefined) this.discards.add(this.state, { rule, reportedBy, packet });
    else if (via?.table === 'uc-responder-sequence' && course.rules.includes(via)) this.discards.restart(via);
    this.#answers.decided(course.rules, event);
  }

  /** A packet that was not for this QP, and must not show here; `rule` discards it. */
  stray(packet: Packet, rule: Rule, event: number): void {
    if (this.lost) return;
    this.discards.add(this.state, { rule, reportedBy: undefined, packet, stray: true });
    this.#answers.decided([rule], event);
  }

  /** Something happens that no rule decides. */
  step(name: UnreliableStep, inputs: Partial<UnreliableInputs> = {}): void {
    const step = this.#book.tables.machine.step(name);
    this.ways.change((state) => step(inputs, state));
  }

  /** Software takes the QP to ERR or RESET, whatever is under way. */
  stopped(to: 'ERR' | 'RESET'): void {
    if (this.lost) return;
    if (to === 'RESET' && (this.unsettled || this.#failed)) this.#leaveFormer();
    if (this.underWay && !this.ways.stop()) return this.loseSight('modify_qp while packets were under way');
    this.underWay = false;
    this.#failed = to === 'ERR';
  }

  #leaveFormer(): void {
    const { posted } = this.qp;
    const firsts = this.ways.all.map(({ due, rqHead, wqe }) => due[0]?.wqe ?? (wqe < 0 ? rqHead : wqe));
    for (const { wr_id: id } of posted.between(Math.min(...firsts), posted.length)) this.#former.add(id);
  }

  /** A receive WQE was posted. */
  posted(): void {
    const { qpNumber, kind, state, pmtu, mayMigrate, posted } = this.qp;
    // as long as the queue is now, whenever the step is taken again
    this.step('posted', {
      qp: { qpNumber, kind, state, pmtu, mayMigrate, posted: { length: posted.length } },
    });
    if (this.mayHaveFailed) this.#failed = true;
    if (!this.lost) this.ways.posted();
  }

  completion(receipt: Receipt, when: When): void {
    if (this.lost) return;
    const [likeliest] = this.state.due;
    const met = this.#completions.met(this.ways.all, receipt, when);
    if (met.length > 0) return this.ways.completion(receipt, met);
    if (this.#former.delete(receipt.wc.wr_id)) return;
    this.lost = true;
    this.#completions.wrong(this.state, receipt, likeliest, when);
  }

  /** The device has sent a response, which no QP of such a service does. */
  answered(packet: Packet, when: When): void {
    this.#answers.sent(packet, when, this);
  }

  /** An event that reports an error of a request, which UC and UD do not have; the request that was to pass in silence is the cause. */
  complained(type: string, when: When): void {
    if (!this.lost) this.#book.violate(this.discards.newest?.reportedBy, when, 'no event', type);
  }

  /** Everything due has had its time. */
  settle(t: number): void {
    if (this.lost) return;
    const content = this.ways.all.filter(({ due }) => due.length === 0);
    if (content.length === 0) return this.#overdue(t);
    this.#answers.settle(t);
    if (this.unsettled) {
      this.#answers.silence(this.state);
      if (this.discards.any) this.#book.exercise(this.#completions.none(this.state));
    }
    this.ways.settle(content);
    this.discards.forget();
    this.unsettled = false;
    this.underWay = false;
    this.#former.clear();
    this.#failed = false;
  }

  #overdue(t: number): void {
    const [due] = this.state.due;
    this.lost = true;
    if (due !== undefined) this.#completions.overdue(this.state, due, t);
  }

  loseSight(why: string): void {
    if (this.lost) return;
    this.#book.doubt(why);
    this.lost = true;
  }
}
