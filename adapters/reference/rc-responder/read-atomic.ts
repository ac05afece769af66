import { psnAdd, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { Place } from '../device/memory.ts';
import type { QueuePair } from '../device/qp.ts';
import { announced, leniencyOf } from './access.ts';
import { refuse, refuseInvalid } from './refuse.ts';
import { sendAtomicAck, sendReadResponses } from './reply.ts';
import type { Resource } from './state.ts';

const nothing = new Uint8Array(0);

/** A READ with the expected PSN. */
export function executeRead(core: Core, qp: QueuePair, packet: Packet): void {
  const r = qp.responder;
  const { psn, reth } = packet;
  if (
    reth === undefined ||
    (!qp.access.includes('IBV_ACCESS_REMOTE_READ') && core.fault !== 'qp-access-unchecked')
  ) {
    refuseInvalid(core, qp, psn);
    return;
  }
  if (noResource(core, qp)) {
    refuseReadAtomic(core, qp, psn);
    return;
  }
  const length = announced(core, reth);
  if (length === undefined || packet.payloadLength + packet.padCount > 0) {
    refuseInvalid(core, qp, psn);
    return;
  }
  const data = readable(core, qp, { ...reth, dmaLen: length });
  if (data === undefined) {
    const sent = sendReadable(core, qp, psn, { ...reth, dmaLen: length });
    refuse(core, qp, {
      nak: 'remote-access-error',
      psn: core.fault === 'read-nak-psn-of-request' ? psn : psnAdd(psn, sent),
      status: 'IBV_WC_LOC_ACCESS_ERR',
      event: 'IBV_EVENT_QP_ACCESS_ERR',
    });
    return;
  }
  const packets = Math.max(1, Math.ceil(length / qp.mtu));
  remember(core, qp, {
    kind: 'read',
    psn,
    packets,
    va: reth.va,
    rkey: reth.rkey,
    length,
    stale: keptBytes(core, data),
  });
  r.epsn = psnAdd(r.epsn, core.fault === 'read-advances-one-psn' ? 1 : packets);
  if (core.fault !== 'msn-not-for-read') r.msn = psnAdd(r.msn, 1);
  sendReadResponses(core, qp, psn, data);
}

/** Of a READ that leaves its region: the responses in front of the one that cannot be sent, if the device sends any; their number. */
function sendReadable(
  core: Core,
  qp: QueuePair,
  psn: number,
  reth: { va: bigint; rkey: number; dmaLen: number },
): number {
  const midway = core.config.readFault === 'midway' || core.fault === 'read-nak-psn-of-request';
  if (!midway) return 0;
  for (let sent = Math.ceil(reth.dmaLen / qp.mtu) - 1; sent > 0; sent--) {
    const data = readable(core, qp, { ...reth, dmaLen: sent * qp.mtu });
    if (data === undefined) continue;
    sendReadResponses(core, qp, psn, data, reth.dmaLen);
    return sent;
  }
  return 0;
}

/** What mutants answer a duplicate with: the bytes of the first time, or those of memory that may be freed by then. */
function keptBytes({ fault }: Core, data: Uint8Array): Uint8Array | undefined {
  if (fault === 'duplicate-read-stale') return data.slice();
  return fault === 'duplicate-read-of-freed-memory' ? data : undefined;
}

/** The bytes that a READ asks for, or `undefined` where it may not have them. */
export function readable(
  core: Core,
  qp: QueuePair,
  reth: { va: bigint; rkey: number; dmaLen: number },
): Uint8Array | undefined {
  if (reth.dmaLen === 0 && core.fault !== 'zero-length-checks-rkey') return nothing;
  const place = core.memory.remote(
    reth.rkey,
    reth.va,
    reth.dmaLen,
    qp.pd,
    'IBV_ACCESS_REMOTE_READ',
    leniencyOf(core),
  );
  return place?.bytes.subarray(place.offset, place.offset + reth.dmaLen);
}

/** A CmpSwap or FetchAdd with the expected PSN. */
export function executeAtomic(
  core: Core,
  qp: QueuePair,
  packet: Packet,
  kind: 'compare-swap' | 'fetch-add',
): void {
  const r = qp.responder;
  const { psn, atomicEth: eth } = packet;
  if (
    eth === undefined ||
    (!qp.access.includes('IBV_ACCESS_REMOTE_ATOMIC') && core.fault !== 'qp-access-unchecked') ||
    packet.payloadLength + packet.padCount > 0
  ) {
    refuseInvalid(core, qp, psn);
    return;
  }
  const full = noResource(core, qp);
  if (full || (eth.va % 8n !== 0n && core.fault !== 'unaligned-atomic-accepted')) {
    refuseReadAtomic(core, qp, psn, !full);
    return;
  }
  const place = core.memory.remote(eth.rkey, eth.va, 8, qp.pd, 'IBV_ACCESS_REMOTE_ATOMIC', leniencyOf(core));
  if (place === undefined) {
    refuse(core, qp, {
      nak: 'remote-access-error',
      psn,
      status: 'IBV_WC_LOC_ACCESS_ERR',
      event: 'IBV_EVENT_QP_ACCESS_ERR',
    });
    return;
  }
  const original = operate(core, place, eth, kind);
  remember(core, qp, {
    kind: 'atomic',
    psn,
    packets: 1,
    opcode: packet.opcode,
    va: eth.va,
    rkey: eth.rkey,
    original,
  });
  r.epsn = psnAdd(r.epsn, 1);
  r.msn = psnAdd(r.msn, 1);
  sendAtomicAck(core, qp, psn, core.fault === 'atomic-returns-new-value' ? valueAt(place) : original);
}

// Memory of the host is little endian.
function viewOf(place: Place): DataView {
  return new DataView(place.bytes.buffer, place.bytes.byteOffset + place.offset, 8);
}

function valueAt(place: Place): bigint {
  return viewOf(place).getBigUint64(0, true);
}

/** Performs the operation and gives the value from before it. */
export function operate(
  core: Core,
  place: Place,
  eth: { swapOrAdd: bigint; compare: bigint },
  kind: 'compare-swap' | 'fetch-add',
): bigint {
  const view = viewOf(place);
  const original = view.getBigUint64(0, true);
  if (kind === 'fetch-add') {
    const mask = core.fault === 'fetch-add-32-bits' ? 0xffff_ffffn : 0xffff_ffff_ffff_ffffn;
    view.setBigUint64(0, (original & ~mask) | ((original + eth.swapOrAdd) & mask), true);
  } else if (original === eth.compare || core.fault === 'compare-swap-always') {
    view.setBigUint64(0, eth.swapOrAdd, true);
  }
  return original;
}

function noResource(core: Core, qp: QueuePair): boolean {
  const most = qp.attr.max_dest_rd_atomic ?? 0;
  if (core.fault === 'resources-never-freed' && qp.responder.resources.length >= most) return true;
  return (qp.attr.max_dest_rd_atomic ?? 0) === 0 && core.fault !== 'resource-overflow-executed';
}

// Each request is finished before the next is looked at, so that only the replay of the newest ones takes room.
function remember(core: Core, qp: QueuePair, resource: Resource): void {
  const { resources } = qp.responder;
  if (core.fault === 'read-evicts-atomics' && resource.kind === 'read')
    qp.responder.resources = resources.filter(({ kind }) => kind === 'read');
  qp.responder.resources.push(resource);
  const room = core.fault === 'one-replay-entry' ? 1 : Math.max(1, qp.attr.max_dest_rd_atomic ?? 0);
  if (qp.responder.resources.length > room) qp.responder.resources.shift();
}

function refuseReadAtomic(core: Core, qp: QueuePair, psn: number, misaligned = false): void {
  refuse(core, qp, {
    nak: 'invalid-request',
    psn,
    status: 'IBV_WC_LOC_QP_OP_ERR',
    event: 'IBV_EVENT_QP_ACCESS_ERR',
    of: misaligned ? 'misaligned' : 'resources',
  });
}
