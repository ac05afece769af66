import type { AccessFlag } from '../../../../spec/verbs.ts';
import type { RegisteredMr } from '../../../adapter.ts';

export interface Region extends RegisteredMr {
  pd: number;
  length: number;
  access: readonly AccessFlag[];
  /** with `guardBytes` on either side; allocated when first touched */
  bytes: Uint8Array | undefined;
  /** false after SEND with invalidate */
  valid: boolean;
}

/** A resolved place in memory: `bytes[offset ..]` has room for what was asked. */
export interface Place {
  region: Region;
  bytes: Uint8Array;
  offset: number;
}
