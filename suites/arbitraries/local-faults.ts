import fc from 'fast-check';
import type { LocalFault } from '../scenario.ts';

/** Everything that can be wrong with memory that data are to be placed in. */
export const localFaults: readonly LocalFault[] = ['lkey', 'bounds', 'rights', 'foreign-pd', 'deregistered'];

export function localFault(): fc.Arbitrary<LocalFault> {
  return fc.constantFrom(...localFaults);
}

/** Everything that can be wrong with memory that data are only taken from. */
export function gatherFault(): fc.Arbitrary<LocalFault> {
  return fc.constantFrom(...localFaults.filter((fault) => fault !== 'rights'));
}
