import type { SendWr } from '../../../spec/verbs.ts';
import { workRequests } from '../../../spec/work-requests.ts';
import { usable } from '../../device/memory.ts';
import type { PostedSend } from '../../device/queues/posted-send.ts';
import type { UnreliableQp } from '../qp.ts';

/** A send work request that is not done with, as the expressions of the machine see it. */
export interface Work extends Omit<PostedSend, 'kind'> {
  /** place in the send queue; -1: there is no such work request */
  index: number;
  /** of what UC and UD have not, as a SEND would be judged */
  kind: 'send' | 'write';
  immediate: boolean;
  /** its data were taken when it was posted */
  taken: boolean;
  /** what its opcode asks for; other: an opcode that UC and UD do not have */
  operation: 'send' | 'write' | 'other';
  /** bytes of the longest payload that the port takes, as far as the trace tells */
  longest: number | undefined;
  /** its memory could be read when it was posted */
  readable: boolean;
  /** packets that it takes, and those seen */
  packets: number;
  sent: number;
  completed: boolean;
  /** in error */
  failed: boolean;
  /** everything due has had its time */
  settled: boolean;
  /** likewise, while the QP was in RTS */
  overdue: boolean;
}

const unsent = { packets: 1, sent: 0, completed: false, failed: false, settled: false, overdue: false };

/** `mtu`: longest UD payload, where the trace tells. How many packets it takes, the machine tells. */
export function newWork(
  { memory, pd }: UnreliableQp,
  posted: PostedSend,
  index: number,
  mtu: number | undefined,
): Work {
  const { wr, kind, inline } = posted;
  return {
    ...posted,
    index,
    kind: kind === 'write' ? 'write' : 'send',
    immediate: workRequests[wr.opcode].carries === 'immediate',
    taken: inline !== undefined,
    operation: operationOf(wr),
    longest: mtu,
    readable:
      inline !== undefined || wr.sg_list.every((sge) => usable(memory.byLkey(sge.lkey), pd, sge, false)),
    ...unsent,
  };
}

/** What the opcode of a work request asks for; other: what UC and UD do not have. */
function operationOf({ opcode, raw_opcode }: SendWr): Work['operation'] {
  const { asks, carries } = workRequests[opcode];
  if (raw_opcode !== undefined || carries === 'invalidate') return 'other';
  return asks === 'send' || asks === 'write' ? asks : 'other';
}

/** What a packet belongs to for which no work request was posted. */
export const noWork: Work = {
  ...unsent,
  wr: { wr_id: 0, opcode: 'IBV_WR_SEND', sg_list: [] },
  index: -1,
  kind: 'send',
  length: 0,
  inline: undefined,
  signaled: false,
  fenced: false,
  immediate: false,
  solicited: false,
  taken: false,
  operation: 'send',
  longest: undefined,
  readable: true,
  event: 0,
  t: 0,
};
