import type { SendWr, WcStatus, WrOpcode } from '../../../spec/verbs.ts';
import type { Device } from '../device/device.ts';
import type { Destination } from '../device/path.ts';
import { sourcePort } from '../device/path.ts';
import type { QueuePair } from '../device/qp.ts';
import type { SendWqe } from '../rc-requester/state.ts';
import type { Service } from '../device/service.ts';
import { seam, type Varied } from '../seam.ts';

/** Numbers of <infiniband/verbs.h>, of the opcodes that this device knows. */
const opcodes: readonly (WrOpcode | undefined)[] = [
  'IBV_WR_RDMA_WRITE',
  'IBV_WR_RDMA_WRITE_WITH_IMM',
  'IBV_WR_SEND',
  'IBV_WR_SEND_WITH_IMM',
  'IBV_WR_RDMA_READ',
  'IBV_WR_ATOMIC_CMP_AND_SWP',
  'IBV_WR_ATOMIC_FETCH_AND_ADD',
  'IBV_WR_LOCAL_INV',
  'IBV_WR_BIND_MW',
  'IBV_WR_SEND_WITH_INV',
];

const kinds: Readonly<Record<WrOpcode, SendWqe['kind']>> = {
  IBV_WR_SEND: 'send',
  IBV_WR_SEND_WITH_IMM: 'send',
  IBV_WR_SEND_WITH_INV: 'send',
  IBV_WR_RDMA_WRITE: 'write',
  IBV_WR_RDMA_WRITE_WITH_IMM: 'write',
  IBV_WR_RDMA_READ: 'read',
  IBV_WR_ATOMIC_CMP_AND_SWP: 'atomic',
  IBV_WR_ATOMIC_FETCH_AND_ADD: 'atomic',
  IBV_WR_LOCAL_INV: 'local',
  IBV_WR_BIND_MW: 'local',
};

const offered: Readonly<Record<Service, ReadonlySet<WrOpcode>>> = {
  RC: new Set(Object.keys(kinds) as WrOpcode[]),
  UC: new Set([
    'IBV_WR_SEND',
    'IBV_WR_SEND_WITH_IMM',
    'IBV_WR_RDMA_WRITE',
    'IBV_WR_RDMA_WRITE_WITH_IMM',
  ] as const),
  UD: new Set(['IBV_WR_SEND', 'IBV_WR_SEND_WITH_IMM'] as const),
};

/** The WR as the number in its field `opcode` says, and its kind; no kind: nothing has that number. */
export function interpreted(wr: SendWr): { wr: SendWr; kind: SendWqe['kind'] | undefined } {
  if (wr.raw_opcode === undefined) return { wr, kind: kinds[wr.opcode] };
  const opcode = opcodes[wr.raw_opcode];
  return opcode === undefined ? { wr, kind: undefined } : { wr: { ...wr, opcode }, kind: kinds[opcode] };
}

/** The status of a work request whose opcode the service does not have. */
export const badOpcode = seam((_device: Varied): WcStatus => 'IBV_WC_LOC_QP_OP_ERR');

/** The status of a message that is too long for the port. */
export const tooLong = seam((_device: Varied): WcStatus => 'IBV_WC_LOC_LEN_ERR');

/** The status of a list of so many elements, where its queue has no room for them. */
export const listDefect = seam(
  (_device: Varied, { cap }: QueuePair, elements: number): WcStatus | undefined =>
    elements > cap.max_send_sge ? 'IBV_WC_LOC_QP_OP_ERR' : undefined,
);

/** The status of a work request that cannot be carried out, whatever memory it names; `undefined` for a sound one. */
export function defectOf(device: Device, qp: QueuePair, wr: SendWr, length: number): WcStatus | undefined {
  const { config } = device;
  if (!offered[qp.service].has(wr.opcode)) return badOpcode(device);
  if (qp.ooo !== undefined && kinds[wr.opcode] === 'local') return badOpcode(device);
  const defect = listDefect(device, qp, wr.sg_list.length);
  if (defect !== undefined) return defect;
  if (length > config.maxMessageBytes) return tooLong(device);
  if (qp.service !== 'UD') return undefined;
  if (device.ahs.get(wr.ah ?? 0)?.pd !== qp.pd) return 'IBV_WC_LOC_QP_OP_ERR';
  return length > qp.mtu && config.longDatagram !== 'vanish' ? tooLong(device) : undefined;
}

/** Where a datagram goes. */
export function destinationOf(device: Device, qp: QueuePair, wr: SendWr): Destination {
  const destQp = wr.remote_qpn ?? 0;
  return { remote: device.ahs.get(wr.ah ?? 0)?.path, destQp, srcPort: sourcePort(qp.num, destQp) };
}

/** The Q_Key that a datagram shows: with the highest bit set, the WR asks for that of its own QP. */
export function qkeyOf({ attr }: QueuePair, { remote_qkey = 0 }: SendWr): number {
  return remote_qkey >= 0x8000_0000 ? (attr.qkey ?? 0) : remote_qkey;
}
