import type { MutantId } from './mutant.ts';
import { soundIds } from './sound/ids.ts';

/**
 * Name of one way to use the latitude of the spec: a device that has it is sound, but unlike the reference NIC by default. What each
 * does is in the spec (`spec/sound.yaml`).
 */
export type SoundId = (typeof soundIds)[number];

/** Name of a device that does otherwise than the reference NIC does by default, soundly or not. */
export type VariantId = MutantId | SoundId;

const ids: ReadonlySet<string> = new Set(soundIds);

export function isSoundId(id: string): id is SoundId {
  return ids.has(id);
}
