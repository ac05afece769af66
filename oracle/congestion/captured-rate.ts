import type { Packet } from '../../wire/packet.ts';
import type { Outcome } from '../rules.ts';
import { isReadResponse } from './arrival.ts';
import type { CongestionContext } from './context.ts';
import { CapturedEvent } from './event.ts';
import { CongestionVariables } from './variables.ts';

/** A report that bounds nothing: a formula may give any value. */
const reported = { alpha: 1, rate: 1e30, target: 1e30, atFirstRate: false, atLine: false };

/** Increases at a time; after more, the flow begins anew. */
const mostIncreases = 1000;

/**
 * The most that a flow in a capture may send by the CNPs that have reached its sender. Of several rates that a reaction point may
 * have, the highest is followed, so that what is ahead of it is ahead of each.
 */
export class CapturedRate {
  readonly #context: CongestionContext;
  #registers: CongestionVariables;

  constructor(context: CongestionContext) {
    this.#context = context;
    this.#registers = context.registers();
  }

  /** The rate that it is held to, bits per second. */
  get rate(): number {
    return this.#registers.rate;
  }

  /** A CNP for its QP reached the sender. */
  cnp(t: number): void {
    const { machine } = this.#context;
    this.#reach(t);
    const inputs = new CapturedEvent(this.#context, t);
    if (machine.flag('cnpCounts')(inputs, this.#registers))
      machine.step('cnpCounted')(inputs, this.#registers);
  }

  /**
   * The sender sent a request, or a READ response. Gives the bytes that are more than its rate lets it send of these; `undefined`: nothing
   * limits it yet.
   */
  sent(packet: Packet, t: number): number | undefined {
    const registers = this.#registers;
    if (registers.countedCnp < 0) return undefined;
    this.#reach(t);
    const { machine } = this.#context;
    const inputs = new CapturedEvent(this.#context, t, {
      sent: { frame: packet.frame.length, payload: packet.payloadLength, read: isReadResponse(packet) },
    });
    machine.step('frameCounted')(inputs, registers);
    machine.step('paces')(inputs, registers);
    if (registers.lastCut < 0) return undefined;
    if (!machine.flag('farAhead')(inputs, registers)) return 0;
    const bytes = Math.ceil(machine.number('bitsAhead')(inputs, registers) / 8);
    machine.step('overtakes')(inputs, registers);
    return bytes;
  }

  /** Its QP sent another response, which a byte counter may count as well. */
  answered({ frame, payloadLength }: Packet, t: number): void {
    if (this.#registers.countedCnp < 0) return;
    this.#reach(t);
    const { machine } = this.#context;
    const sent = { frame: frame.length, payload: payloadLength, read: true };
    machine.step('frameCounted')(new CapturedEvent(this.#context, t, { sent }), this.#registers);
  }

  /** What may have become of the rate by then. */
  #reach(t: number): void {
    const { machine } = this.#context;
    const registers = this.#registers;
    const inputs = new CapturedEvent(this.#context, t);
    if (!machine.flag('cutCertain')(inputs, registers)) return this.#increases(t);
    this.#increases(machine.number('cutBy')(inputs, registers));
    // what was sent before the cut, at the rate before it
    for (const step of ['drains', 'responsesDrain'] as const) machine.step(step)(inputs, registers);
    const given = { cnpCame: 'some', cutSpacing: 'due' };
    const cuts = this.#context.ask('rate-cut', inputs, registers, given);
    for (const key of ['targetStep', 'rateStep'])
      for (const { outcomes } of cuts) this.#take(key, outcomes[0] ?? {}, inputs, registers);
    machine.step('cutCounted')(inputs, registers);
    this.#increases(t);
  }

  #increases(t: number): void {
    const { machine } = this.#context;
    for (const cause of ['timer', 'bytes'] as const) {
      const inputs = new CapturedEvent(this.#context, t, { report: { ...reported, cause } });
      const may = machine.flag(cause === 'timer' ? 'timerMayCount' : 'bytesMayCount');
      for (let n = 0; !this.#atLine && may(inputs, this.#registers); n++) {
        if (n === mostIncreases) this.#registers = this.#context.registers();
        this.#increase(inputs);
        machine.step(cause === 'timer' ? 'timerCounted' : 'bytesCounted')(inputs, this.#registers);
      }
    }
  }

  /** Nothing increases it any more. */
  get #atLine(): boolean {
    const { rate, target } = this.#registers;
    const line = this.#context.declared.profile.lineRate ?? 0;
    return rate >= line && target >= line;
  }

  /** The most that any way of counting, and any way of increasing, makes of it. */
  #increase(inputs: CapturedEvent): void {
    const { machine } = this.#context;
    const registers = this.#registers;
    const after = new CongestionVariables();
    let { rate, target } = registers;
    for (const { outcomes } of this.#context.ask('rate-step', inputs, registers))
      for (const outcome of outcomes) {
        machine.layout.copy(registers, after);
        this.#take('targetStep', outcome, inputs, after);
        this.#take('rateStep', outcome, inputs, after);
        rate = Math.max(rate, after.rate);
        target = Math.max(target, after.target);
      }
    registers.rate = rate;
    registers.target = target;
  }

  #take(key: string, outcome: Outcome, inputs: CapturedEvent, registers: CongestionVariables): void {
    if (outcome[key] !== undefined) this.#context.machine.effect(key)(outcome, inputs, registers);
  }
}
