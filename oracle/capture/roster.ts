/** Connections that are followed at a time; those that are quiet for longest are followed no further. */
export const mostFollowed = 0x4000;

/** A connection among those that are followed, as the requests to one QP name it. */
export interface Seat {
  readonly addressKey: string;
  readonly destQp: number;
  /** time of the newest request, nanoseconds */
  last: number;
}

const nobody: readonly Seat[] = [];

/** Who is followed in a capture, so that memory does not grow with the number of connections. */
export class Roster {
  readonly #seats = new Map<string, Map<number, Seat>>();
  #followed = 0;

  /** A request to a QP that is known: `undefined` where it is not. */
  at(addressKey: string, destQp: number): Seat | undefined {
    return this.#seats.get(addressKey)?.get(destQp);
  }

  /** The first request to a QP. */
  add(addressKey: string, destQp: number, t: number): Seat {
    const seat = { addressKey, destQp, last: t };
    const pair = this.#seats.get(addressKey);
    if (pair === undefined) this.#seats.set(addressKey, new Map([[destQp, seat]]));
    else pair.set(destQp, seat);
    this.#followed++;
    return seat;
  }

  /** The half that has been quiet for longest, once there are too many: they are on it no more. */
  over(): readonly Seat[] {
    if (this.#followed <= mostFollowed) return nobody;
    const all = [...this.#seats.values()].flatMap((pair) => [...pair.values()]);
    const times = all.map(({ last }) => last).toSorted((a, b) => a - b);
    const limit = times[times.length >>> 1] ?? Infinity;
    const quiet = all.filter(({ last }) => last <= limit);
    for (const { addressKey, destQp } of quiet) {
      const pair = this.#seats.get(addressKey);
      pair?.delete(destQp);
      if (pair?.size === 0) this.#seats.delete(addressKey);
    }
    this.#followed -= quiet.length;
    return quiet;
  }
}
