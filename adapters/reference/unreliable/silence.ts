import type { Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';

/** A message has been received: nobody answers it. */
export const accept = seam((_core: Core, _qp: QueuePair, _packet: Packet): void => undefined);

/** A message for which there is no receive WQE is dropped silently. */
export const dropUnreceived = seam((_core: Core, _qp: QueuePair): void => undefined);

/** So is a packet that does not fit its message. */
export const dropUnfit = seam((_core: Core, _qp: QueuePair): void => undefined);
