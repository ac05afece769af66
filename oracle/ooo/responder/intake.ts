import type { Packet } from '../../../wire/packet.ts';
import { keep } from '../../device/keep.ts';
import { outcomeWord, outcomeWords } from '../../rulebook/outcome.ts';
import type { Decision } from '../../rulebook/tables.ts';
import type { When } from '../../spot.ts';
import { overlaps } from '../memory.ts';
import { placedPacket } from '../packet.ts';
import type { PlacedPacket } from '../packet.ts';
import { admissionFacts, bufferOf, destination, faultOf } from '../qp.ts';
import type { OooResponderContext } from './context.ts';
import type { Executions } from './executions.ts';
import { owedReply } from './pending.ts';
import type { ReceiveCompletions } from './receives.ts';
import type { Turns } from './turns.ts';

const droppedKept = 64;
/** PSNs of which half are ahead, where the device declares no window */
const halfOfAll = 0x800000;

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
    const { book, qp, leave } = this.#context;
    const admission = book.only('responder-admission', admissionFacts(qp, packet));
    if (!goesOn(admission)) return this.#drop(admission, packet, undefined, when);
    const placed = placedPacket(packet);
    if (placed === undefined) return leave('packets that are no requests of an out-of-order QP');
    this.#arrive(placed, when);
  }

  #arrive(placed: PlacedPacket, when: When): void {
    const { book, qp, device, arrivals, leave } = this.#context;
    const psn = arrivals.psns.near(placed.packet.psn, arrivals.next);
    const track = arrivals.track(psn, device.profile?.window ?? halfOfAll);
    const arrival = book.only('responder-arrival', { track });
    const next = outcomeWord(arrival.outcome, 'next');
    if (next === undefined) return this.#drop(arrival, placed.packet, placed, when);
    if (next === 'ooo-responder-duplicate') return this.#again(placed, psn, when);
    const turn = psn !== arrivals.next ? 'early' : 'next';
    const wqe = this.#receiveOf(placed);
    const match = book.only('responder-match', this.#matchFacts(placed, turn, wqe));
    if (!goesOn(match)) return this.#drop(match, placed.packet, placed, when, psn);
    const placedFault = faultOf(qp, placed, wqe);
    const check = book.only('responder-check', { turn, placedFault });
    if (placedFault === 'other') return leave('faults on out-of-order QPs other than those of access');
    if (goesOn(check)) return this.#turns.keep(placed, psn, wqe, when);
    this.#drop(check, placed.packet, placed, when, psn);
    // what fits of it may have been placed before the rest was looked at
    if (placedFault === 'too-long' || placedFault === 'receive-memory')
      device.placements.leaveOpen(destination(qp, placed, wqe), psn);
    const statuses = outcomeWords(check.outcome, 'status');
    if (statuses.length > 0 && wqe !== undefined)
      this.#receives.refuse({ wqe, statuses, rule: check.rule, event: when.event });
  }

  /** Index of the receive WQE with the number that the packet carries, if it is posted. */
  #receiveOf({ work, receiveNumber }: PlacedPacket): number | undefined {
    const { qp, arrivals, firstReceive } = this.#context;
    if ((work !== 'send' && work !== 'write-immediate') || receiveNumber === undefined) return undefined;
    const distance = ((receiveNumber - (arrivals.consumed & 0xffffff)) << 8) >> 8;
    const index = firstReceive + arrivals.consumed + distance;
    return index < qp.posted.length && distance >= 0 ? index : undefined;
  }

  #matchFacts(placed: PlacedPacket, turn: string, wqe: number | undefined): Record<string, string> {
    const { qp, device, arrivals } = this.#context;
    const { work, readNumber } = placed;
    const takes = work === 'send' || work === 'write-immediate';
    const fetches = work === 'read' || work === 'atomic';
    const distance = (((readNumber ?? 0) - (arrivals.reads & 0xffffff)) << 8) >> 8;
    const own = distance >= 0 && distance < (qp.maxDestRdAtomic ?? 0);
    return {
      turn,
      numberedReceive: !takes ? 'not-needed' : wqe === undefined ? 'unposted' : 'posted',
      readSlot: !fetches ? 'not-needed' : own ? 'own' : 'outside',
      fencing: device.profile?.fence ?? 'application',
      overlap: work === 'send' && this.#meetsOlder(wqe) ? 'older' : 'none',
    };
  }

  /** Whether the buffer of the receive WQE is in part that of an older one whose message is not complete. */
  #meetsOlder(wqe: number | undefined): boolean {
    const { qp, arrivals, firstReceive } = this.#context;
    if (wqe === undefined) return false;
    const own = bufferOf(qp, wqe);
    for (let older = firstReceive + arrivals.consumed; older < wqe; older++)
      if (overlaps(own, bufferOf(qp, older))) return true;
    return false;
  }

  #drop(by: Decision, packet: Packet, placed: PlacedPacket | undefined, when: When, psn?: number): void {
    const { qp, device, owed, dropped, arrivals } = this.#context;
    const spans = placed === undefined ? [] : destination(qp, placed, this.#receiveOf(placed));
    if (placed?.work !== 'read') device.placements.mark(spans, 'refused');
    keep(dropped, { rule: by.rule, packet, spans }, droppedKept);
    const reply = outcomeWord(by.outcome, 'reply') ?? 'none';
    if (reply === 'none') return;
    const counted = psn ?? arrivals.psns.near(packet.psn, arrivals.next);
    const nakCodes = by.rule.outcomes.flatMap((outcome) => outcomeWords(outcome, 'nakCode'));
    owed.add({ ...owedReply(reply, by.rule, when), psn: counted, nakCodes });
    if (outcomeWord(by.outcome, 'qp') === 'error') this.#context.failed = true;
  }

  /** A packet that has arrived before. */
  #again(placed: PlacedPacket, psn: number, when: When): void {
    const { book, qp, device, arrivals, owed, leave } = this.#context;
    const { work } = placed;
    const fetches = work === 'read' || work === 'atomic';
    const kept = this.#executions.record(psn);
    const known = kept !== undefined && kept.arrival.placed.work === work;
    const waiting = psn >= arrivals.next;
    const repeatRecord = !fetches ? 'not-needed' : waiting ? 'waiting' : known ? 'kept' : 'evicted';
    const { rule, outcome } = book.only('responder-duplicate', { placedWork: work, repeatRecord });
    const wqe = work === 'send' ? arrivals.window.get(psn)?.wqe : undefined;
    if (!fetches) device.placements.mark(destination(qp, placed, wqe), 'repeated');
    const reply = outcomeWord(outcome, 'reply');
    if (rule.outcomes.length > 1) return this.#executions.leaveOpen(psn);
    if (reply === 'read-response' && faultOf(qp, placed, undefined) !== 'none')
      return leave('duplicates of READs whose R_Key grants nothing any more');
    if (reply === 'read-response' || reply === 'atomic-ack') {
      if (kept === undefined) return;
      this.#executions.ask(kept, rule, outcomeWord(outcome, 'value') === 'recorded', when);
      if (work === 'atomic') device.placements.mark(kept.arrival.spans, 'repeated');
      return;
    }
    if (outcomeWord(outcome, 'next') !== undefined)
      return this.#turns.acknowledge(placed, 'again', psn, when);
    if (reply !== undefined && reply !== 'none') owed.add({ ...owedReply(reply, rule, when), psn });
  }
}

function goesOn({ outcome }: Decision): boolean {
  return outcomeWord(outcome, 'next') !== undefined;
}
