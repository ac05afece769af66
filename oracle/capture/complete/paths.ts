import type { Packet } from '../../../wire/packet.ts';

/** QPs that are remembered; beyond it, each may be among those that were forgotten. */
const most = 0x10000;

/**
 * Which QPs may have migrated, so that their packets take the alternate path, with an ACK timeout of its own. A QP that has one armed
 * clears MigReq, and one that has migrated sets it. The two paths may have other addresses, so that only the far QP is the same.
 */
export class CapturedPaths {
  readonly #armed = new Set<number>();
  readonly #migrated = new Set<number>();

  #full = false;

  /** Gives the QP that has just been found to use another path, if any. */
  saw({ destQp, migReq }: Packet): number | 'all' | undefined {
    if (this.#full) return undefined;
    if (!migReq) {
      this.#armed.add(destQp);
      if (this.#armed.size < most) return undefined;
      this.found('all');
      return 'all';
    }
    if (!this.#armed.has(destQp) || this.#migrated.has(destQp)) return undefined;
    this.found(destQp);
    return destQp;
  }

  /** That QP, or all of them, may use another path. */
  found(destQp: number | 'all'): void {
    if (destQp === 'all') this.#full = true;
    else this.#migrated.add(destQp);
  }

  /** Whether those that send to that QP may use another path than at first. */
  migrated(destQp: number): boolean {
    return this.#full || this.#migrated.has(destQp);
  }
}
