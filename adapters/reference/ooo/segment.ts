import { serviceBits } from '../../../spec/constants.ts';
import { ooethFlags, psnAdd, psnDiff, type Ooeth } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { Fields, Reth } from '../device/headers.ts';
import { packetAt } from '../rc-requester/segment.ts';
import type { SendWqe } from '../rc-requester/state.ts';
import { seam } from '../seam.ts';
import type { OooQp } from './qp.ts';
import type { Outgoing } from './state.ts';

/** The packet of a request that has this PSN; `undefined` where its own memory may not be read. `again`: it was sent before. */
export const requestPacket = seam(
  (core: Core, qp: OooQp, outgoing: Outgoing, psn: number, again: boolean): Fields | undefined => {
    const { wqe } = outgoing;
    const fields = packetAt(core, qp, wqe, psn);
    if (fields === undefined) return undefined;
    const index = psnDiff(psn, wqe.psn);
    fields.opcode |= serviceBits.ORC;
    fields.ooeth = ooethOf(core, qp, outgoing, index, again);
    if (wqe.kind === 'write') fields.reth = writeReth(core, qp, wqe, index);
    // A packet that fills the window, or was lost, is the one whose fate has to be known.
    const fills = psnDiff(psnAdd(psn, 1), qp.requester.una) >= core.config.outOfOrder.cap;
    if (again || fills) fields.ackReq = true;
    return fields;
  },
);

/** Every packet of a WRITE carries the length of the whole. */
export const writeReth = seam((_core: Core, _qp: OooQp, { wr, length }: SendWqe, _index: number): Reth => ({
  va: wr.remote_addr ?? 0n,
  rkey: wr.rkey ?? 0,
  dmaLen: length,
}));

function ooethOf(core: Core, qp: OooQp, outgoing: Outgoing, index: number, again: boolean): Ooeth {
  const recvWqeSn = receiveNumber(core, outgoing, index);
  const readWqeSn = readNumber(core, qp, outgoing, again);
  return {
    flags:
      (recvWqeSn === undefined ? 0 : ooethFlags.recvWqe) | (readWqeSn === undefined ? 0 : ooethFlags.readWqe),
    recvWqeSn: recvWqeSn ?? 0,
    readWqeSn: readWqeSn ?? 0,
    offset: offsetOf(core, qp, outgoing, index),
  };
}

/** A WRITE with immediate names the WQE that it consumes in its last packet only. */
export const receiveNumber = seam(
  (_core: Core, { wqe, recvWqeSn }: Outgoing, index: number): number | undefined =>
    wqe.kind === 'write' && !endsWith(wqe, index) ? undefined : recvWqeSn,
);

/** Whether a packet is the last one of its request. */
export function endsWith({ packets }: SendWqe, index: number): boolean {
  return index === packets - 1;
}

export const readNumber = seam(
  (_core: Core, _qp: OooQp, { readWqeSn }: Outgoing, _again: boolean): number | undefined => readWqeSn,
);

/** Bytes of the message in front of a packet. */
export const offsetOf = seam(
  (_core: Core, { mtu }: OooQp, { wqe: { kind } }: Outgoing, index: number): number =>
    kind === 'send' || kind === 'write' ? index * mtu : 0,
);
