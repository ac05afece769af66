import type { Wc } from '../../../spec/verbs.ts';
import type { Packet } from '../../../wire/packet.ts';
import { keep } from '../../device/keep.ts';
import type { Region } from '../../device/memory.ts';
import { requestShape } from '../../device/packet/opcode-shape.ts';
import type { Rule } from '../../rules.ts';
import type { UnreliableQp } from '../qp.ts';
import type { ReceiveState } from './state.ts';
import { refusedRanges } from '../words/memory.ts';

const discardsKept = 64;
const refusalsKept = 256;

/** A packet that was discarded, and by which rule. */
interface Discard {
  rule: Rule;
  /** the rule that says what software is to see of it */
  reportedBy: Rule | undefined;
  packet: Packet;
  /** it was for no QP, or for another one */
  stray?: boolean;
}

const admission = new Set(['uc-responder-admission', 'ud-responder-admission']);

/** The newest packets that were discarded, so that one can be blamed for what the device did all the same. */
export class Discards {
  readonly #qp: UnreliableQp;
  /** since the device last had time to settle */
  #all: Discard[] = [];
  /** what a message fails by first of all: the newest packet that got as far as one and was discarded, or cut one short */
  #inMessage: Rule | undefined;
  /** where they would have written */
  #refusals: { region: Region; offset: number; payload: Uint8Array; rule: Rule }[] = [];

  constructor(qp: UnreliableQp) {
    this.#qp = qp;
  }

  /** `state`: behind the packet. */
  add(state: ReceiveState, discard: Discard): void {
    keep(this.#all, discard, discardsKept);
    const { packet, rule, reportedBy, stray } = discard;
    if (stray !== true && !admission.has(rule.table)) this.#inMessage = reportedBy ?? rule;
    const write = state.rest?.write ?? state.write;
    let done = 0;
    for (const { region, offset, length } of refusedRanges(this.#qp, state, packet, write)) {
      const payload = packet.payload.subarray(done, done + length);
      done += length;
      if (region !== undefined) keep(this.#refusals, { region, offset, payload, rule }, refusalsKept);
    }
  }

  /** A message began where another one was to go on. */
  restart(rule: Rule): void {
    this.#inMessage = rule;
  }

  get any(): boolean {
    return this.#all.length > 0;
  }

  get newest(): Discard | undefined {
    return this.#all.at(-1);
  }

  forget(): void {
    this.#all = [];
    this.#inMessage = undefined;
  }

  /** The rule by which a packet was discarded, or a message given up, that would explain the completion if it had not been. */
  explaining(state: ReceiveState, wc: Wc): Rule | undefined {
    // a packet that was not admitted is not likely to make a WQE fail, and one for another QP least of all
    const newest = this.#all.findLast(({ stray }) => stray !== true) ?? this.newest;
    if (wc.status !== 'IBV_WC_SUCCESS') return this.#inMessage ?? newest?.reportedBy ?? newest?.rule;
    const last = this.#all.filter(({ packet }) => {
      const { ends, family, immediate } = requestShape(packet.opcode);
      return ends && (family === 'send' || immediate);
    });
    const front = state.machine.number('front')({ qp: this.#qp }, state);
    const fits = last.findLast(({ packet }) => wc.byte_len === packet.payloadLength + front);
    return (fits ?? last.at(-1) ?? newest)?.rule;
  }

  /** The rule that discarded a packet which would have put this byte there. */
  writing(region: Region, offset: number, byte: number): Rule | undefined {
    const found = this.#refusals.findLast(
      (r) => r.region === region && offset >= r.offset && r.payload[offset - r.offset] === byte,
    );
    return found?.rule;
  }
}
