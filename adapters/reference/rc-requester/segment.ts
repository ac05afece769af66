import { opcodeByName } from '../../../spec/constants.ts';
import { psnDiff, type PacketFields } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { QueuePair } from '../device/qp.ts';
import { serviceBits } from '../device/service.ts';
import type { SendWqe } from './state.ts';
import { dethOf, spoiled } from './request-faults.ts';

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
export function packetAt(
  core: Core,
  qp: QueuePair,
  wqe: SendWqe,
  psn: number,
): Omit<PacketFields, 'destQp'> | undefined {
  const { wr } = wqe;
  const index = psnDiff(psn, wqe.psn);
  const mtu = core.fault === 'uc-short-packets' && qp.service !== 'RC' ? qp.mtu / 2 : qp.mtu;
  const offset = index * mtu;
  const va = (wr.remote_addr ?? 0n) + BigInt(offset);
  const rkey = wr.rkey ?? 0;
  if (wqe.kind === 'read') {
    const { fault } = core;
    const dmaLen = wqe.length - (fault === 'read-retry-keeps-length' ? 0 : offset);
    const from = fault === 'read-retry-keeps-address' ? (wr.remote_addr ?? 0n) : va;
    return { opcode: readRequest, psn, ackReq: core.config.readsAsk, reth: { va: from, rkey, dmaLen } };
  }
  if (wqe.kind === 'atomic') {
    const swaps = wr.opcode === 'IBV_WR_ATOMIC_CMP_AND_SWP';
    return {
      opcode: swaps ? compareSwap : fetchAdd,
      psn,
      ackReq: core.config.readsAsk,
      atomicEth: {
        va,
        rkey,
        swapOrAdd: (swaps ? wr.swap : wr.compare_add) ?? 0n,
        compare: swaps ? (wr.compare_add ?? 0n) : 0n,
      },
    };
  }
  const length = Math.min(mtu, wqe.length - offset);
  const from = core.fault === 'payload-repeated' ? 0 : offset;
  const payload =
    wqe.inline?.subarray(from, from + length) ?? core.memory.gather(wr.sg_list, from, length, qp.pd);
  if (payload === undefined) return undefined;
  const first = index === 0;
  const last = index === wqe.packets - 1;
  const reliable = qp.service === 'RC';
  const fields: Omit<PacketFields, 'destQp'> = {
    opcode: opcodeOf(wqe, first, last) | (serviceBits[qp.service] << 5),
    psn,
    // Nobody answers an unreliable service.
    ackReq: reliable && (last || (index + 1) % core.config.ackEvery === 0),
    payload,
  };
  if (wqe.to !== undefined) fields.deth = dethOf(core, qp, wqe, wqe.to);
  if (first && wqe.kind === 'write') fields.reth = { va, rkey, dmaLen: wqe.length };
  if (last) {
    if (wr.opcode.endsWith('_WITH_IMM')) fields.immediate = wr.imm_data ?? 0;
    if (wr.opcode === 'IBV_WR_SEND_WITH_INV') fields.invalidateRkey = wr.invalidate_rkey ?? 0;
    const notifies = wqe.kind === 'send' || wr.opcode.endsWith('_WITH_IMM');
    if (notifies && wr.send_flags?.includes('IBV_SEND_SOLICITED') === true) fields.solicited = true;
  }
  return core.fault === undefined ? fields : spoiled(core, qp, wqe, fields);
}

function opcodeOf(wqe: SendWqe, first: boolean, last: boolean): number {
  const names = wqe.kind === 'send' ? sends : writes;
  if (!last) return first ? names.first : names.middle;
  const { opcode } = wqe.wr;
  if (opcode.endsWith('_WITH_IMM')) return first ? names.onlyImmediate : names.lastImmediate;
  if (opcode === 'IBV_WR_SEND_WITH_INV') return first ? sendOnlyInvalidate : sendLastInvalidate;
  return first ? names.only : names.last;
}

/** PSNs that a WQE takes: its packets, or those of its READ responses; at least one. */
export function packetsOf(length: number, mtu: number): number {
  return Math.max(1, Math.ceil(length / mtu));
}
