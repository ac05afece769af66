import type { RequesterEntry } from './entry.ts';
import type { PossibleRequesterStates } from './explore.ts';
import { RacingEntry } from './racing-entry.ts';
import { earliestDeparture, type Requester } from './requester.ts';
import type { RequesterState } from './state.ts';

/**
 * Packets that left before a call or completion and are seen behind it. Keeps the call or completion that such packets may be seen
 * behind, and a completion that nothing but such a packet can explain.
 */
export class Overtaking {
  readonly #requester: Requester;
  readonly #explorer: PossibleRequesterStates;
  #racing: RacingEntry | undefined;
  #early: RacingEntry | undefined;

  constructor(requester: Requester, explorer: PossibleRequesterStates) {
    this.#requester = requester;
    this.#explorer = explorer;
  }

  /** Something is seen behind these ways; `unsettled`: packets are under way. */
  seen(entry: RequesterEntry, ways: readonly RequesterState[], unsettled: boolean): void {
    if (this.#races(entry, unsettled)) this.#racing = this.#entry(entry, ways);
  }

  #races(entry: RequesterEntry, unsettled: boolean): boolean {
    if (entry.kind === 'call') return entry.commutes !== true && unsettled;
    if (entry.kind !== 'completion' || this.#requester.timing.jitter === 0) return false;
    return this.#racing === undefined || earliestDeparture(this.#requester, entry.t) > this.#racing.t;
  }

  #entry(entry: RequesterEntry, ways: readonly RequesterState[]): RacingEntry {
    return this.#racing?.entry === entry ? this.#racing : new RacingEntry(this.#explorer, ways, entry);
  }

  /** It is explained by what was seen before it. */
  explained(entry: RequesterEntry): void {
    if (this.#racing?.entry !== entry) this.#racing?.push(entry);
  }

  /** The ways in which a packet left before the call or completion that it is seen behind; `late`: before the end of a life. */
  sooner(packet: RequesterEntry, late: boolean): RequesterState[] | undefined {
    const racing = this.#racing;
    if (racing === undefined) return undefined;
    return late || earliestDeparture(this.#requester, packet.t) <= racing.t
      ? racing.before(packet)
      : undefined;
  }

  /** Keeps a completion that nothing explains, if it may be one of requests that are seen behind it; gives whether it does. */
  keeps(entry: RequesterEntry, ways: readonly RequesterState[]): boolean {
    const { timing } = this.#requester;
    const mayBeEarly =
      entry.kind === 'completion' && timing.jitter > 0 && ways.some(({ head, tail }) => head < tail);
    if (mayBeEarly) this.#early = this.#entry(entry, ways);
    return mayBeEarly;
  }

  /**
   * What an event makes of a completion that is kept: the ways that explain both, or that neither is certain yet, or nothing will explain
   * it any more. `undefined` where none is kept.
   */
  explains(entry: RequesterEntry): RequesterState[] | 'perhaps' | 'never' | undefined {
    const early = this.#early;
    if (early === undefined) return undefined;
    if (earliestDeparture(this.#requester, entry.t) > early.t) return 'never';
    const ways = entry.kind === 'sent' ? early.before(entry) : undefined;
    if (ways === undefined) {
      early.push(entry);
      return 'perhaps';
    }
    this.#racing = early;
    this.#early = undefined;
    return ways;
  }

  /** The completion that is kept, which nothing has explained. */
  givenUp(): RequesterEntry | undefined {
    const early = this.#early;
    this.#early = undefined;
    return early?.entry;
  }

  /** Everything is at rest. */
  rested(): void {
    this.#racing = undefined;
  }
}
