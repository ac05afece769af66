import fc from 'fast-check';
import type { ReferenceConfig } from '../../../adapters/reference/index.ts';

/** Settings of a conformant requester, but those under which a wire that only delays can use up all retries. */
export const requesterLatitude: fc.Arbitrary<Partial<ReferenceConfig>> = fc.record(
  {
    processingDelay: fc.constantFrom(0, 300, 1000, 9000),
    timeoutFactor: fc.constantFrom(1, 2, 3.5, 4),
    requestRestartsTimer: fc.boolean(),
    duplicateRestartsTimer: fc.boolean(),
    rnrWaitFactor: fc.constantFrom(1, 1.5, 10),
    progressEndsRnrWait: fc.boolean(),
    window: fc.constantFrom(1, 2, 5, 128),
    packetGap: fc.constantFrom(0, 50, 2000),
    recoveryWindow: fc.constantFrom(1, 3, 0x7fffff),
    ackEvery: fc.constantFrom(1, 2, 3, 16, 1_000_000),
    askEvery: fc.constantFrom(1, 2, 4, 1000),
    localCheck: fc.constantFrom('packet', 'message'),
    readsAsk: fc.boolean(),
    retryFrom: fc.constantFrom('packet', 'message'),
    readRetry: fc.constantFrom('narrowed', 'whole'),
    rnrNakReloads: fc.boolean(),
    sequenceNakReloadsRnr: fc.constantFrom('progress', 'always', 'never'),
    rnrNakBehindGap: fc.constantFrom('implied-nak', 'waits'),
    reservedSyndrome: fc.constantFrom('bad-response', 'drop'),
    badResponse: fc.constantFrom('bad-response', 'drop'),
    nakUnderWay: fc.constantFrom('counted', 'ignored'),
    rnrNakAgain: fc.constantFrom('counted', 'ignored'),
    apm: fc.boolean(),
  },
  { requiredKeys: [] },
);
