/** What is expected of each mutant of the reference NIC, and the hunt for it. */
export type { MutantEntries, MutantEntry } from './entry.ts';
export { expectedMutants, families, type ExpectedMutant } from './expected.ts';
export { Hunter, type Death, type Hunt } from './hunt.ts';
