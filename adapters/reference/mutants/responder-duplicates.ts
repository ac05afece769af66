import type { Mutant } from './table.ts';

/** Faults in what a responder makes of requests that it has seen before. */
export const responderDuplicates = [
  {
    id: 'old-duplicate-is-ahead',
    says: 'Takes a duplicate of more than 16 PSNs ago for a request ahead.',
    breaks: 'half of the PSN space lies behind the expected PSN',
    statements: ['rx-duplicate-region-classification', 'rx-retry-epsn-may-have-passed'],
  },
  {
    id: 'duplicate-ends-waiting',
    says: 'Forgets a NAK that is out when a duplicate comes.',
    breaks: 'a duplicate leaves the wait for the expected PSN as it is',
    statements: ['rx-psn-nak-then-waits-epsn', 'rx-rnr-nak-then-waits-epsn'],
  },
  {
    id: 'unasked-duplicate-refused',
    says: 'Refuses a duplicate SEND or WRITE that does not ask for an ACK.',
    breaks: 'no duplicate is NAKed',
    statements: ['rx-no-nak-for-errors-in-duplicates'],
  },
  {
    id: 'duplicate-read-error-refused',
    says: 'NAKs a duplicate READ whose memory may no longer be read.',
    breaks: 'errors in duplicates are not NAKed',
    statements: ['rx-no-nak-for-errors-in-duplicates'],
  },
  {
    id: 'duplicate-read-of-freed-memory',
    says: 'Answers a duplicate READ out of memory that has been deregistered since.',
    breaks: 'a duplicate READ is checked like the first',
    statements: ['rx-no-nak-for-errors-in-duplicates'],
  },
  {
    id: 'duplicate-error-fatal',
    says: 'Goes to ERR when a duplicate makes no sense.',
    breaks: 'errors in duplicates end no connection',
    statements: ['rx-no-nak-for-errors-in-duplicates'],
  },
  {
    id: 'duplicate-error-reported',
    says: 'Raises an event when a duplicate makes no sense.',
    breaks: 'errors in duplicates are reported to nobody',
    statements: ['rx-no-nak-for-errors-in-duplicates'],
  },
  {
    id: 'unrecorded-atomic-executed',
    says: 'Carries out a duplicate atomic of which it has no record.',
    breaks: 'an atomic is executed exactly once',
    statements: ['rc-atomic-exactly-once'],
  },
  {
    id: 'mismatched-atomic-executed',
    says: 'Carries out an atomic with a PSN that belongs to a READ.',
    breaks: 'nothing behind the expected PSN is executed',
    statements: ['rc-atomic-exactly-once'],
  },
  {
    id: 'mismatched-atomic-refused',
    says: 'NAKs an atomic with a PSN that belongs to a READ.',
    breaks: 'no duplicate is NAKed',
    statements: ['rx-no-nak-for-errors-in-duplicates'],
  },
  {
    id: 'read-evicts-atomics',
    says: 'Forgets the results of atomics when it carries out a READ.',
    breaks: 'READs and atomics share max_dest_rd_atomic records',
    statements: ['rc-read-atomic-share-table', 'rc-table-size-bounds-sum', 'rc-atomic-result-recorded'],
  },
  {
    id: 'resources-never-freed',
    says: 'Refuses every READ and atomic after max_dest_rd_atomic of them.',
    breaks: 'max_dest_rd_atomic bounds what is not yet answered',
    statements: ['rc-table-size-bounds-sum'],
  },
] as const satisfies readonly Mutant[];
