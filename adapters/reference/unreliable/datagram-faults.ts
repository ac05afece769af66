import { psnAdd, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';

/** the PSN that a QP of a mutant wants next, once it has received a datagram */
const wanted = new WeakMap<QueuePair['responder'], number>();

/** What mutants make of the first datagram, and which of the later ones they drop. */
export function droppedByFault(core: Core, qp: QueuePair, { psn }: Packet): boolean {
  const next = wanted.get(qp.responder);
  if (next === undefined && core.fault === 'datagram-migrates')
    core.raise({ event_type: 'IBV_EVENT_PATH_MIG', qp_num: qp.num });
  if (next !== undefined && next !== psn && core.fault === 'ud-psn-checked') return true;
  wanted.set(qp.responder, psnAdd(psn, 1));
  return false;
}
