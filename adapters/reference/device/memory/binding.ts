import type { AccessFlag, WindowBinding } from '../../../../spec/verbs.ts';
import { seam } from '../../seam.ts';
import { within, type Memory, type Place, type Region } from './memory.ts';
import { letsOthersWrite } from './region.ts';
import type { MemoryWindow, Opening } from './windows.ts';

/**
 * Binds a window by a QP; false where that may not be, and nothing has changed then. One of type 1 may be bound anew as it is, and is
 * unbound by a binding of no bytes.
 */
export function bindWindow(
  memory: Memory,
  asked: WindowBinding,
  { pd, num }: { pd: number; num: number },
): boolean {
  const { rkey, addr, length, access } = asked;
  const window = memory.windows.byHandle(asked.mw);
  const region = memory.byHandle(asked.mr);
  if (window === undefined || region === undefined || !region.valid) return false;
  if (!inDomain(memory, window, pd) || !inDomain(memory, region, pd) || !isFree(window, asked)) return false;
  if (
    !mayBeBound(memory, region) ||
    !mayWrite(memory, region, access) ||
    !spans(memory, region, addr, length)
  )
    return false;
  window.rkey = rkey;
  window.opening =
    length === 0 ? unbound(memory, window) : { region, addr, length, access: [...access], qp: num };
  return true;
}

/** Whether a QP on this PD may bind a window, or bind one to a region. */
export const inDomain = seam(
  (_memory: Memory, { pd }: MemoryWindow | Region, owner: number): boolean => pd === owner,
);

/** Whether a window may be bound as it is, and under this key. */
function isFree(
  { type, opening, rkey: current }: MemoryWindow,
  { type: asked, rkey, length }: WindowBinding,
): boolean {
  if (type === 'IBV_MW_TYPE_1') return asked === type;
  return (
    asked === undefined &&
    opening === undefined &&
    length > 0 &&
    rkey !== current &&
    rkey >>> 8 === current >>> 8
  );
}

/** What a window of type 1 opens that is bound to no bytes. */
export const unbound = seam((_memory: Memory, _window: MemoryWindow): Opening | undefined => undefined);

/** Whether windows may be bound to a region. */
export const mayBeBound = seam((_memory: Memory, { access }: Region): boolean =>
  access.includes('IBV_ACCESS_MW_BIND'),
);

/** Whether a window with these rights may be bound to a region: where others write, software must be able to. */
export const mayWrite = seam((_memory: Memory, region: Region, access: readonly AccessFlag[]): boolean => {
  return !letsOthersWrite(access) || region.access.includes('IBV_ACCESS_LOCAL_WRITE');
});

/** Whether a region holds all that a window is to open. */
export const spans = seam(
  (_memory: Memory, region: Region, addr: bigint, length: number): boolean =>
    addr >= region.addr && addr + BigInt(length) <= region.addr + BigInt(region.length),
);

/** The place that a request of the peer names by the key of a window, or `undefined` if it may not touch it. */
export const windowPlace = seam(
  (
    memory: Memory,
    { opening, type }: MemoryWindow,
    va: bigint,
    length: number,
    right: AccessFlag,
    qp: number | undefined,
  ): Place | undefined => {
    if (opening === undefined) return undefined;
    if (type === 'IBV_MW_TYPE_2' && qp !== undefined && opening.qp !== qp) return undefined;
    const { region } = opening;
    if (!region.valid || !opens(memory, opening, right) || !covers(memory, opening, va, length))
      return undefined;
    return within(region, va, length);
  },
);

export const opens = seam((_memory: Memory, { access }: Opening, right: AccessFlag): boolean =>
  access.includes(right),
);

/** Whether a range lies in what a window opens. */
export const covers = seam(
  (_memory: Memory, opening: Opening, va: bigint, length: number): boolean =>
    va >= opening.addr && va + BigInt(length) <= opening.addr + BigInt(opening.length),
);

/** What becomes of a window that software gives back. */
export const deallocateWindow = seam(({ windows }: Memory, mw: number): boolean => windows.deallocate(mw));
