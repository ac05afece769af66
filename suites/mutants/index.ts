/** The mutants of the reference NIC with the rules that each breaks, and the hunt for them. */
export { Hunter, type Hunt } from './hunt.ts';
export { loadMutants } from './load.ts';
export { MutantError } from './mistake.ts';
export type { Mutant } from './mutant.ts';
