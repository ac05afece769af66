import type { CheckResult } from '../../report/check-results.ts';
import type { NotPacket } from '../../wire/packet.ts';

type Skipped = CheckResult['skipped'][number];

/** Reasons that are kept apart; a fuzzed capture must not make the report (or memory) grow without end. */
const mostReasons = 40;

/** Counts the frames that are no packets, by reason. */
export class SkippedFrames {
  readonly #byReason = new Map<string, Skipped>();

  #sealed: { count: number; first: number; reason: string } | undefined;

  add(not: NotPacket, frame: number): void {
    if (not.kind === 'malformed' && not.sealed === true) {
      this.#sealed ??= { count: 0, first: frame, reason: not.reason };
      this.#sealed.count++;
    }
    // Numbers in a reason would make every frame a reason of its own.
    const reason = not.reason.replaceAll(/\b(?:0x[\da-f]+|\d+)\b/g, 'N');
    const key = `${not.kind} ${reason}`;
    const found = this.#byReason.get(key);
    if (found !== undefined) {
      found.count++;
      return;
    }
    const full = this.#byReason.size >= mostReasons;
    const entry = {
      kind: not.kind,
      reason: full ? 'other reasons' : not.reason,
      count: 1,
      firstFrame: frame,
    };
    const other = full ? this.#byReason.get(`${not.kind} other`) : undefined;
    if (other === undefined) this.#byReason.set(full ? `${not.kind} other` : key, entry);
    else other.count++;
  }

  /** What a device has sent that no rule decides. */
  doubts(): string[] {
    if (this.#sealed === undefined) return [];
    const { count, first, reason } = this.#sealed;
    return [
      `malformed packets whose ICRC is right, so that their sender made them so: ${count} (first: frame ${first}: ${reason})`,
    ];
  }

  /** Most frequent first. */
  list(): Skipped[] {
    return [...this.#byReason.values()].toSorted((a, b) => b.count - a.count);
  }
}
