import { count } from '../../../report/text.ts';
import type { Connection, ConnectionEnd } from '../../../report/connections/shape.ts';

/** The network damages a packet now and then. So many without a sound one among them it does not. */
const many = 8;
/** Ends that are named. */
const named = 8;

/** Whether all that an end has sent has a wrong ICRC, which no chance does. */
export function allDamaged({ packets, wrongIcrc }: ConnectionEnd): boolean {
  return packets >= many && wrongIcrc === packets;
}

/** Ends of which no packet could be judged, since the ICRC of each is wrong. */
export class DamagedEnds {
  #total = 0;
  readonly #named: string[] = [];

  add({ ends: [one, other] }: Connection): void {
    this.#add(one, other);
    this.#add(other, one);
  }

  #add(end: ConnectionEnd, other: ConnectionEnd): void {
    if (!allDamaged(end)) return;
    this.#total++;
    if (this.#named.length === named) return;
    const { address, packets } = end;
    this.#named.push(`${count(packets, 'packet')} from ${address} to ${other.address}`);
  }

  /** Why nothing wrong does not mean that these ends are sound, in words for people. */
  doubts(): string[] {
    if (this.#total === 0) return [];
    const further = this.#total - this.#named.length;
    const all = [...this.#named, ...(further > 0 ? [`${further} more ends`] : [])].join('; ');
    return [
      `the ICRC is wrong in every packet of an end, which was not judged: ${all}: its NIC computes another one, or a hop or the capture tool changes its packets`,
    ];
  }
}
