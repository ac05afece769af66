const faults = [
  'switch-marks-not-ect',
  'switch-never-marks',
  'switch-marks-below-low',
  'switch-marks-all-between',
  'switch-marks-none-between',
  'switch-marks-flat',
  'switch-marks-convex',
  'switch-marks-ect0-only',
  'switch-clears-ce',
  'switch-sets-ect1',
  'switch-drops-early',
  'switch-never-drops',
  'switch-drops-lossless',
  'switch-never-pauses',
  'switch-pauses-lossy',
] as const;

/** What a faulty switch does; the sound one does none of it. The ids are those of the mutants that bring it along. */
export type SwitchFault = (typeof faults)[number];

const ids: ReadonlySet<string> = new Set(faults);

export function isSwitchFault(id: string | undefined): id is SwitchFault {
  return id !== undefined && ids.has(id);
}
