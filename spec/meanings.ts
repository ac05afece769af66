import { loadSpecYaml } from './load.ts';

export type MeaningKind = 'status' | 'event' | 'state' | 'nak';

/** What words of verbs and wire mean, by kind and word (`meanings.yaml`). Parsed when asked for. */
export function loadMeanings(): Readonly<Record<MeaningKind, Readonly<Record<string, string>>>> {
  return loadSpecYaml('meanings.yaml') as Record<MeaningKind, Record<string, string>>;
}
