import type { RegisteredMr, Verbs } from '../../adapters/adapter.ts';
import type { SendWr, WindowBinding } from '../../spec/verbs.ts';
import type { Step, WrPlan } from '../scenario.ts';
import { pdOf, type End, type Window } from './setup/end.ts';
import type { Recorder } from './recorder.ts';

/** Asks for a memory window on the PD of the QP, or another; nothing where the adapter has no such call. */
export async function allocateWindow(
  end: End,
  { type: typed, pd: owner }: Extract<Step, { do: 'alloc_mw' }>,
  recorder: Recorder,
): Promise<void> {
  const { verbs, qp, windows } = end;
  const allocate = verbs.alloc_mw;
  const type = typed ?? 'IBV_MW_TYPE_2';
  if (allocate === undefined || (typed !== undefined && verbs.bind_mw === undefined)) return;
  const pd = await pdOf(end, owner ?? 'own');
  const noted = { call: 'alloc_mw' as const, pd, mw: 0, rkey: 0, ...(typed && { type: typed }) };
  await recorder.attempt(
    qp,
    async () => {
      const { mw, rkey } = await allocate.call(verbs, pd, type);
      windows.push({ mw, rkey, type, former: rkey, gone: false });
      Object.assign(noted, { mw, rkey });
    },
    noted,
  );
}

/** Gives a memory window back; nothing where there is none. */
export async function deallocateWindow(
  { verbs, qp, windows }: End,
  { window: index }: Extract<Step, { do: 'dealloc_mw' }>,
  recorder: Recorder,
): Promise<void> {
  const window = windows[index];
  if (window === undefined || window.gone) return;
  const { mw } = window;
  const deallocate = async (): Promise<void> => verbs.dealloc_mw?.(mw);
  window.gone = await recorder.attempt(qp, deallocate, { call: 'dealloc_mw', mw });
}

/** The key that a work request of the plan takes away: that of its window. */
export function endedKey({ windows }: End, { ends }: WrPlan): Pick<SendWr, 'invalidate_rkey'> {
  return { invalidate_rkey: windows[ends ?? 0]?.rkey ?? 0 };
}

/**
 * What a work request of the plan binds: a window of type 2 under its next key, as ibv_inc_rkey gives it, one of type 1 under a key that
 * ibv_bind_mw will give.
 */
export function bindingOf(
  { windows }: End,
  { bind, offset }: WrPlan,
  target: RegisteredMr | undefined,
): Pick<SendWr, 'bind_mw'> {
  if (bind === undefined || target === undefined) return {};
  const { length, access } = bind;
  const window = windows[bind.window];
  const place = { mw: window?.mw ?? 0, mr: target.mr, addr: target.addr + BigInt(offset), length, access };
  // the key of a call that is refused: none
  if (window?.type === 'IBV_MW_TYPE_1') return { bind_mw: { ...place, rkey: 0, type: window.type } };
  const before = window?.rkey ?? 0;
  const rkey = ((before & ~0xff) | ((before + 1) & 0xff)) >>> 0;
  if (window !== undefined) rename(window, rkey);
  return { bind_mw: { ...place, rkey } };
}

/** Posts what binds a window of type 1, by the call of its own, which gives the key. */
export async function bindByCall(
  { verbs, qp, windows }: { verbs: Verbs; qp: number; windows: readonly Window[] },
  { wr_id, send_flags = [] }: SendWr,
  binding: WindowBinding,
): Promise<void> {
  const { mw, mr, addr, length, access } = binding;
  const rkey = await verbs.bind_mw?.(qp, { wr_id, send_flags, mw, mr, addr, length, access });
  if (rkey === undefined) return;
  binding.rkey = rkey;
  const window = windows.find((one) => one.mw === mw);
  if (window !== undefined) rename(window, rkey);
}

function rename(window: Window, rkey: number): void {
  window.former = window.rkey;
  window.rkey = rkey;
}
