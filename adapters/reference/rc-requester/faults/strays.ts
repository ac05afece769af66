import { decodeSyndrome } from '../../../../spec/constants.ts';
import type { Packet } from '../../../../wire/index.ts';
import type { Core } from '../../device/core.ts';
import type { QueuePair } from '../../device/qp.ts';
import { faultsAt } from '../../seam.ts';
import { handleNak } from '../nak.ts';
import { dropDuplicate, dropGhost } from '../response.ts';
import { waitForReceiver } from '../rnr.ts';

type Drop = (core: Core, qp: QueuePair, packet: Packet) => void;

/** A refusal of one kind is taken for one of the oldest request; other answers are dropped. */
const heeding =
  (kind: 'nak' | 'rnr-nak') =>
  (sound: Drop, core: Core, qp: QueuePair, packet: Packet): void => {
    const { una, queue } = qp.requester;
    const syndrome = packet.aeth && decodeSyndrome(packet.aeth.syndrome);
    if (syndrome?.kind !== kind || queue.length === 0) sound(core, qp, packet);
    else if (kind === 'nak') handleNak(core, qp, una, syndrome.value);
    else waitForReceiver(core, qp, una, syndrome.value);
  };

/** Refusals of what is acknowledged already, or was never sent, do something. */
export const strayFaults = [
  faultsAt(dropDuplicate, {
    'late-nak-accepted': heeding('nak'),
    'late-rnr-nak-accepted': heeding('rnr-nak'),
  }),
  faultsAt(dropGhost, {
    'ghost-nak-accepted': heeding('nak'),
    'ghost-rnr-nak-accepted': heeding('rnr-nak'),
  }),
];
