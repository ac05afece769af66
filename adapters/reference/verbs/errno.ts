import { VerbsError } from '../../adapter.ts';

/** Numbers of <errno.h> that the verbs of this device fail with. */
export const EINVAL = 22;
export const ENOMEM = 12;
export const EBUSY = 16;
export const EOPNOTSUPP = 95;

/** What a call names; it fails with EINVAL where there is no such thing. */
export function need<T>(call: string, value: T | undefined): T {
  if (value === undefined) throw new VerbsError(call, EINVAL);
  return value;
}
