import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/ports.ts`. */
export const ports = {
  'port-error-missing': ['port-error-raised'],
  'port-active-missing': ['port-active-raised'],
  'port-event-unprompted': ['port-event-undue'],
  'port-down-fails-qps': ['state-after-port-error'],
  'port-always-active': ['port-state-inactive'],
  'port-stays-down': ['port-state-active'],
  'port-events-not-flagged': ['port-events-flagged'],
  'port-max-message-zero': ['port-max-message', 'rc-effects-local-length', 'uc-effects-local-length'],
} satisfies MutantEntries;
