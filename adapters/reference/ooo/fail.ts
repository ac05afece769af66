import type { WcStatus } from '../../../spec/verbs.ts';
import type { Core } from '../device/core.ts';
import { failHead } from '../rc-requester/complete.ts';
import type { OooQp } from './qp.ts';

/** The oldest request ends with this status, the QP in ERR. */
export function failOldest(core: Core, qp: OooQp, status: WcStatus): void {
  const { outgoing } = qp.ooo.requester;
  if (outgoing[0]?.wqe === qp.requester.queue[0]) outgoing.shift();
  failHead(core, qp, status);
}
