import type { Mutant } from './table.ts';

/** Faults that end the device as a whole. */
export const survival = [
  {
    id: 'dies-of-wrong-write-length',
    says: 'Dies of a WRITE in one packet whose RETH announces another length than the packet has.',
    breaks: 'a device goes on working whatever frames reach it',
    statements: [],
  },
  {
    id: 'dies-of-reset',
    says: 'Dies when a QP in ERR is moved to RESET.',
    breaks: 'a device goes on working whatever verbs calls are made',
    statements: [],
  },
] as const satisfies readonly Mutant[];
