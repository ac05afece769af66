import type { MrChange } from '../../adapters/adapter.ts';
import type { Step } from '../scenario.ts';
import type { Recorder } from './recorder.ts';
import { pdOf, type End } from './setup/end.ts';

/**
 * Asks for a change of a region that requests aim at; the device may refuse. Nothing where there is none, or the adapter has no such call. A
 * region of which a change was refused is read no more: it may be one that nobody is to use.
 */
export async function reregister(
  end: End,
  { region: index, access, pd: owner, length }: Extract<Step, { do: 'rereg_mr' }>,
  recorder: Recorder,
): Promise<void> {
  const { verbs, qp, regions } = end;
  const region = regions[index];
  const call = verbs.rereg_mr;
  if (call === undefined || region === undefined || end.deregistered.has(index)) return;
  const change: MrChange = {
    ...(owner !== undefined && { pd: await pdOf(end, owner) }),
    ...(access !== undefined && { access }),
    ...(length !== undefined && { length }),
  };
  const { mr, addr, lkey, rkey } = region;
  const noted = { call: 'rereg_mr' as const, mr, ...change, addr, lkey, rkey };
  const taken = await recorder.attempt(
    qp,
    async () => {
      const made = await call.call(verbs, mr, change);
      Object.assign(noted, made);
      end.former.set(index, { ...region });
      Object.assign(region, made);
    },
    noted,
  );
  if (!taken) end.doubtful.add(index);
  else if (length !== undefined) end.lengths.set(index, length);
}
