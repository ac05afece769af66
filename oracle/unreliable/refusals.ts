import type { Packet } from '../../wire/packet.ts';
import type { Region } from '../device/memory.ts';
import { keep } from '../device/keep.ts';
import type { Rule } from '../rules.ts';
import type { UnreliableQp } from './qp.ts';
import type { ReceiveState } from './state.ts';
import { refusedRanges } from './words/memory.ts';

const kept = 256;

/** The newest packets that were discarded, and where they would have written, so that one can be blamed. */
export class Refusals {
  #all: { region: Region; offset: number; payload: Uint8Array; rule: Rule }[] = [];

  add(qp: UnreliableQp, state: ReceiveState, packet: Packet, rule: Rule): void {
    let done = 0;
    const write = state.rest?.write ?? state.write;
    for (const { region, offset, length } of refusedRanges(qp, state, packet, write)) {
      const payload = packet.payload.subarray(done, done + length);
      done += length;
      if (region !== undefined) keep(this.#all, { region, offset, payload, rule }, kept);
    }
  }

  /** Rule that discarded a packet which would have put this byte there. */
  violatedRule(region: Region, offset: number, byte: number): Rule | undefined {
    const found = this.#all.findLast(
      (r) => r.region === region && offset >= r.offset && r.payload[offset - r.offset] === byte,
    );
    return found?.rule;
  }
}
