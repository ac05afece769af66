import type { WrOpcode } from '../../../spec/verbs.ts';
import { usable } from '../../device/memory.ts';
import type { PostedSend } from '../../device/queues/posted-send.ts';
import type { UnreliableQp, UnreliableService } from '../qp.ts';

/** Longest payload of any path MTU. */
const longestMtu = 4096;

/** A send work request that is not done with, as the expressions of the machine see it. */
export interface Work extends Omit<PostedSend, 'kind'> {
  /** place in the send queue; -1: there is no such work request */
  index: number;
  /** of what UC and UD have not, as a SEND would be judged */
  kind: 'send' | 'write';
  immediate: boolean;
  solicited: boolean;
  /** its data were taken when it was posted */
  taken: boolean;
  /** something is wrong with it, or may be by the time it is looked at */
  faulty: boolean;
  /** packets that it takes, and those seen */
  packets: number;
  sent: number;
  completed: boolean;
  /** in error */
  failed: boolean;
  /** everything due has had its time */
  settled: boolean;
}

const unsent = { packets: 1, sent: 0, completed: false, failed: false, settled: false };

/** `mtu`: longest UD payload, where the trace tells. How many packets it takes, the machine tells. */
export function newWork(qp: UnreliableQp, posted: PostedSend, index: number, mtu = longestMtu): Work {
  const { wr, kind, inline } = posted;
  return {
    ...posted,
    index,
    kind: kind === 'write' ? 'write' : 'send',
    immediate: wr.opcode.endsWith('_WITH_IMM'),
    solicited: wr.send_flags?.includes('IBV_SEND_SOLICITED') === true,
    taken: inline !== undefined,
    faulty: isFaulty(qp, posted, mtu),
    ...unsent,
  };
}

const common: readonly WrOpcode[] = ['IBV_WR_SEND', 'IBV_WR_SEND_WITH_IMM'];
const operations: Readonly<Record<UnreliableService, readonly WrOpcode[]>> = {
  UC: [...common, 'IBV_WR_RDMA_WRITE', 'IBV_WR_RDMA_WRITE_WITH_IMM'],
  UD: common,
};

function isFaulty(
  { kind, memory, pd }: UnreliableQp,
  { wr, length, inline }: PostedSend,
  mtu: number,
): boolean {
  if ((kind === 'UD' && length > mtu) || wr.raw_opcode !== undefined) return true;
  if (!operations[kind].includes(wr.opcode)) return true;
  // whether the memory may be read now
  return inline === undefined && !wr.sg_list.every((sge) => usable(memory.byLkey(sge.lkey), pd, sge, false));
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
  faulty: false,
  event: 0,
  t: 0,
};
