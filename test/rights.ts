import type { AccessFlag } from '../spec/verbs.ts';

/** Every right that an RC device grants on a region; all but the first are rights of the far end. */
export const everyRight: AccessFlag[] = [
  'IBV_ACCESS_LOCAL_WRITE',
  'IBV_ACCESS_REMOTE_WRITE',
  'IBV_ACCESS_REMOTE_READ',
  'IBV_ACCESS_REMOTE_ATOMIC',
];
