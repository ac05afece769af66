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
  /** calls of ibv_rereg_mr that have changed it */
  changes: number;
}

/** Whether others may write, for which software must be able to. */
export function letsOthersWrite(access: readonly AccessFlag[]): boolean {
  return access.includes('IBV_ACCESS_REMOTE_WRITE') || access.includes('IBV_ACCESS_REMOTE_ATOMIC');
}

/** A resolved place in memory: `bytes[offset ..]` has room for what was asked. */
export interface Place {
  region: Region;
  bytes: Uint8Array;
  offset: number;
}
