import type { AccessFlag, MwType, WindowBinding } from '../../../spec/verbs.ts';

/** What a key of a memory window opens, once it is bound; `Region`: as it is in the memory of the device. */
export interface WindowKey<Region> {
  readonly mw: number;
  readonly type: MwType;
  /** absent: nobody has asked for it to be bound */
  readonly region: Region | undefined;
  readonly addr: bigint;
  readonly length: number;
  readonly access: readonly AccessFlag[];
  /** handle of the QP by which it was bound */
  readonly qp: number | undefined;
  /** `maybe`: its binding has not completed, or something has happened that may have ended it */
  bound: 'no' | 'maybe' | 'yes';
  /** `maybe`: a SEND that is to invalidate it has come to its QP; `yes`: and has completed. What packets find is kept for each QP. */
  invalidated: 'no' | 'maybe' | 'yes';
}

/** A work request that is to bind a window, or to end that. */
interface Pending<Region> {
  key: WindowKey<Region>;
  binds: boolean;
  /** what the key was until then */
  before: WindowKey<Region>['bound'];
  rkey: number;
  qpNumber: number;
  wrId: number;
  /** it is fenced, and a READ or ATOMIC before it is surely unanswered, so that it has not been carried out */
  waits: boolean;
}

/** A work request about a window, as it was posted to a QP. */
interface PostedLocal {
  qp: { handle: number; qpNumber: number };
  wrId: number;
  waits: boolean;
}

/** The memory windows of a device, by the keys that they have had. */
export class Windows<Region> {
  /** by handle; `rkey`: the current one */
  readonly #windows = new Map<number, { pd: number; type: MwType; rkey: number }>();
  readonly #keys = new Map<number, WindowKey<Region>>();
  #pending: Pending<Region>[] = [];

  allocated(mw: number, pd: number, rkey: number, type: MwType = 'IBV_MW_TYPE_2'): void {
    this.#windows.set(mw, { pd, type, rkey });
    this.#keys.set(rkey, {
      mw,
      type,
      region: undefined,
      addr: 0n,
      length: 0,
      access: [],
      qp: undefined,
      bound: 'no',
      invalidated: 'no',
    });
  }

  deallocated(mw: number): void {
    this.#windows.delete(mw);
    for (const key of this.#keys.values()) if (key.mw === mw) key.bound = 'no';
    this.#pending = this.#pending.filter(({ key }) => key.mw !== mw);
  }

  pdOf(mw: number): number | undefined {
    return this.#windows.get(mw)?.pd;
  }

  typeOf(mw: number): MwType | undefined {
    return this.#windows.get(mw)?.type;
  }

  /** The key that a window has had last. */
  keyOf(mw: number): number | undefined {
    return this.#windows.get(mw)?.rkey;
  }

  usesPd(pd: number): boolean {
    return [...this.#windows.values()].some((window) => window.pd === pd);
  }

  /** A key that a window has, or has had. */
  byRkey(rkey: number): WindowKey<Region> | undefined {
    return this.#keys.get(rkey);
  }

  /** Whether a window is bound, or may be, under another key than this one. */
  mayBeBound(mw: number, besides: number): boolean {
    return [...this.#keys].some(([rkey, key]) => rkey !== besides && key.mw === mw && boundNow(key) !== 'no');
  }

  /** Whether a window is bound by this QP, or may be. */
  mayHold(qp: number): boolean {
    return [...this.#keys.values()].some((key) => key.qp === qp && boundNow(key) !== 'no');
  }

  /** A QP was asked to bind a window. */
  asked(binding: WindowBinding, region: Region | undefined, { qp, wrId, waits }: PostedLocal): void {
    const { mw, rkey, addr, length, access, type = 'IBV_MW_TYPE_2' } = binding;
    if (!waits) this.#doubt(mw);
    const state = { bound: waits ? 'no' : 'maybe', invalidated: 'no' } as const;
    const key: WindowKey<Region> = { mw, type, region, addr, length, access, qp: qp.handle, ...state };
    this.#keys.set(rkey, key);
    this.#pending.push({ key, binds: true, before: 'no', rkey, qpNumber: qp.qpNumber, wrId, waits });
  }

  #doubt(mw: number): void {
    for (const key of this.#keys.values()) if (key.mw === mw && key.bound === 'yes') key.bound = 'maybe';
  }

  /** A QP was asked to end what a key opens. */
  endAsked(rkey: number, { qp: { qpNumber }, wrId, waits }: PostedLocal): void {
    const key = this.#keys.get(rkey);
    if (key === undefined) return;
    this.#pending.push({ key, binds: false, before: boundNow(key), rkey, qpNumber, wrId, waits });
    if (key.bound === 'yes' && !waits) key.bound = 'maybe';
  }

  /** What a QP has held back behind READs and ATOMICs may be carried out from now on. */
  released(qpNumber: number): void {
    for (const one of this.#pending) {
      if (!one.waits || one.qpNumber !== qpNumber) continue;
      one.waits = false;
      if (one.binds) this.#doubt(one.key.mw);
      if (one.binds || one.key.bound === 'yes') one.key.bound = 'maybe';
    }
  }

  /** Whether a key was bound before the newest work request that is under way for it. */
  boundBefore(rkey: number): WindowKey<Region>['bound'] | undefined {
    const key = this.#keys.get(rkey);
    return this.#pending.findLast((one) => one.rkey === rkey)?.before ?? (key && boundNow(key));
  }

  /** Whether a window is bound to a region. */
  boundTo(region: Region): WindowKey<Region>['bound'] {
    const states = [...this.#keys.values()].filter((key) => key.region === region).map(boundNow);
    return states.includes('yes') ? 'yes' : states.includes('maybe') ? 'maybe' : 'no';
  }

  /** A SEND that is to invalidate a key has come to a QP (`maybe`), or has completed there (`yes`). */
  invalidated(rkey: number, qp: number | undefined, how: 'maybe' | 'yes'): void {
    const key = this.#keys.get(rkey);
    if (key !== undefined && key.qp === qp && key.invalidated !== 'yes') key.invalidated = how;
  }

  /** A work request has completed. */
  completed(qpNumber: number, wrId: number, success: boolean): void {
    const place = this.#pending.findIndex((one) => one.qpNumber === qpNumber && one.wrId === wrId);
    const pending = this.#pending[place];
    if (pending === undefined) return;
    this.#pending.splice(place, 1);
    // what stood before it and asked for no completion has been carried out as well
    const passed = this.#pending.filter((one, i) => i < place && one.qpNumber === qpNumber);
    this.#pending = this.#pending.filter((one) => !passed.includes(one));
    for (const one of passed) this.#carriedOut(one, true);
    this.#carriedOut(pending, success);
  }

  #carriedOut({ key, rkey, binds }: Pending<Region>, success: boolean): void {
    if (!binds) {
      if (success) key.bound = 'no';
      return;
    }
    const later = this.#pending.filter((one) => one.binds).map((one) => one.key);
    if (success)
      for (const other of this.#keys.values())
        if (other.mw === key.mw && !later.includes(other)) other.bound = 'no';
    // one that is still under way may have ended it, or have bound the window anew
    const followed = this.#pending.some((one) => one.key.mw === key.mw);
    key.bound = !success || key.length === 0 ? 'no' : followed ? 'maybe' : 'yes';
    const window = this.#windows.get(key.mw);
    if (success && window !== undefined) window.rkey = rkey;
  }

  /** Whether the key is that of a window of type 2 which another QP has bound for sure, and which opens nothing but by that QP. */
  isOfOther(rkey: number, qp: number): boolean {
    const key = this.#keys.get(rkey);
    return key?.type === 'IBV_MW_TYPE_2' && key.bound === 'yes' && key.qp !== qp;
  }

  /**
   * Whether the key is that of a window which may not be bound, or which another QP may be alone to use: that is open for those of type 1
   * as well.
   */
  mayBeClosed(rkey: number, qp: number): boolean {
    const key = this.#keys.get(rkey);
    return key !== undefined && (key.bound === 'maybe' || key.qp !== qp);
  }

  /** A QP was reset or destroyed; what becomes of windows that were bound by it is left open. */
  ended(qp: number): void {
    for (const key of this.#keys.values()) if (key.qp === qp && key.bound === 'yes') key.bound = 'maybe';
  }
}

/** Whether a key opens anything, as far as calls and completions tell. */
function boundNow({ bound, invalidated }: WindowKey<unknown>): WindowKey<unknown>['bound'] {
  if (invalidated === 'yes') return 'no';
  return bound === 'yes' && invalidated === 'maybe' ? 'maybe' : bound;
}
