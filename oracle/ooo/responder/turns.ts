import { outcomeWord } from '../../rulebook/outcome.ts';
import type { Decision } from '../../rulebook/tables.ts';
import type { When } from '../../spot.ts';
import type { PlacedPacket } from '../packet.ts';
import { destination, faultOf } from '../qp.ts';
import type { Arrival } from './arrivals.ts';
import type { OooResponderContext } from './context.ts';
import type { Executions } from './executions.ts';
import { owedReply } from './pending.ts';
import type { ReceiveCompletions } from './receives.ts';

/** Packets that a responder keeps: each is placed when it comes, and has its turn when none is missing in front of it. */
export class Turns {
  readonly #context: OooResponderContext;
  readonly #executions: Executions;
  readonly #receives: ReceiveCompletions;

  constructor(context: OooResponderContext, executions: Executions, receives: ReceiveCompletions) {
    this.#context = context;
    this.#executions = executions;
    this.#receives = receives;
  }

  keep(placed: PlacedPacket, psn: number, wqe: number | undefined, when: When): void {
    const { book, qp, arrivals } = this.#context;
    const fetches = placed.work === 'read' || placed.work === 'atomic';
    const spans = destination(qp, placed, wqe);
    this.#place({ placed, psn, wqe, spans, event: when.event });
    const early = psn !== arrivals.next;
    const filling = !early && arrivals.window.size > 1;
    if (early && placed.ends && wqe !== undefined)
      book.decide('responder-completion', { placedCompletion: 'premature' });
    if (early && fetches) book.decide('responder-answer', { answered: 'waiting' });
    this.#advance(when);
    // what is answered is acknowledged by that
    if (!early && fetches && !filling) return;
    this.acknowledge(placed, early ? 'early' : filling ? 'filling' : 'in-order', psn, when);
  }

  #place(arrival: Arrival): void {
    const { book, device, arrivals } = this.#context;
    const { placed, psn, spans } = arrival;
    const { rule, outcome } = book.only('responder-place', { placedWork: placed.work });
    const placement = outcomeWord(outcome, 'placement');
    const own = placed.work === 'send' ? 'buffer' : 'target';
    if (placement === 'slot') this.#executions.hold(arrival, rule);
    else if (placement === own) device.placements.place(spans, placed.packet.payload, psn, 'arriving');
    arrivals.window.set(psn, arrival);
  }

  /** An Acknowledge may be due for a packet, by how it came. */
  acknowledge(
    { packet }: PlacedPacket,
    coming: 'early' | 'filling' | 'in-order' | 'again',
    psn: number,
    when: When,
  ): void {
    const { book, owed } = this.#context;
    const facts = { coming, ackReq: packet.ackReq ? 'set' : 'clear' };
    const { rule, outcome } = book.only('responder-acknowledge', facts);
    const reply = outcomeWord(outcome, 'reply') ?? 'none';
    if (reply === 'none') return;
    const selective = outcomeWord(outcome, 'selective') === 'names';
    const optional = outcomeWord(outcome, 'due') === 'optional';
    owed.add({ ...owedReply(reply, rule, when), psn, selective, optional });
  }

  /** While the next packet has arrived, it has its turn. */
  #advance(when: When): void {
    const { book, qp, arrivals, leave } = this.#context;
    for (let one = arrivals.window.get(arrivals.next); one; one = arrivals.window.get(arrivals.next)) {
      arrivals.window.delete(arrivals.next);
      arrivals.next++;
      arrivals.message.push(one);
      const { work, ends } = one.placed;
      if ((work === 'read' || work === 'atomic') && faultOf(qp, one.placed, undefined) !== 'none')
        return leave('READs and ATOMICs whose R_Key was invalidated while they waited');
      const turn = book.only('responder-turn', { placedWork: work, ends: ends ? 'last' : 'more' });
      if (outcomeWord(turn.outcome, 'msn') === 'increment') arrivals.msn = (arrivals.msn + 1) & 0xffffff;
      if (ends) this.#complete(one, turn, when);
    }
    arrivals.stands();
  }

  #complete(last: Arrival, { rule, outcome }: Decision, when: When): void {
    const { device, arrivals, firstReceive } = this.#context;
    const { placed } = last;
    const [first = last] = arrivals.message;
    for (const { spans } of arrivals.message) device.placements.complete(spans, first.psn, last.psn);
    arrivals.message = [];
    const answered = (outcomeWord(outcome, 'reply') ?? 'none') !== 'none';
    const modifies = outcomeWord(outcome, 'memory') === 'modify';
    if (this.#executions.holding(last.psn) !== undefined)
      this.#executions.execute(last, rule, { answered, modifies }, when);
    const key = placed.packet.invalidateRkey;
    if (outcomeWord(outcome, 'invalidation') === 'named' && key !== undefined) this.#invalidate(key);
    if (last.wqe === undefined) return;
    arrivals.consumed = last.wqe - firstReceive + 1;
    if (outcomeWord(outcome, 'completion') !== 'message') return;
    const due = {
      wqe: last.wqe,
      length: placed.offset + placed.length,
      immediate: placed.packet.immediate,
      invalidated: placed.packet.invalidateRkey,
      opcode: placed.work === 'send' ? 'IBV_WC_RECV' : 'IBV_WC_RECV_RDMA_WITH_IMM',
      event: when.event,
    } as const;
    this.#receives.owe(due, rule);
  }

  #invalidate(rkey: number): void {
    const { qp, leave } = this.#context;
    const region = qp.memory.byRkey(rkey);
    if (region?.alive === true && region.pd === qp.pd) region.alive = false;
    else leave('SENDs that invalidate what is no R_Key of their PD');
  }
}
