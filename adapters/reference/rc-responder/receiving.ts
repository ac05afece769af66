import type { QpState } from '../../../spec/verbs.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam, type Varied } from '../seam.ts';

const receiving: ReadonlySet<QpState> = new Set(['IBV_QPS_RTR', 'IBV_QPS_RTS', 'IBV_QPS_SQD', 'IBV_QPS_SQE']);

/** Whether the QP looks at packets in its state. */
export const receives = seam((_device: Varied, { state }: QueuePair): boolean => receiving.has(state));
