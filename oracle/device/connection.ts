import type { AccessFlag } from '../../spec/verbs.ts';
import type { Memory } from './memory.ts';
import type { ReceiveQueue } from './receive-queue.ts';

/** What the oracle knows of one RC QP besides the state that packets move. `undefined`: not seen in the trace. */
export interface RcQp {
  /** how reports name the QP, e.g. "qp 0x000011" */
  name: string;
  /** the trace sees every packet at the device; otherwise any may have been lost beyond the capture */
  atDevice: boolean;
  /** verbs calls, completions and events are in the trace */
  verbs: boolean;
  qpNumber: number;
  peerQpNumber: number | undefined;
  peerAddress: string | undefined;
  pd: number;
  srq: boolean;
  access: readonly AccessFlag[] | undefined;
  minRnrTimer: number | undefined;
  maxDestRdAtomic: number | undefined;
  pkey: number | undefined;
  capabilities: ReadonlySet<string> | undefined;
  memory: Memory;
  /** the receive WQEs posted so far */
  posted: ReceiveQueue;
}
