import type { Packet } from '../../../wire/packet.ts';
import type { CongestionContext, Hold, Inputs } from '../context.ts';
import { ruleWord } from '../../rulebook/outcome.ts';
import { isReadResponse } from '../arrival.ts';
import { RateEvent } from '../event.ts';
import type { Spot } from '../../spot.ts';
import type { Limiter } from './limiter.ts';
import { cameInTime } from './overdue.ts';
import { rateInUnits } from '../../rate-units.ts';

/** Judges the requests and READ responses that a limited QP sends against its rate, and excuses what the rate keeps from leaving. */
export class RatePace {
  readonly #context: CongestionContext;
  readonly #hold: Hold;

  constructor(context: CongestionContext, hold: Hold) {
    this.#context = context;
    this.#hold = hold;
  }

  /** The device sent a request of the QP. */
  requested(limiter: Limiter, packet: Packet, event: number, t: number): void {
    const { machine } = this.#context;
    const { registers } = limiter;
    const sent = { frame: packet.frame.length, payload: packet.payloadLength, read: false };
    const inputs = new RateEvent(limiter, this.#context, t, { sent });
    const paced = machine.flag('paced')(inputs, registers);
    if (registers.backlog !== 'none') this.#leaves(limiter, inputs, event, t);
    machine.step('counts')(inputs, registers);
    if (limiter.counted !== undefined) this.#counted(limiter, limiter.counted, sent.frame, inputs.made);
    this.hold(limiter, packet.frame.length, t);
    if (paced) this.#paces(limiter, inputs, { event, t, qp: limiter.qp.name });
  }

  /** The device sent a response of the QP. */
  responded(limiter: Limiter, packet: Packet, event: number, t: number): void {
    const { machine } = this.#context;
    const { registers } = limiter;
    const read = isReadResponse(packet);
    const sent = { frame: packet.frame.length, payload: packet.payloadLength, read };
    const inputs = new RateEvent(limiter, this.#context, t, { sent });
    const paced = machine.flag('paced')(inputs, registers);
    machine.step('responseCounts')(inputs, registers);
    const { counted } = limiter;
    if (counted !== undefined && inputs.made <= counted.spot.t)
      this.#counted(limiter, counted, sent.frame, inputs.made);
    if (!read) return;
    this.hold(limiter, packet.frame.length, t);
    if (paced) this.#paces(limiter, inputs, { event, t, qp: limiter.qp.name });
  }

  /** What has left counts against the rate. */
  #paces(limiter: Limiter, inputs: RateEvent, spot: Spot): void {
    const { machine } = this.#context;
    const { registers } = limiter;
    machine.step('paces')(inputs, registers);
    const ahead =
      machine.number('bitsAhead')(inputs, registers) - machine.number('burstBits')(inputs, registers);
    if (ahead <= 0) this.#context.refrained('pace', inputs, registers, { pace: 'ahead' });
    const rule = this.#context.rule('pace', inputs, registers);
    if (ahead > 0) machine.step('overtakes')(inputs, registers);
    if (ruleWord(rule, 'comes') !== 'forbidden') return;
    const expected = `payload of no more than ${rateInUnits(registers.rate)}`;
    this.#context.violate(rule, spot, expected, `${Math.ceil(ahead / 8)} bytes more`);
  }

  /** The byte counter had counted a packet that leaves now, if it was in the port by then. */
  #counted(
    limiter: Limiter,
    { rule, spot, bytes, observed }: NonNullable<Limiter['counted']>,
    frame: number,
    made: number,
  ): void {
    const left = made <= spot.t ? bytes - frame : bytes;
    limiter.counted = left > 0 && left < bytes ? { rule, spot, bytes: left, observed } : undefined;
    if (left === bytes) this.#context.violate(rule, spot, 'no bytes yet', observed);
  }

  /** Nothing of the QP is in the port any more. */
  rests({ counted }: Limiter): void {
    if (counted !== undefined)
      this.#context.violate(counted.rule, counted.spot, 'no bytes yet', counted.observed);
  }

  /** A packet less is left; where the rate had to be waited for, it was. */
  #leaves(limiter: Limiter, inputs: Inputs, event: number, t: number): void {
    const { machine } = this.#context;
    const { registers } = limiter;
    if (machine.flag('punctual')(inputs, registers)) cameInTime(this.#context, limiter, 'packet', t);
    machine.step('leaves')(inputs, registers);
    limiter.packetBehind = event;
  }

  /** At its rate, a QP may be kept from sending for some time after so many bytes; without a number, after the longest packet. */
  hold(limiter: Limiter, bytes: number | undefined, t: number): void {
    const { machine } = this.#context;
    const { registers } = limiter;
    const inputs = new RateEvent(limiter, this.#context, t);
    if (!machine.flag('holding')(inputs, registers)) return;
    const frame = bytes ?? machine.number('largestPacket')(inputs, registers);
    const sent = new RateEvent(limiter, this.#context, t, { sent: { frame, payload: 0, read: false } });
    const wait = machine.number('heldFor')(sent, registers);
    this.#hold(limiter.qp, t, t + wait);
  }
}
