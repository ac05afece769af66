import type { AccessFlag } from '../../../../spec/verbs.ts';
import type { Region } from './region.ts';

/** What a bound window opens, and the QP by which it was bound: no other may use it. */
export interface Opening {
  readonly region: Region;
  readonly addr: bigint;
  readonly length: number;
  readonly access: readonly AccessFlag[];
  readonly qp: number;
}

/** A memory window of type 2. */
export interface MemoryWindow {
  readonly mw: number;
  readonly pd: number;
  rkey: number;
  /** absent: it is not bound */
  opening: Opening | undefined;
}

const firstKey = 0x8000_0000;

/** The memory windows of one device. The key of a window has 24 bits that say which it is, and 8 that software chooses. */
export class Windows {
  #next = 1;
  readonly #byHandle = new Map<number, MemoryWindow>();

  allocate(pd: number): MemoryWindow {
    const mw = this.#next++;
    const window: MemoryWindow = { mw, pd, rkey: firstKey + mw * 0x100, opening: undefined };
    this.#byHandle.set(mw, window);
    return window;
  }

  /** False where there is no such window. */
  deallocate(mw: number): boolean {
    const window = this.#byHandle.get(mw);
    if (window !== undefined) window.opening = undefined;
    return this.#byHandle.delete(mw);
  }

  byHandle(mw: number): MemoryWindow | undefined {
    return this.#byHandle.get(mw);
  }

  byRkey(rkey: number): MemoryWindow | undefined {
    const window = this.#byHandle.get(Math.floor((rkey - firstKey) / 0x100));
    return window?.rkey === rkey ? window : undefined;
  }

  /** Unbinds the window of a key, which keeps the key; false where there is none that was bound by this QP. */
  invalidate(rkey: number, qp: number): boolean {
    const window = this.byRkey(rkey);
    if (window?.opening?.qp !== qp) return false;
    window.opening = undefined;
    return true;
  }

  usesPd(pd: number): boolean {
    return [...this.#byHandle.values()].some((window) => window.pd === pd);
  }

  /** Whether a window is bound to a region. */
  open(region: Region): boolean {
    return [...this.#byHandle.values()].some(({ opening }) => opening?.region === region);
  }
}
