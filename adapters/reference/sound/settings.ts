import type { ReferenceConfig } from '../config.ts';
import { defaultCongestion, type CongestionSettings } from '../congestion/settings.ts';
import { defaultOutOfOrder } from '../ooo/settings.ts';
import type { SoundId } from '../variant.ts';

const { dcqcn } = defaultCongestion;
const slowCongestion: CongestionSettings = {
  ...defaultCongestion,
  lineRate: 5e9,
  ...(dcqcn && {
    dcqcn: {
      ...dcqcn,
      decreaseSlot: 5_000,
      g: 1 / 16,
      minDecreaseFactor: 0.5,
      minRate: 50e6,
      clampTarget: true,
    },
  }),
};

/** What sound variants are set to. */
export const soundSettings: Readonly<Partial<Record<SoundId, Partial<ReferenceConfig>>>> = {
  immediate: { processingDelay: 0 },
  'rnr-wait-longer': { rnrWaitFactor: 10 },
  'malformed-duplicate-dropped': { malformedDuplicate: 'dropped' },
  'rnr-counter-kept-by-nak': { sequenceNakReloadsRnr: 'never' },
  'rnr-counter-reloaded-by-nak': { sequenceNakReloadsRnr: 'always' },
  'rnr-nak-before-gap': { rnrNakBehindGap: 'waits' },
  // the longest message of the suites takes some 430 microseconds
  'serial-port': { responseTime: 500_000, congestion: { ...defaultCongestion, lineRate: 10e9 } },
  'transmit-queue': { responseTime: 26_000, wireJitter: 6000 },
  'small-window': { window: 2, recoveryWindow: 1, outOfOrder: { ...defaultOutOfOrder, window: 2, cap: 1 } },
  'buffers-guarded': { outOfOrder: { ...defaultOutOfOrder, fence: 'guard' } },
  'directions-apart': { congestion: { ...defaultCongestion, directions: 'apart' } },
  // slow enough that several cuts find a packet waiting
  'gap-kept': { congestion: slowCongestion },
  'go-back-n': { irn: false },
  'srq-fatal': { srqErrors: true },
  'uc-without-srq': { ucSrq: false },
  'read-counted-when-begun': { readFault: 'midway' },
  'acks-together': { ack: 'every', coalesce: 8, coalesceDelay: 15_000, ackEveryDuplicate: true },
};
