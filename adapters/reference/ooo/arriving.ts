import type { Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { OooQp } from './qp.ts';
import { handleOutOfOrderRequest } from './responder.ts';
import { handleOutOfOrderResponse } from './response.ts';

/** A packet whose headers are sound, for an out-of-order QP that looks at it. */
export function handleOutOfOrder(core: Core, qp: OooQp, packet: Packet): void {
  if (packet.info?.kind === 'response') handleOutOfOrderResponse(core, qp, packet);
  else handleOutOfOrderRequest(core, qp, packet);
}
