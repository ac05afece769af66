import { serviceBits } from '../../../spec/constants.ts';
import { ooethFlags, psnAdd, psnDiff, type Ooeth, type PacketFields } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { packetAt } from '../rc-requester/segment.ts';
import { marredRequest } from './faults.ts';
import type { OooQp } from './qp.ts';
import type { Outgoing } from './state.ts';

type Fields = Omit<PacketFields, 'destQp'>;

/** The packet of a request that has this PSN; `undefined` where its own memory may not be read. `again`: it was sent before. */
export function requestPacket(
  core: Core,
  qp: OooQp,
  outgoing: Outgoing,
  psn: number,
  again: boolean,
): Fields | undefined {
  const fields = packetAt(core, qp, outgoing.wqe, psn);
  if (fields === undefined) return undefined;
  const { wqe } = outgoing;
  const index = psnDiff(psn, wqe.psn);
  const { fault } = core;
  fields.opcode |= serviceBits.ORC;
  fields.ooeth = ooethOf(core, qp, outgoing, index, again);
  if (wqe.kind === 'write') {
    const bare = fault === 'ooo-reth-in-first-only' && index > 0;
    fields.reth = bare
      ? { va: 0n, rkey: 0, dmaLen: 0 }
      : { va: wqe.wr.remote_addr ?? 0n, rkey: wqe.wr.rkey ?? 0, dmaLen: wqe.length };
    if (fault === 'ooo-reth-names-packet')
      fields.reth = { ...fields.reth, va: fields.reth.va + BigInt(index * qp.mtu) };
  }
  // A packet that fills the window, or was lost, is the one whose fate has to be known.
  const { una } = qp.requester;
  if (again || psnDiff(psnAdd(psn, 1), una) >= core.config.outOfOrder.cap) fields.ackReq = true;
  return fault === undefined ? fields : marredRequest(core, qp, fields, again);
}

function ooethOf({ fault }: Core, qp: OooQp, outgoing: Outgoing, index: number, again: boolean): Ooeth {
  const { wqe } = outgoing;
  let { recvWqeSn, readWqeSn } = outgoing;
  const last = index === wqe.packets - 1;
  if (wqe.kind === 'write' && !last && fault !== 'ooo-receive-number-in-all-writes') recvWqeSn = undefined;
  if (fault === 'ooo-receive-number-in-last-only' && wqe.kind === 'send' && !last) recvWqeSn = undefined;
  if (fault === 'ooo-receive-number-not-in-write' && wqe.kind === 'write') recvWqeSn = undefined;
  if (fault === 'ooo-read-number-missing') readWqeSn = undefined;
  if (fault === 'ooo-read-number-in-all') readWqeSn ??= qp.ooo.requester.readWqes;
  if (fault === 'ooo-read-number-anew' && again && readWqeSn !== undefined) readWqeSn = psnAdd(readWqeSn, 1);
  let offset = wqe.kind === 'send' || wqe.kind === 'write' ? index * qp.mtu : 0;
  if (fault === 'ooo-offset-in-packets') offset = index;
  if (fault === 'ooo-offset-zero') offset = 0;
  return {
    flags:
      (recvWqeSn === undefined ? 0 : ooethFlags.recvWqe) | (readWqeSn === undefined ? 0 : ooethFlags.readWqe),
    recvWqeSn: recvWqeSn ?? 0,
    readWqeSn: readWqeSn ?? 0,
    offset,
  };
}
