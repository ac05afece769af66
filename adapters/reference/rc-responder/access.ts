import type { AccessFlag } from '../../../spec/verbs.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';

/** Bytes that a RETH announces; `undefined` where that is more than any message may have. */
export const announced = seam((core: Core, { dmaLen }: { dmaLen: number }): number | undefined =>
  dmaLen > core.config.maxMessageBytes ? undefined : dmaLen,
);

/** Whether the QP carries out this kind of request. */
export const allows = seam((_core: Core, { access }: QueuePair, right: AccessFlag): boolean =>
  access.includes(right),
);

/** Whether nothing is touched, so that the R_Key is not validated. */
export const needsNoKey = seam((_core: Core, length: number): boolean => length === 0);
