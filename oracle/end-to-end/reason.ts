import type { AccessFlag } from '../../spec/verbs.ts';
import { allUsable, type EffectsEnd, type OpenSend } from './end.ts';
import { inside, totalLength, type Memory } from '../device/memory.ts';
import type { Objects } from '../device/objects.ts';
import { grhBytes } from '../device/receive-queue.ts';

export type Asked = 'send' | 'send-immediate' | 'write' | 'write-immediate' | 'read' | 'atomic';
export type Reason =
  | 'none'
  | 'local-key'
  | 'local-operation'
  | 'local-length'
  | 'unreachable'
  | 'wrong-qkey'
  | 'no-receive'
  | 'short-receive'
  | 'receive-key'
  | 'remote-key'
  | 'remote-right'
  | 'misaligned'
  | 'no-resources';

/** The longest message that any device takes, in bytes (ee-loc-len-requester-2g). */
const longest = 2 ** 31;

/** The fact `asked` of a work request; `undefined` where the tables do not speak of it. */
export function askedOf({ wr }: OpenSend): Asked | undefined {
  switch (wr.opcode) {
    case 'IBV_WR_SEND':
      return 'send';
    case 'IBV_WR_SEND_WITH_IMM':
      return 'send-immediate';
    case 'IBV_WR_RDMA_WRITE':
      return 'write';
    case 'IBV_WR_RDMA_WRITE_WITH_IMM':
      return 'write-immediate';
    case 'IBV_WR_RDMA_READ':
      return 'read';
    case 'IBV_WR_ATOMIC_CMP_AND_SWP':
    case 'IBV_WR_ATOMIC_FETCH_AND_ADD':
      return 'atomic';
    case 'IBV_WR_SEND_WITH_INV':
      return undefined;
  }
}

const serves: Readonly<Record<EffectsEnd['service'], readonly Asked[]>> = {
  RC: ['send', 'send-immediate', 'write', 'write-immediate', 'read', 'atomic'],
  UC: ['send', 'send-immediate', 'write', 'write-immediate'],
  UD: ['send', 'send-immediate'],
};

/** What the requester's own device finds wrong, before any packet. */
export function localReason(
  end: EffectsEnd,
  send: OpenSend,
  asked: Asked,
  { memory, port }: Objects,
): Reason {
  if (send.wr.raw_opcode !== undefined || !serves[end.service].includes(asked)) return 'local-operation';
  const length = totalLength(send.wr.sg_list);
  const most = port === undefined ? longest : end.service === 'UD' ? port.active_mtu : port.max_msg_sz;
  if (length > Math.min(longest, most)) return 'local-length';
  if (send.wr.send_flags?.includes('IBV_SEND_INLINE') === true) return 'none';
  const places = asked === 'read' || asked === 'atomic';
  return allUsable(memory, end.qp.pd, send.wr.sg_list, places) ? 'none' : 'local-key';
}

const receiving: readonly EffectsEnd['state'][] = ['RTR', 'RTS', 'SQD', 'SQE'];
const rights: Readonly<Record<'write' | 'write-immediate' | 'read' | 'atomic', AccessFlag>> = {
  write: 'IBV_ACCESS_REMOTE_WRITE',
  'write-immediate': 'IBV_ACCESS_REMOTE_WRITE',
  read: 'IBV_ACCESS_REMOTE_READ',
  atomic: 'IBV_ACCESS_REMOTE_ATOMIC',
};

/** Whether a responder receives what the requester sends. */
export function reaches(from: EffectsEnd, to: EffectsEnd | undefined): to is EffectsEnd {
  if (to === undefined || to.service !== from.service || !receiving.includes(to.state)) return false;
  return to.service === 'UD' || to.qp.peerQpNumber === from.qp.qpNumber;
}

/** Everything that a responder finds wrong; the tables decide where it is at most one thing. */
export function remoteReasons(
  from: EffectsEnd,
  to: EffectsEnd,
  send: OpenSend,
  asked: Asked,
  memory: Memory,
): Reason[] {
  const { wr } = send;
  const found: Reason[] = [];
  const length = totalLength(wr.sg_list);
  if (to.service === 'UD') {
    const given = wr.remote_qkey ?? 0;
    // with the top bit set the Q_Key of the sending QP is used
    if ((given >>> 31 === 1 ? from.qp.qkey : given) !== to.qp.qkey) return ['wrong-qkey'];
  }
  if (asked === 'send' || asked === 'send-immediate' || asked === 'write-immediate') {
    const [wqe] = to.receives.waiting;
    if (wqe === undefined) found.push('no-receive');
    else if (asked !== 'write-immediate') {
      const needed = to.service === 'UD' ? length + grhBytes : length;
      if (needed > totalLength(wqe.sg_list)) found.push('short-receive');
      if (needed > 0 && !allUsable(memory, to.qp.pd, wqe.sg_list, true)) found.push('receive-key');
    }
  }
  if (asked === 'send' || asked === 'send-immediate') return found;
  if (to.qp.access?.includes(rights[asked]) !== true) found.push('remote-right');
  if ((asked === 'read' || asked === 'atomic') && (to.qp.maxDestRdAtomic ?? 0) === 0)
    found.push('no-resources');
  const aim = wr.remote_addr ?? 0n;
  if (asked === 'atomic' && aim % 8n !== 0n) found.push('misaligned');
  if (length > 0) {
    const region = memory.byRkey(wr.rkey ?? 0);
    const granted =
      region?.alive === true &&
      region.pd === to.qp.pd &&
      inside(region, aim, length) &&
      region.access.includes(rights[asked]);
    if (!granted) found.push('remote-key');
  }
  return found;
}
