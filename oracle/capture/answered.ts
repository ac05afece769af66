import type { ObservedReply } from '../device/packet/observed-reply.ts';

/** Responses that are remembered at least. */
const kept = 256;

/**
 * The newest responses of a connection. One that says the same once more may be a copy that a mirror or the network has made,
 * however late it comes, and shows nothing about its sender.
 */
export class Answered {
  readonly #said = new Map<number, { word: number; ipId: number | undefined }>();

  /** Whether the same was said before; from now on it was. */
  again({ packet: { opcode, ipId }, psn, syndrome, msn }: ObservedReply): boolean {
    // 32 bits each, so that neither becomes an object
    const key = (opcode << 24) | psn;
    const word = (syndrome << 24) | (msn & 0xffffff);
    const before = this.#said.get(key);
    if (before?.word === word && before.ipId === ipId) return true;
    this.#said.set(key, { word, ipId });
    if (this.#said.size <= 2 * kept) return false;
    let surplus = kept;
    for (const old of this.#said.keys()) {
      if (surplus-- <= 0) break;
      this.#said.delete(old);
    }
    return false;
  }

  clear(): void {
    this.#said.clear();
  }
}
