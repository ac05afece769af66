import type { ObservedReply } from '../../device/packet/observed-reply.ts';

/** Whether a response acknowledges its PSN. */
export function isPositive({ kind }: ObservedReply): boolean {
  switch (kind) {
    case 'ack':
    case 'read-response':
    case 'read-middle':
    case 'atomic-ack':
      return true;
    case 'sequence-nak':
    case 'rnr-nak':
    case 'fatal-nak':
      return false;
  }
}
