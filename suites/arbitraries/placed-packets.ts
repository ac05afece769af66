import type { PacketPlan } from '../scenario.ts';
import { packet } from './packets.ts';

const full = { mtus: 1, bytes: 0 };
const some = { mtus: 0, bytes: 8 };
const target = { region: 0, offset: 0, length: 8 };

/** SENDs and WRITEs of every place in a message, with the payload that the place calls for. */
export const placedPackets: readonly PacketPlan[] = [
  packet('SEND_ONLY', { payload: some }),
  packet('SEND_FIRST', { payload: full }),
  packet('SEND_MIDDLE', { payload: full }),
  packet('SEND_LAST', { payload: some }),
  packet('SEND_LAST_WITH_IMMEDIATE', { payload: some, immediate: 7 }),
  packet('SEND_ONLY_WITH_IMMEDIATE', { payload: some, immediate: 7 }),
  packet('RDMA_WRITE_ONLY', { payload: some, target }),
  packet('RDMA_WRITE_MIDDLE', { payload: full }),
  packet('RDMA_WRITE_LAST', { payload: some }),
  packet('RDMA_WRITE_LAST_WITH_IMMEDIATE', { payload: some, immediate: 7 }),
];
