import { psnAdd, type Packet } from '../../../wire/index.ts';
import type { Core } from '../core.ts';
import type { QueuePair } from '../qp.ts';

/** number of the QP that sent the first datagram to a QP of a mutant, and the PSN that it wants next */
const known = new WeakMap<QueuePair['responder'], { source: number; psn: number }>();

/** What mutants make of the first datagram, and which of the later ones they drop. */
export function droppedByFault(core: Core, qp: QueuePair, { deth, psn }: Packet): boolean {
  const before = known.get(qp.responder);
  const source = deth?.srcQp ?? 0;
  if (before === undefined) {
    known.set(qp.responder, { source, psn: psnAdd(psn, 1) });
    if (core.fault === 'datagram-migrates') core.raise({ event_type: 'IBV_EVENT_PATH_MIG', qp_num: qp.num });
    return false;
  }
  if (core.fault === 'ud-source-checked') return source !== before.source;
  if (core.fault !== 'ud-psn-checked') return false;
  if (psn !== before.psn) return true;
  known.set(qp.responder, { source, psn: psnAdd(psn, 1) });
  return false;
}
