import type { Packet } from '../../wire/packet.ts';
import type { Region } from '../model/memory.ts';
import { familyOf } from '../model/unreliable-facts.ts';
import { remote } from '../model/unreliable-memory.ts';
import type { ReceiveState, UnreliableQp } from '../model/unreliable-qp.ts';
import type { Rule } from '../rules.ts';

const kept = 256;

/** The newest WRITE packets that were discarded, and where they would have written, so that one can be blamed. */
export class Refusals {
  #all: { region: Region; offset: number; payload: Uint8Array; rule: Rule }[] = [];

  add(qp: UnreliableQp, state: ReceiveState, packet: Packet, rule: Rule): void {
    if (familyOf(packet) !== 'write') return;
    const range = remote(qp, packet.reth ? undefined : state.rest?.message, packet);
    if (range?.region === undefined) return;
    const { region, offset } = range;
    this.#all = [...this.#all.slice(1 - kept), { region, offset, payload: packet.payload, rule }];
  }

  /** Rule that discarded a packet which would have put this byte there. */
  culprit(region: Region, offset: number, byte: number): Rule | undefined {
    const found = this.#all.findLast(
      (r) => r.region === region && offset >= r.offset && r.payload[offset - r.offset] === byte,
    );
    return found?.rule;
  }
}
