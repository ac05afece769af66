import type { SendWr, WrOpcode } from '../../spec/verbs.ts';
import { inside } from '../device/memory.ts';
import type { PostedSend } from '../device/posted-send.ts';
import type { UnreliableMachine } from './machine.ts';
import type { UnreliableQp } from './qp.ts';
import type { UnreliableService } from './tables.ts';
import type { UnreliableInputs, UnreliableVariables } from './variables.ts';

/** Longest payload of any path MTU. */
const longestMtu = 4096;

/** A send work request that is not done with, as the expressions of the machine see it. */
export class Work implements Required<UnreliableInputs['work']> {
  readonly posted: PostedSend;
  readonly index: number;
  /** of what UC and UD have not, as a SEND would be judged */
  readonly kind: 'send' | 'write';
  readonly length: number;
  readonly packets: number;
  readonly signaled: boolean;
  readonly immediate: boolean;
  readonly immData: number;
  readonly solicited: boolean;
  readonly rkey: number;
  readonly qkey: number;
  readonly remoteQp: number;
  readonly inline: boolean;
  readonly faulty: boolean;
  sent = 0;
  completed = false;
  failed = false;
  settled = false;

  /** `mtu`: longest UD payload, where the trace tells. */
  constructor(
    qp: UnreliableQp,
    posted: PostedSend,
    {
      machine,
      sending,
      mtu,
    }: { machine: UnreliableMachine; sending: UnreliableVariables; mtu: number | undefined },
  ) {
    const { wr, length, signaled, inline } = posted;
    this.posted = posted;
    this.index = sending.tail;
    this.kind = posted.kind === 'write' ? 'write' : 'send';
    this.length = length;
    this.signaled = signaled;
    this.immediate = wr.opcode.endsWith('_WITH_IMM');
    this.immData = (wr.imm_data ?? 0) >>> 0;
    this.solicited = wr.send_flags?.includes('IBV_SEND_SOLICITED') === true;
    this.rkey = wr.rkey ?? 0;
    this.qkey = wr.remote_qkey === undefined ? -1 : wr.remote_qkey >>> 0;
    this.remoteQp = wr.remote_qpn ?? -1;
    this.inline = inline !== undefined;
    this.faulty = isFaulty(qp, posted, mtu ?? longestMtu);
    this.packets = 0;
    this.packets = machine.packets({ qp, work: this }, sending);
  }

  get whole(): boolean {
    return this.sent === this.packets;
  }
}

const operations: Readonly<Record<UnreliableService, ReadonlySet<WrOpcode>>> = {
  UC: new Set<WrOpcode>([
    'IBV_WR_SEND',
    'IBV_WR_SEND_WITH_IMM',
    'IBV_WR_RDMA_WRITE',
    'IBV_WR_RDMA_WRITE_WITH_IMM',
  ]),
  UD: new Set<WrOpcode>(['IBV_WR_SEND', 'IBV_WR_SEND_WITH_IMM']),
};

function isFaulty(qp: UnreliableQp, { wr, length, inline }: PostedSend, mtu: number): boolean {
  return (
    (qp.kind === 'UD' && length > mtu) ||
    wr.raw_opcode !== undefined ||
    !operations[qp.kind].has(wr.opcode) ||
    (inline === undefined && !readable(qp, wr))
  );
}

/** Whether the memory that the work request names may be read now. */
function readable(qp: UnreliableQp, wr: SendWr): boolean {
  return wr.sg_list.every((sge) => {
    const region = qp.memory.byLkey(sge.lkey);
    return (
      region !== undefined && region.alive && region.pd === qp.pd && inside(region, sge.addr, sge.length)
    );
  });
}
