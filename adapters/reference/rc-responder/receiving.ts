import type { MutantId } from '../mutant.ts';
import type { QueuePair } from '../device/qp.ts';

type Connected = Pick<QueuePair, 'remote' | 'destQp' | 'mtu'>;

/** where the QPs of a mutant were connected to before they were reset */
const before = new WeakMap<QueuePair, Connected>();

/** Whether the QP looks at packets in its state: in RTR, RTS, SQD and SQE. */
export function receives(fault: MutantId | undefined, qp: QueuePair): boolean {
  switch (qp.state) {
    case 'IBV_QPS_RTS':
      if (fault === 'answers-in-init') before.set(qp, { remote: qp.remote, destQp: qp.destQp, mtu: qp.mtu });
      return true;
    case 'IBV_QPS_RTR':
      return fault !== 'silent-in-rtr';
    case 'IBV_QPS_SQD':
      return fault !== 'silent-in-sqd';
    case 'IBV_QPS_ERR':
      return fault === 'answers-in-error-state';
    case 'IBV_QPS_INIT':
      if (fault !== 'answers-in-init') return false;
      Object.assign(qp, before.get(qp));
      return true;
    case 'IBV_QPS_SQE':
      return fault !== 'sqe-deaf';
    case 'IBV_QPS_RESET':
      return false;
  }
}
