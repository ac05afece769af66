import type { Packet } from '../../../wire/packet.ts';
import { keep } from '../../device/keep.ts';
import { outcomeWord, outcomeWords } from '../../rulebook/outcome.ts';
import type { Decision } from '../../rulebook/tables.ts';
import type { When } from '../../spot.ts';
import { placedPacket } from '../packet.ts';
import type { PlacedPacket } from '../packet.ts';
import { destination, mayBeClosed } from '../qp.ts';
import type { OooResponderContext } from './context.ts';
import { ResponderEvent } from './event.ts';
import type { Executions } from './executions.ts';
import { numbersFit, sameRequest } from './numbers.ts';
import { pendingReply } from './pending.ts';
import type { ReceiveCompletions } from './receives.ts';
import { sequenceFits } from './sequence.ts';
import type { Turns } from './turns.ts';

const droppedKept = 64;

/** What becomes of a request that reaches a responder: it is dropped, has come before, or is kept. */
export class Intake {
  readonly #context: OooResponderContext;
  readonly #executions: Executions;
  readonly #receives: ReceiveCompletions;
  readonly #turns: Turns;

  constructor(
    context: OooResponderContext,
    executions: Executions,
    receives: ReceiveCompletions,
    turns: Turns,
  ) {
    this.#context = context;
    this.#executions = executions;
    this.#receives = receives;
    this.#turns = turns;
  }

  packet(packet: Packet, when: When): void {
    const { book, registers, leave } = this.#context;
    const event = new ResponderEvent(this.#context, packet);
    const admission = book.only('responder-admission', registers.facts('responder-admission', event));
    if (!goesOn(admission)) return this.#drop(admission, event, undefined, when);
    const placed = placedPacket(packet);
    if (placed === undefined) return leave('packets that are no requests of an out-of-order QP');
    this.#arrive(placed, event, when);
  }

  #arrive(placed: PlacedPacket, event: ResponderEvent, when: When): void {
    const { book, qp, device, registers, arrivals, leave } = this.#context;
    const arrival = book.only('responder-arrival', registers.facts('responder-arrival', event));
    if (!goesOn(arrival)) return this.#drop(arrival, event, placed, when);
    if (outcomeWord(arrival.outcome, 'copy') === 'repeat') return this.#again(placed, event, when);
    if (!registers.is('shapeFits', event))
      return leave('packets whose length or offset is not that of their place');
    if (!numbersFit(registers, arrivals, placed))
      return leave('packets whose numbers are not those of their place');
    if (!sequenceFits(registers, arrivals, placed))
      return leave('packets that are not parts of messages one behind the other');
    const match = book.only('responder-match', registers.facts('responder-match', event));
    const refused = outcomeWord(match.outcome, 'reply') === 'rnr-nak';
    // nobody sees which of both a responder looks at first
    if (refused && placed.work !== 'send' && registers.fact('placedFault', event) !== 'none')
      return leave('packets that find no receive WQE and have another fault');
    if (!goesOn(match)) return this.#drop(match, event, placed, when);
    if (mayBeClosed(qp, placed)) return leave('memory windows of out-of-order QPs that may be bound or not');
    const { receive } = event;
    const facts = registers.facts('responder-check', event);
    const check = book.only('responder-check', facts);
    if (outcomeWord(check.outcome, 'followed') === 'never')
      return leave('faults on out-of-order QPs other than those of access');
    if (goesOn(check)) return this.#turns.keep(placed, event, when);
    this.#drop(check, event, placed, when);
    // what fits of it may have been placed before the rest was looked at
    const { placedFault } = facts;
    if (placedFault === 'too-long' || placedFault === 'receive-memory')
      device.placements.leaveOpen(destination(qp, placed, receive), arrivals.count(placed.packet.psn));
    const statuses = outcomeWords(check.outcome, 'status');
    if (statuses.length > 0 && receive !== undefined)
      this.#receives.refuse({ wqe: receive, statuses, rule: check.rule, event: when.event });
  }

  #drop(by: Decision, event: ResponderEvent, placed: PlacedPacket | undefined, when: When): void {
    const { qp, device, registers, pending, dropped } = this.#context;
    const { packet } = event;
    const spans = placed === undefined ? [] : destination(qp, placed, event.receive);
    if (placed?.work !== 'read') device.placements.mark(spans, 'refused');
    keep(dropped, { rule: by.rule, packet, spans }, droppedKept);
    const reply = outcomeWord(by.outcome, 'reply') ?? 'none';
    if (reply === 'none') return;
    const nakCodes = by.rule.outcomes.flatMap((outcome) => outcomeWords(outcome, 'nakCode'));
    pending.add({ ...pendingReply(reply, by.rule, packet.psn, when), nakCodes });
    if (by.rule.outcomes.every(({ qp: state }) => state === 'error')) registers.apply('qp', by.outcome);
  }

  /** A packet that has arrived before. */
  #again(placed: PlacedPacket, event: ResponderEvent, when: When): void {
    const { book, qp, device, registers, arrivals, pending, leave } = this.#context;
    const { work, packet } = placed;
    const { psn } = packet;
    const first = arrivals.window.get(psn) ?? arrivals.find(psn)?.arrival;
    if ((work === 'read' || work === 'atomic') && first !== undefined && !sameRequest(first.placed, placed))
      return leave('duplicates of READs and ATOMICs that are not what they were');
    const { rule, outcome } = book.only('responder-duplicate', registers.facts('responder-duplicate', event));
    const wqe = work === 'send' ? arrivals.window.get(psn)?.wqe : undefined;
    if (work !== 'read' && work !== 'atomic')
      device.placements.mark(destination(qp, placed, wqe), 'repeated');
    const reply = outcomeWord(outcome, 'reply');
    if (outcomeWord(outcome, 'due') === 'optional') return this.#executions.leaveOpen(psn);
    if (reply === 'read-response' && registers.fact('placedFault', event) !== 'none')
      return leave('duplicates of READs whose R_Key grants nothing any more');
    if (reply === 'read-response' || reply === 'atomic-ack') {
      const kept = arrivals.record(psn, qp.maxDestRdAtomic ?? 0);
      if (kept === undefined) return;
      this.#executions.ask(kept, rule, outcomeWord(outcome, 'value') === 'recorded', when);
      if (work === 'atomic') device.placements.mark(kept.arrival.spans, 'repeated');
      return;
    }
    if (outcomeWord(outcome, 'next') !== undefined)
      return this.#turns.acknowledge(psn, registers.facts('responder-acknowledge', event), when);
    if (reply !== undefined && reply !== 'none') pending.add(pendingReply(reply, rule, psn, when));
  }
}

function goesOn({ outcome }: Decision): boolean {
  return outcomeWord(outcome, 'next') !== undefined;
}
