import { psnAdd, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { Reth } from '../device/headers.ts';
import { remotePlace } from '../device/memory/protection.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import { allows, announced, needsNoKey } from './access.ts';
import { isBare } from './length.ts';
import { refuseDenied, refuseDisabled, refuseLength } from './refuse.ts';
import { sendReadResponses } from './reply.ts';
import { hasNoResource, refuseExcess, remember } from './resources.ts';
import { packetsOf } from '../packets-of.ts';

const nothing = new Uint8Array(0);

/** A READ with the expected PSN. */
export function executeRead(core: Core, qp: QueuePair, packet: Packet): void {
  const r = qp.responder;
  const { psn, reth } = packet;
  if (reth === undefined || !allows(core, qp, 'IBV_ACCESS_REMOTE_READ')) {
    refuseDisabled(core, qp, psn);
    return;
  }
  if (hasNoResource(core, qp)) {
    refuseExcess(core, qp, psn);
    return;
  }
  const length = announced(core, reth);
  if (length === undefined || !isBare(core, packet)) {
    refuseLength(core, qp, psn);
    return;
  }
  const asked = { ...reth, dmaLen: length };
  const data = readable(core, qp, asked);
  if (data === undefined) {
    denyRead(core, qp, psn, asked);
    return;
  }
  const { va, rkey } = reth;
  const packets = packetsOf(length, qp.mtu);
  remember(core, qp, { kind: 'read', psn, packets, va, rkey, length });
  r.epsn = psnAdd(r.epsn, psnsTaken(core, packets));
  countRead(core, qp);
  sendReadResponses(core, qp, psn, data);
}

/** PSNs that a READ takes: those of its responses. */
export const psnsTaken = seam((_core: Core, responses: number): number => responses);

export const countRead = seam((_core: Core, { responder: r }: QueuePair): void => {
  r.msn = psnAdd(r.msn, 1);
});

/** A READ of memory that it may not have is refused, before the first response or in place of the one that cannot be sent. */
export const denyRead = seam((core: Core, qp: QueuePair, psn: number, reth: Reth): void => {
  const sent = core.config.readFault === 'midway' ? sendReadable(core, qp, psn, reth) : 0;
  refuseDenied(core, qp, psnAdd(psn, sent));
});

/** Of a READ that leaves its region: the responses in front of the one that cannot be sent; their number. */
export function sendReadable(core: Core, qp: QueuePair, psn: number, reth: Reth): number {
  for (let sent = Math.ceil(reth.dmaLen / qp.mtu) - 1; sent > 0; sent--) {
    const data = readable(core, qp, { ...reth, dmaLen: sent * qp.mtu });
    if (data === undefined) continue;
    sendBegun(core, qp, psn, data, reth.dmaLen);
    return sent;
  }
  return 0;
}

/** The responses of a READ that will not come to its end. */
export const sendBegun = seam(
  (core: Core, qp: QueuePair, psn: number, data: Uint8Array, whole: number): void => {
    sendReadResponses(core, qp, psn, data, whole);
  },
);

/** The bytes that a READ asks for, or `undefined` where it may not have them. */
export const readable = seam(
  (core: Core, qp: QueuePair, { rkey, va, dmaLen }: Reth): Uint8Array | undefined => {
    if (needsNoKey(core, dmaLen)) return nothing;
    const place = remotePlace(core.memory, rkey, va, dmaLen, qp.pd, 'IBV_ACCESS_REMOTE_READ', qp.num);
    return place?.bytes.subarray(place.offset, place.offset + dmaLen);
  },
);
