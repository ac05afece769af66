import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/responder-states.ts`. */
export const responderStates = {
  'unknown-qp-accepted': ['rc-drop-unknown-qp', 'uc-drop-unknown-qp', 'ud-drop-unknown-qp'],
  'answers-in-init': ['rc-drop-state'],
  'silent-in-rtr': [
    'rc-send-complete-asked',
    'rc-write-complete-asked',
    'rc-read-executed',
    'rc-atomic-executed',
    'rc-write-immediate-asked',
  ],
  'silent-in-sqd': [
    'rc-send-complete-asked',
    'rc-write-complete-asked',
    'rc-read-executed',
    'rc-atomic-executed',
    'rc-write-immediate-asked',
  ],
  'established-missing': ['rc-established', 'established-unreliable'],
  'established-not-rearmed': ['rc-established'],
  'resources-unreported': ['rc-report-resources'],
  'misaligned-unreported': ['rc-report-misaligned'],
  'too-long-status': ['rc-report-too-long'],
  'local-memory-status': ['rc-report-local-memory'],
  'invalid-request-status': ['rc-report-invalid-request-bound'],
  'remote-access-status': ['rc-report-access-bound'],
} satisfies MutantEntries;
