import type { RegisteredMr } from '../../adapters/adapter.ts';
import type { SendWr } from '../../spec/verbs.ts';
import type { Step, WrPlan } from '../scenario.ts';
import type { End } from './setup/end.ts';
import type { Recorder } from './recorder.ts';

/** Asks for a memory window on the PD of the QP; nothing where the adapter has no such call. */
export async function allocateWindow({ verbs, qp, pds, windows }: End, recorder: Recorder): Promise<void> {
  const allocate = verbs.alloc_mw;
  const [pd = 0] = pds;
  if (allocate === undefined) return;
  const noted = { call: 'alloc_mw' as const, pd, mw: 0, rkey: 0 };
  await recorder.attempt(
    qp,
    async () => {
      const made = await allocate.call(verbs, pd);
      windows.push({ ...made, gone: false });
      Object.assign(noted, made);
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

/** What a work request of the plan binds, under the next key of the window, as ibv_inc_rkey gives it. */
export function bindingOf(
  { windows }: End,
  { bind, offset }: WrPlan,
  target: RegisteredMr | undefined,
): Pick<SendWr, 'bind_mw'> {
  if (bind === undefined || target === undefined) return {};
  const { length, access } = bind;
  const window = windows[bind.window];
  const { mw, rkey: before } = window ?? { mw: 0, rkey: 0 };
  const rkey = ((before & ~0xff) | ((before + 1) & 0xff)) >>> 0;
  if (window !== undefined) window.rkey = rkey;
  return { bind_mw: { mw, rkey, mr: target.mr, addr: target.addr + BigInt(offset), length, access } };
}
