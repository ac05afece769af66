import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/headers.ts`. */
export const headers = {
  'icrc-unchecked': ['rc-drop-bad-icrc', 'uc-drop-bad-icrc', 'ud-drop-bad-icrc'],
  'transport-version-unchecked': [
    'rc-drop-transport-version',
    'uc-drop-transport-version',
    'ud-drop-transport-version',
  ],
  'source-address-unchecked': ['rc-drop-foreign-source', 'uc-drop-foreign-source'],
  'pkey-unchecked': ['rc-drop-pkey', 'uc-drop-pkey', 'ud-drop-pkey'],
  'service-unchecked': ['rc-drop-service-mismatch', 'uc-drop-service-mismatch', 'ud-drop-service-mismatch'],
  'answers-in-error-state': [
    'rc-drop-state',
    'uc-drop-state',
    'ud-drop-state',
    'rc-effects-unreachable',
    'uc-effects-unheard',
  ],
  // A sound request is not answered: what its operation calls for does not come.
  'reserved-bits-checked': ['rc-read-executed', 'rc-write-complete-asked', 'rc-atomic-executed'],
  'reserved-opcode-dropped': ['rc-request-unsupported'],
  'mig-req-zero': ['rc-mig-req-migrated'],
  'opcode-sequence-unchecked': ['rc-opcode-out-of-sequence'],
  'short-first-accepted': ['rc-length-wrong'],
  'empty-last-accepted': ['rc-length-wrong'],
  'payload-beyond-mtu-accepted': ['rc-length-wrong'],
} satisfies MutantEntries;
