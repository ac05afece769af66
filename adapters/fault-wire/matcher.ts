import type { Packet } from '../../wire/packet.ts';
import { psnAdd } from '../../wire/psn.ts';
import { isOfClass } from './classify.ts';
import type { Direction, WireFault } from './plan.ts';

/** Finds the faults that apply to each packet of a connection, counting ordinals and transmissions as it goes. */
export class FaultMatcher {
  private readonly faults: readonly WireFault[];
  private readonly firstPsn: number;
  /** packets that fitted each fault's other criteria so far */
  private readonly fitted: number[];
  private readonly sent = {
    'to-responder': new Map<number, number>(),
    'to-requester': new Map<number, number>(),
  };

  /** `firstPsn` is the PSN that `psnOffset` counts from. */
  constructor(faults: readonly WireFault[], firstPsn: number) {
    this.faults = faults;
    this.firstPsn = firstPsn;
    this.fitted = faults.map(() => 0);
  }

  /** The faults for this packet, in the order of the plan. Call it once per packet. */
  match(direction: Direction, packet: Packet): WireFault[] {
    const key = packet.psn * 256 + packet.opcode;
    const transmission = this.sent[direction].get(key) ?? 0;
    this.sent[direction].set(key, transmission + 1);
    const hits: WireFault[] = [];
    for (const [i, fault] of this.faults.entries()) {
      if (fault.direction !== direction) continue;
      const { match } = fault;
      if (match.class !== undefined && !isOfClass(packet, match.class)) continue;
      if (match.opcode !== undefined && match.opcode !== packet.opcode) continue;
      if (match.psnOffset !== undefined && psnAdd(this.firstPsn, match.psnOffset) !== packet.psn) continue;
      if (match.transmission !== undefined && match.transmission !== transmission) continue;
      const ordinal = this.fitted[i] ?? 0;
      this.fitted[i] = ordinal + 1;
      if (match.ordinal === undefined || match.ordinal === ordinal) hits.push(fault);
    }
    return hits;
  }
}
