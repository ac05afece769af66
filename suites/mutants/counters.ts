import type { MutantEntries } from './entry.ts';

/** Rules broken by the mutants of `adapters/reference/mutants/counters.ts`. */
export const counters = {
  'one-retry-less': [
    'rc-retry-counted-timeout',
    'rc-retry-counted-sequence-nak',
    'rc-timeout-disabled',
    'rc-send-completes',
  ],
  'one-retry-more': ['rc-retry-exhausted', 'rc-retry-exhausted-nak', 'rc-request-unposted'],
  'retry-seven-infinite': ['rc-retry-exhausted', 'rc-retry-exhausted-nak', 'rc-request-unposted'],
  'timeout-not-counted': ['rc-retry-exhausted'],
  'sequence-nak-not-counted': ['rc-retry-exhausted-nak', 'rc-retry-exhausted', 'rc-request-unposted'],
  'implied-nak-not-counted': ['rc-retry-exhausted-nak', 'rc-retry-exhausted', 'rc-request-unposted'],
  'retry-counter-never-reloaded': ['rc-progress-reloads', 'rc-retry-counted-timeout', 'rc-send-completes'],
  'retry-counter-reloaded-by-duplicates': [
    'rc-no-progress-no-reload',
    'rc-retry-exhausted',
    'rc-retry-exhausted-nak',
    'rc-request-unposted',
  ],
  'one-rnr-retry-less': ['rc-rnr-retry-counted', 'rc-rnr-retry-exhausted', 'rc-send-completes'],
  'one-rnr-retry-more': ['rc-rnr-retry-exhausted', 'rc-request-unposted'],
  'rnr-seven-finite': ['rc-rnr-retry-unlimited', 'rc-send-completes'],
  'rnr-counter-never-reloaded': [
    'rc-progress-reloads',
    'rc-rnr-retry-counted',
    'rc-rnr-retry-exhausted',
    'rc-send-completes',
  ],
  'rnr-counter-reloaded-by-duplicates': [
    'rc-no-progress-no-reload',
    'rc-rnr-retry-exhausted',
    'rc-request-unposted',
  ],
  'rnr-consumes-retries': ['rc-rnr-retry-counted', 'rc-timeout-nothing-outstanding', 'rc-send-completes'],
  'timeout-consumes-rnr-retries': [
    'rc-retry-counted-timeout',
    'rc-rnr-retry-counted',
    'rc-rnr-retry-exhausted',
    'rc-send-completes',
  ],
} satisfies MutantEntries;
