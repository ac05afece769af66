import type { MutantEntries } from './entry.ts';

const notJudged = 'the rules of path migration are not written yet';

/** Rules broken by the mutants of `adapters/reference/mutants/migration.ts`. */
export const migration = {
  'migration-not-attempted': { notJudged },
  'migration-counter-not-reloaded': { notJudged },
  'migration-endless': { notJudged },
  'migration-old-path': { notJudged },
  'migration-event-missing': { notJudged },
  'mig-req-set-when-armed': { notJudged },
  'rearm-ignored': { notJudged },
  'arms-for-any-packet': { notJudged },
  'migration-request-ignored': { notJudged },
  'migration-path-unchecked': { notJudged },
  'migration-error-event-missing': { notJudged },
} satisfies MutantEntries;
