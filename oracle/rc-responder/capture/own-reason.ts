import { encodeSyndrome, nakCodeByName } from '../../../spec/constants.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';

const operationalError = encodeSyndrome('nak', nakCodeByName('remote-operational-error'));

/**
 * Why such a NAK is not held against the request that it refuses: the responder may have a reason of its own, which a capture does not tell.
 * A receiver may not be ready for any request (rx-rnr-other-reasons), and anything at the responder may fail (ee-rem-op-general).
 */
export function ownReason({ kind, syndrome }: ObservedReply): string | undefined {
  if (kind === 'rnr-nak') return 'RNR NAKs for reasons that a capture does not tell';
  if (syndrome === operationalError)
    return 'NAKs remote operational error, for reasons that a capture does not tell';
  return undefined;
}
