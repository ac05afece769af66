import { opcodeByName } from '../../../spec/constants.ts';
import { psnAdd, type PacketFields } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import type { SendWqe } from './state.ts';

const sendMiddle = opcodeByName('RC_SEND_MIDDLE');
const writeMiddle = opcodeByName('RC_RDMA_WRITE_MIDDLE');

/** What mutants change in a packet that is sent again. */
export function spoil({ fault }: Core, { kind }: SendWqe, fields: Omit<PacketFields, 'destQp'>): void {
  const { payload } = fields;
  if (fault === 'retransmission-new-psn') fields.psn = psnAdd(fields.psn, 1);
  if (fault === 'retransmission-altered-payload' && payload !== undefined && payload.length > 0) {
    fields.payload = payload.slice();
    fields.payload[0] = (payload[0] ?? 0) ^ 0xff;
  }
  if (fault === 'retransmission-opcode-changed') {
    if (kind === 'send') fields.opcode = sendMiddle;
    if (kind === 'write') fields.opcode = writeMiddle;
  }
}

/** What mutants remember of a packet sent, and do behind it. */
export function noteSent(
  core: Core,
  qp: QueuePair,
  fields: Omit<PacketFields, 'destQp'>,
  again: boolean,
): void {
  if (core.fault === undefined) return;
  const q = qp.requester;
  const { faulty } = q;
  faulty.sent++;
  if (!again) faulty.sentAt = core.clock.now();
  faulty.lastSent = fields;
  if (core.fault === 'retransmission-unprompted' && faulty.sent % 5 === 0) core.transmit(qp, fields);
  if (again && faulty.lone) q.next = q.end;
  faulty.lone = false;
}
