import type { Profile } from '../../../adapters/adapter.ts';

/** Cases of a run that says nothing else, by how thorough it is to be: seconds, or minutes. */
const presets = {
  default: { virtual: 4400, real: 2500 },
  thorough: { virtual: 70_000, real: 17_000 },
};

/** How thorough a run is: `default` takes seconds, `thorough` minutes. */
export type Preset = keyof typeof presets;

/** Names of the presets. */
export const presetNames: readonly Preset[] = ['default', 'thorough'];

/** How long a run is to be, as it was asked for: cases, or a preset, or seconds. */
interface Wanted {
  runs?: number;
  preset?: Preset;
  timeLimit?: number;
}

/** Cases of a run; without end where only its time is limited. */
export function runsOf({ runs, preset, timeLimit }: Wanted, { clock }: Pick<Profile, 'clock'>): number {
  if (runs !== undefined) return runs;
  if (preset === undefined && timeLimit !== undefined) return Infinity;
  return presets[preset ?? 'default'][clock === 'virtual' ? 'virtual' : 'real'];
}
