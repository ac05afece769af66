import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/migration.ts`. */
export const migration = {
  'migration-not-attempted': ['rc-migrate-when-exhausted'],
  'migration-counter-not-reloaded': ['rc-retry-counted-timeout'],
  'migration-endless': ['rc-retry-exhausted', 'rc-migration-event-undue'],
  'migration-old-path': ['rc-request-addressee'],
  'migration-event-missing': ['rc-migration-announced'],
  'migration-call-ignored': ['rc-migration-called', 'rc-migration-announced'],
  'mig-req-set-when-armed': ['rc-mig-req-armed'],
  'rearm-ignored': ['rc-migration-arms', 'rc-migrate-when-exhausted', 'rc-drop-path-refused'],
  'arms-for-any-packet': ['rc-migration-waits', 'rc-migration-event-undue', 'rc-retry-exhausted'],
  'migration-request-ignored': ['rc-migration-followed', 'rc-migration-announced'],
  'migration-path-unchecked': ['rc-migration-refused', 'rc-migration-event-undue', 'rc-drop-path-refused'],
  'migration-error-event-missing': ['rc-migration-refusal-announced'],
} satisfies MutantEntries;
