import { mutantIds } from './mutants/ids.ts';

/**
 * Name of one fault of the reference NIC: a device that has it is conformant otherwise. What each does and which rules that breaks
 * is in the spec; the NIC does not read it, because it must not know the rules.
 */
export type MutantId = (typeof mutantIds)[number];

const ids: ReadonlySet<string> = new Set(mutantIds);

export function isMutantId(id: string): id is MutantId {
  return ids.has(id);
}
