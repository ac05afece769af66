import type { Mutant } from './table.ts';

/** Faults of automatic path migration. */
export const migration = [
  {
    id: 'migration-not-attempted',
    says: 'Fails where it could migrate.',
    breaks: 'spent retries lead to the alternate path when armed',
    statements: ['rx-exhaustion-with-apm-migrates', 'rx-exhaustion-three-scenarios'],
  },
  {
    id: 'migration-counter-not-reloaded',
    says: 'Migrates with no retries left.',
    breaks: 'migration reloads the retry counter',
    statements: ['rx-exhaustion-apm-reloads-counter'],
  },
  {
    id: 'migration-endless',
    says: 'Migrates each time its retries are spent.',
    breaks: 'spent retries on the alternate path are an error',
    statements: ['rx-exhaustion-after-apm-fails', 'rx-exhaustion-three-scenarios'],
  },
  {
    id: 'migration-old-path',
    says: 'Says that it has migrated, and goes on over the old path.',
    breaks: 'after migration packets take the alternate path',
    statements: ['rx-exhaustion-with-apm-migrates'],
  },
  {
    id: 'migration-event-missing',
    says: 'Raises no event when it migrates.',
    breaks: 'migration raises IBV_EVENT_PATH_MIG',
    statements: ['rx-exhaustion-with-apm-migrates', 'ee-path-mig'],
  },
  {
    id: 'migration-call-ignored',
    says: 'Stays on its path when software tells it to migrate.',
    breaks: 'software takes an armed QP to its alternate path',
    statements: ['ee-path-mig'],
  },
  {
    id: 'mig-req-set-when-armed',
    says: 'Sends MigReq 1 while it is armed.',
    breaks: 'MigReq is 0 while armed',
    statements: [],
  },
  {
    id: 'rearm-ignored',
    says: 'Never arms.',
    breaks: 'a packet with MigReq 0 arms a QP in REARM',
    statements: [],
  },
  {
    id: 'arms-for-any-packet',
    says: 'Arms for any packet.',
    breaks: 'a packet with MigReq 1 does not arm a QP in REARM',
    statements: [],
  },
  {
    id: 'migration-request-ignored',
    says: 'Does not follow a peer that has migrated.',
    breaks: 'a packet with MigReq 1 makes an armed QP migrate',
    statements: [],
  },
  {
    id: 'migration-path-unchecked',
    says: 'Migrates for a packet that comes over another path than the alternate one.',
    breaks: 'only a packet over the alternate path makes an armed QP migrate',
    statements: ['ee-path-mig-err'],
  },
  {
    id: 'migration-error-event-missing',
    says: 'Raises no event for a packet that asks it to migrate to another path.',
    breaks: 'a refused migration raises IBV_EVENT_PATH_MIG_ERR',
    statements: ['ee-path-mig-err'],
  },
] as const satisfies readonly Mutant[];
