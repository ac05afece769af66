import type { RequesterEntry, SentEntry } from './entry.ts';
import type { PossibleRequesterStates } from './explore.ts';
import type { RequesterState } from './state.ts';

const isSent = (entry: RequesterEntry): entry is SentEntry => entry.kind === 'sent';

/** A call or completion that came while packets were under way: a packet that is seen after it may have left before. */
export class RacingEntry {
  readonly #explorer: PossibleRequesterStates;
  /** the call or completion */
  readonly entry: RequesterEntry;
  /** before it */
  #ways: RequesterState[];
  #since: RequesterEntry[] = [];

  constructor(explorer: PossibleRequesterStates, ways: readonly RequesterState[], entry: RequesterEntry) {
    this.#explorer = explorer;
    this.#ways = ways.map((state) => state.clone());
    this.entry = entry;
  }

  /** When it came; nanoseconds. */
  get t(): number {
    return this.entry.t;
  }

  /** Something was seen after it. */
  push(entry: RequesterEntry): void {
    this.#since.push(entry);
  }

  /** The ways after all that was seen, where the packet and those in front had left before the entry; `undefined` where there are none. */
  before(packet: RequesterEntry): RequesterState[] | undefined {
    const ways = this.#through(this.#ways, [...this.#since.filter(isSent), packet]);
    const since = this.#since.filter((entry) => !isSent(entry));
    const now = ways && this.#through(ways, [this.entry, ...since]);
    if (ways === undefined || now === undefined) return undefined;
    this.#ways = ways;
    this.#since = since;
    return now;
  }

  /** What events leave of the ways, which stay as they are; `undefined` where that is none, or too many. */
  #through(
    ways: readonly RequesterState[],
    entries: readonly RequesterEntry[],
  ): RequesterState[] | undefined {
    let left = ways.map((state) => state.clone());
    for (const entry of entries) {
      const followed = this.#explorer.follow(left, entry);
      if (followed === 'too many' || followed.ways.length === 0) return undefined;
      left = followed.ways;
    }
    return left.map((state) => state.clone());
  }
}
