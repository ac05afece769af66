import type { AccessFlag, MwType } from '../../../../spec/verbs.ts';
import type { Region } from './region.ts';

/** What a bound window opens, and the QP by which it was bound: no other may use one of type 2. */
export interface Opening {
  readonly region: Region;
  readonly addr: bigint;
  readonly length: number;
  readonly access: readonly AccessFlag[];
  readonly qp: number;
}

/** A memory window. QPs of its PD may use one of type 1, whichever bound it. */
export interface MemoryWindow {
  readonly mw: number;
  readonly pd: number;
  readonly type: MwType;
  rkey: number;
  /** the key of the binding that was posted last */
  posted: number;
  /** absent: it is not bound */
  opening: Opening | undefined;
}

const firstKey = 0x8000_0000;

/** The memory windows of one device. The key of a window has 24 bits that say which it is, and 8 that software chooses. */
export class Windows {
  #next = 1;
  readonly #byHandle = new Map<number, MemoryWindow>();

  allocate(pd: number, type: MwType): MemoryWindow {
    const mw = this.#next++;
    const rkey = firstKey + mw * 0x100;
    const window: MemoryWindow = { mw, pd, type, rkey, posted: rkey, opening: undefined };
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
    const window = this.named(rkey);
    return window?.rkey === rkey ? window : undefined;
  }

  /** The window that a key names, whichever of its keys that is. */
  named(rkey: number): MemoryWindow | undefined {
    return this.#byHandle.get(Math.floor((rkey - firstKey) / 0x100));
  }

  /** Unbinds the window of type 2 of a key, which keeps the key; false where there is none that was bound by this QP. */
  invalidate(rkey: number, qp: number): boolean {
    const window = this.byRkey(rkey);
    if (window?.opening?.qp !== qp || window.type === 'IBV_MW_TYPE_1') return false;
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
