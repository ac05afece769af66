import { outcomeWord } from '../../rulebook/outcome.ts';
import type { Decision, Facts } from '../../rulebook/tables.ts';
import type { When } from '../../spot.ts';
import type { PlacedPacket } from '../packet.ts';
import { destination } from '../qp.ts';
import type { Arrival } from './arrivals.ts';
import type { OooResponderContext } from './context.ts';
import { ResponderEvent } from './event.ts';
import type { Executions } from './executions.ts';
import { pendingReply } from './pending.ts';
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

  keep(placed: PlacedPacket, event: ResponderEvent, when: When): void {
    const { book, qp, registers, arrivals } = this.#context;
    const { psn } = placed.packet;
    const facts = registers.facts('responder-acknowledge', event);
    const early = facts['coming'] === 'early';
    const fetches = placed.work === 'read' || placed.work === 'atomic';
    const wqe = event.receive;
    const spans = destination(qp, placed, wqe);
    this.#place({ placed, psn, count: arrivals.count(psn), wqe, spans, event: when.event }, event);
    if (early && placed.ends && wqe !== undefined)
      book.decide('responder-completion', { arrivedMessage: 'part' });
    if (early && fetches) book.decide('responder-answer', { answered: 'waiting', olderReads: 'answered' });
    this.#advance(when);
    // what is answered is acknowledged by that
    if (facts['coming'] !== 'in-order' || !fetches) this.acknowledge(psn, facts, when);
  }

  #place(arrival: Arrival, event: ResponderEvent): void {
    const { book, device, registers, arrivals } = this.#context;
    const { placed, psn, count, spans } = arrival;
    const { outcome } = book.only('responder-place', registers.facts('responder-place', event));
    const placement = outcomeWord(outcome, 'placement');
    const { payload } = placed.packet;
    const sends = placed.work === 'send';
    if (placement === 'slot') this.#executions.hold(arrival);
    else if (sends && placement === 'guarded')
      device.placements.place(spans, payload, count, 'guarded', true);
    else if (placement === (sends ? 'buffer' : 'target'))
      device.placements.place(spans, payload, count, 'arriving', sends);
    arrivals.window.set(psn, arrival);
  }

  /** An Acknowledge may be due for a packet, by how it came. */
  acknowledge(psn: number, facts: Facts, when: When): void {
    const { book, pending } = this.#context;
    const { rule, outcome } = book.only('responder-acknowledge', facts);
    const reply = outcomeWord(outcome, 'reply') ?? 'none';
    if (reply === 'none') return;
    const selective = outcomeWord(outcome, 'selective') === 'names';
    const optional = outcomeWord(outcome, 'due') === 'optional';
    pending.add({ ...pendingReply(reply, rule, psn, when), selective, optional });
  }

  /** While the expected packet has arrived, it has its turn. */
  #advance(when: When): void {
    const { book, registers, arrivals, leave } = this.#context;
    for (let one = arrivals.take(); one !== undefined; one = arrivals.take()) {
      const { placed } = one;
      const fetches = placed.work === 'read' || placed.work === 'atomic';
      const event = new ResponderEvent(this.#context, placed.packet);
      if (fetches && registers.fact('placedFault', event) !== 'none')
        return leave('READs and ATOMICs whose R_Key was invalidated while they waited');
      const turn = book.only('responder-turn', registers.facts('responder-turn', event));
      registers.apply('msn', turn.outcome);
      if (placed.ends) this.#complete(one, turn, when);
    }
    arrivals.stands();
  }

  #complete(last: Arrival, { rule, outcome }: Decision, when: When): void {
    const { device, registers, arrivals } = this.#context;
    const { placed, wqe } = last;
    const [first = last] = arrivals.message;
    for (const { spans } of arrivals.message) device.placements.complete(spans, first.count, last.count);
    arrivals.message = [];
    const answered = (outcomeWord(outcome, 'reply') ?? 'none') !== 'none';
    const modifies = outcomeWord(outcome, 'memory') === 'modify';
    if (this.#executions.holds(last.psn)) this.#executions.execute(last, rule, { answered, modifies }, when);
    const key = placed.packet.invalidateRkey;
    if (outcomeWord(outcome, 'invalidation') === 'named' && key !== undefined) this.#invalidate(key);
    if (outcomeWord(outcome, 'completion') !== 'message') return;
    if (wqe === undefined) throw new RangeError(`rule ${rule.id} completes a receive WQE that there is not`);
    registers.do('consumed', { arrival: { receive: wqe } });
    const due = {
      wqe,
      length: placed.offset + placed.length,
      immediate: placed.packet.immediate,
      invalidated: key,
      kind: placed.work === 'send' ? 'receive' : 'receive-write',
      event: when.event,
    } as const;
    this.#receives.expect(due, rule);
  }

  #invalidate(rkey: number): void {
    const { qp, leave } = this.#context;
    const { memory } = qp;
    const region = memory.windows.byRkey(rkey) === undefined ? memory.byRkey(rkey) : undefined;
    if (region?.alive === true && region.pd === qp.pd) region.alive = false;
    else leave('SENDs that invalidate what is no R_Key of a region of their PD');
  }
}
