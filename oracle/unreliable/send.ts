import { opcodes } from '../../spec/constants.ts';
import type { SendWr, WcOpcode, WrOpcode } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import { inside } from '../device/memory.ts';
import type { PostedSend } from '../device/posted-send.ts';
import type { UnreliableQp } from './qp.ts';
import type { UnreliableService } from './tables.ts';

/** Longest payload of any path MTU. */
const longestMtu = 4096;

/** One send work request that is not done with. */
export interface SendItem extends Omit<PostedSend, 'kind'> {
  /** of what UC and UD have not, as a SEND would be judged */
  kind: 'send' | 'write';
  /** packets that it takes, and those seen */
  count: number;
  sent: number;
  /** it may fail, or vanish: something is wrong with it, or may be by the time it is looked at */
  doubtful: boolean;
  /** it was posted where the state of the QP does not let it be processed */
  stopped: boolean;
  completed: boolean;
  /** software has changed the memory since, so that the payload may be either */
  payloadOpen: boolean;
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

/** The work request as an item of the send queue of the QP. `mtu`: longest UD payload, where the trace tells. */
export function sendItem(qp: UnreliableQp, posted: PostedSend, mtu: number | undefined): SendItem {
  const { wr, length, inline } = posted;
  const tooLong = qp.kind === 'UD' && length > (mtu ?? longestMtu);
  return {
    ...posted,
    kind: posted.kind === 'write' ? 'write' : 'send',
    count: qp.kind === 'UD' || qp.pmtu <= 0 ? 1 : Math.max(1, Math.ceil(length / qp.pmtu)),
    sent: 0,
    doubtful:
      tooLong ||
      wr.raw_opcode !== undefined ||
      !operations[qp.kind].has(wr.opcode) ||
      (inline === undefined && !readable(qp, wr)),
    stopped: false,
    completed: false,
    payloadOpen: false,
  };
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

/** Operation name of the constants for the packet of an item that comes after `sent` others. */
export function operationOf({ kind, wr, count, sent }: SendItem): string {
  const base = kind === 'send' ? 'SEND' : 'RDMA_WRITE';
  const last = sent === count - 1;
  const place = count === 1 ? 'ONLY' : sent === 0 ? 'FIRST' : last ? 'LAST' : 'MIDDLE';
  const immediate = last && wr.opcode.endsWith('_WITH_IMM') ? '_WITH_IMMEDIATE' : '';
  return `${base}_${place}${immediate}`;
}

/** Whether the packet says the same as one sent before: opcode, PSN, addressee and payload. */
export function samePacket(a: Packet, b: Packet): boolean {
  return (
    a.opcode === b.opcode &&
    a.psn === b.psn &&
    a.destQp === b.destQp &&
    a.payloadLength === b.payloadLength &&
    Buffer.compare(a.payload, b.payload) === 0
  );
}

/** Opcode of the completion of a work request. */
export function completionOpcodeOf({ kind }: SendItem): WcOpcode {
  return kind === 'write' ? 'IBV_WC_RDMA_WRITE' : 'IBV_WC_SEND';
}

/** Service and operation by the opcode byte, for people. */
export function opcodeName(opcode: number): string {
  return opcodes[opcode]?.name ?? `opcode 0x${opcode.toString(16)}`;
}
