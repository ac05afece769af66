import { opcodeByName } from '../../../spec/constants.ts';
import { psnDiff } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { gather } from '../device/memory/sge-list.ts';
import type { Deth, Fields, Reth } from '../device/headers.ts';
import type { Destination } from '../device/path.ts';
import type { QueuePair } from '../device/qp.ts';
import { serviceBits } from '../device/service.ts';
import { seam } from '../seam.ts';
import type { SendWqe } from './state.ts';

const op = (name: string): number => opcodeByName(`RC_${name}`);
const readRequest = op('RDMA_READ_REQUEST');
const compareSwap = op('COMPARE_SWAP');
const fetchAdd = op('FETCH_ADD');
const family = (verb: string) => ({
  first: op(`${verb}_FIRST`),
  middle: op(`${verb}_MIDDLE`),
  last: op(`${verb}_LAST`),
  only: op(`${verb}_ONLY`),
  lastImmediate: op(`${verb}_LAST_WITH_IMMEDIATE`),
  onlyImmediate: op(`${verb}_ONLY_WITH_IMMEDIATE`),
});
const sends = family('SEND');
const writes = family('RDMA_WRITE');
const sendLastInvalidate = op('SEND_LAST_WITH_INVALIDATE');
const sendOnlyInvalidate = op('SEND_ONLY_WITH_INVALIDATE');

/** The packet of a WQE that has this PSN, the last one asking for an ACK; `undefined` where its own memory may not be read. */
export function packetAt(core: Core, qp: QueuePair, wqe: SendWqe, psn: number): Fields | undefined {
  if (wqe.kind === 'atomic') return atomicRequest(core, wqe, psn);
  if (wqe.kind !== 'read') return messagePacket(core, qp, wqe, psn);
  const reth = readReth(core, wqe, psnDiff(psn, wqe.psn) * qp.mtu);
  return { opcode: readRequest, psn, ackReq: core.config.readsAsk, reth };
}

/** What a READ asks for from `offset` bytes on. */
export const readReth = seam((_core: Core, { wr, length }: SendWqe, offset: number): Reth => ({
  va: (wr.remote_addr ?? 0n) + BigInt(offset),
  rkey: wr.rkey ?? 0,
  dmaLen: length - offset,
}));

function atomicRequest({ config }: Core, { wr }: SendWqe, psn: number): Fields {
  const swaps = wr.opcode === 'IBV_WR_ATOMIC_CMP_AND_SWP';
  return {
    opcode: swaps ? compareSwap : fetchAdd,
    psn,
    ackReq: config.readsAsk,
    atomicEth: {
      va: wr.remote_addr ?? 0n,
      rkey: wr.rkey ?? 0,
      swapOrAdd: (swaps ? wr.swap : wr.compare_add) ?? 0n,
      compare: swaps ? (wr.compare_add ?? 0n) : 0n,
    },
  };
}

/** A packet of a SEND or WRITE. */
export const messagePacket = seam(
  (core: Core, qp: QueuePair, wqe: SendWqe, psn: number): Fields | undefined => {
    const { wr } = wqe;
    const index = psnDiff(psn, wqe.psn);
    const size = segmentSize(core, qp);
    const offset = index * size;
    const payload = payloadOf(core, qp, wqe, offset, Math.min(size, wqe.length - offset));
    if (payload === undefined) return undefined;
    const first = index === 0;
    const last = index === wqe.packets - 1;
    const reliable = qp.service === 'RC';
    const fields: Fields = {
      opcode: opcodeOf(wqe, first, last) | (serviceBits[qp.service] << 5),
      psn,
      // Nobody answers an unreliable service.
      ackReq: reliable && (last || (index + 1) % core.config.ackEvery === 0),
      payload,
    };
    if (wqe.to !== undefined) fields.deth = dethOf(core, qp, wqe, wqe.to);
    if (first && wqe.kind === 'write')
      fields.reth = { va: wr.remote_addr ?? 0n, rkey: wr.rkey ?? 0, dmaLen: wqe.length };
    if (last) {
      if (wr.opcode.endsWith('_WITH_IMM')) fields.immediate = wr.imm_data ?? 0;
      if (wr.opcode === 'IBV_WR_SEND_WITH_INV') fields.invalidateRkey = wr.invalidate_rkey ?? 0;
      const notifies = wqe.kind === 'send' || wr.opcode.endsWith('_WITH_IMM');
      if (notifies && wr.send_flags?.includes('IBV_SEND_SOLICITED') === true) fields.solicited = true;
    }
    return fields;
  },
);

/** Bytes of payload in each packet of a message but the last. */
export const segmentSize = seam((_core: Core, qp: QueuePair): number => qp.mtu);

/** `length` bytes of what a request sends from `offset` on; `undefined` where its own memory may not be read. */
export const payloadOf = seam(
  ({ memory }: Core, { pd }: QueuePair, { wr, inline }: SendWqe, offset: number, length: number) =>
    inline?.subarray(offset, offset + length) ?? gather(memory, wr.sg_list, offset, length, pd),
);

/** Q_Key and source of a datagram. */
export const dethOf = seam((_core: Core, qp: QueuePair, { qkey }: SendWqe, _to: Destination): Deth => ({
  qkey,
  srcQp: qp.num,
}));

function opcodeOf(wqe: SendWqe, first: boolean, last: boolean): number {
  const names = wqe.kind === 'send' ? sends : writes;
  if (!last) return first ? names.first : names.middle;
  const { opcode } = wqe.wr;
  if (opcode.endsWith('_WITH_IMM')) return first ? names.onlyImmediate : names.lastImmediate;
  if (opcode === 'IBV_WR_SEND_WITH_INV') return first ? sendOnlyInvalidate : sendLastInvalidate;
  return first ? names.only : names.last;
}
