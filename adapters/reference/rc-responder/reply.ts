import {
  creditInvalid,
  credits,
  encodeSyndrome,
  nakCodeByName,
  opcodeByName,
  type NakCode,
} from '../../../spec/constants.ts';
import { psnAdd } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { Aeth, Fields } from '../device/headers.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';
import { respond } from './respond.ts';
import { packetsOf } from '../packets-of.ts';

const acknowledge = opcodeByName('RC_ACKNOWLEDGE');
const atomicAcknowledge = opcodeByName('RC_ATOMIC_ACKNOWLEDGE');
const readFirst = opcodeByName('RC_RDMA_READ_RESPONSE_FIRST');
const readMiddle = opcodeByName('RC_RDMA_READ_RESPONSE_MIDDLE');
const readLast = opcodeByName('RC_RDMA_READ_RESPONSE_LAST');
const readOnly = opcodeByName('RC_RDMA_READ_RESPONSE_ONLY');

const ackKind = encodeSyndrome('ack', 0);
const nakSyndromes = Object.fromEntries(
  (
    [
      'psn-sequence-error',
      'invalid-request',
      'remote-access-error',
      'remote-operational-error',
      'invalid-rd-request',
    ] as const
  ).map((name) => [name, encodeSyndrome('nak', nakCodeByName(name))]),
) as Record<NakCode, number>;

/** Credit code of what the receive queue holds, or "not valid". */
export const creditsOf = seam((core: Core, { receiveQueue }: QueuePair): number =>
  core.config.credits === 'unlimited' || receiveQueue.srq !== undefined
    ? creditInvalid
    : creditCode(receiveQueue.wqes.length),
);

/** The largest code that stands for no more than so many WQEs. */
export function creditCode(posted: number): number {
  let code = 0;
  while (code + 1 < credits.length && credits[code + 1]! <= posted) code++;
  return code;
}

/** The AETH of whatever acknowledges. */
export function ackAeth(core: Core, qp: QueuePair): Aeth {
  return { syndrome: ackKind | creditsOf(core, qp), msn: qp.responder.msn };
}

/** Acknowledges everything up to and including `psn`. */
export function sendAck(core: Core, qp: QueuePair, psn: number): void {
  forgetOwedAcks(qp);
  respond(core, qp, ackPacket(core, qp, psn));
}

export const ackPacket = seam((core: Core, qp: QueuePair, psn: number): Fields => ({
  opcode: acknowledge,
  psn,
  aeth: ackAeth(core, qp),
}));

/** An ACK of the newest request, now or together with the next ones, as the device is set to. */
export const oweAck = seam((core: Core, qp: QueuePair, asked: boolean): void => {
  const { responder } = qp;
  if (!asked && core.config.ack === 'requested') return;
  const newest = (): number => psnAdd(responder.epsn, -1);
  if (core.config.coalesce <= 1 || ++responder.owedAcks >= core.config.coalesce) {
    sendAck(core, qp, newest());
    return;
  }
  responder.ackTimer ??= core.clock.setTimer(core.config.coalesceDelay, () => {
    responder.ackTimer = undefined;
    if (responder.owedAcks > 0) sendAck(core, qp, newest());
  });
});

// Any answer to a later request acknowledges the earlier ones with it.
function forgetOwedAcks({ responder }: QueuePair): void {
  responder.owedAcks = 0;
  responder.ackTimer?.cancel();
  responder.ackTimer = undefined;
}

export const sendNak = seam((core: Core, qp: QueuePair, code: NakCode, psn: number): void => {
  forgetOwedAcks(qp);
  respond(core, qp, nakPacket(core, qp, nakSyndromes[code], psn));
});

/** RNR NAK with the QP's timer, or another where the reason is another. */
export const sendRnrNak = seam(
  (core: Core, qp: QueuePair, psn: number, timer: number = rnrTimer(core, qp)): void => {
    forgetOwedAcks(qp);
    respond(core, qp, nakPacket(core, qp, encodeSyndrome('rnr-nak', timer), psn));
  },
);

export const rnrTimer = seam((_core: Core, { attr }: QueuePair): number => attr.min_rnr_timer ?? 0);

export const nakPacket = seam((_core: Core, qp: QueuePair, syndrome: number, psn: number): Fields => ({
  opcode: acknowledge,
  psn,
  aeth: { syndrome, msn: qp.responder.msn },
}));

/**
 * Answers a READ: `data` cut to the path MTU, PSNs from `psn` on. `total`: bytes of the whole answer, where `data` is only its
 * beginning, in whole packets.
 */
export function sendReadResponses(
  core: Core,
  qp: QueuePair,
  psn: number,
  data: Uint8Array,
  total = data.length,
): void {
  forgetOwedAcks(qp);
  const { mtu } = qp;
  const packets = packetsOf(total, mtu);
  const sent = total === data.length ? packets : data.length / mtu;
  for (let i = 0; i < sent; i++)
    respond(core, qp, readResponse(core, qp, psn, i, packets, data.subarray(i * mtu, (i + 1) * mtu)));
}

/** Packet `index` of an answer of so many packets. */
export const readResponse = seam(
  (core: Core, qp: QueuePair, psn: number, index: number, packets: number, payload: Uint8Array): Fields => {
    const last = index === packets - 1;
    const opcode = index === 0 ? (last ? readOnly : readFirst) : last ? readLast : readMiddle;
    const fields = { opcode, psn: psnAdd(psn, index), payload };
    return opcode === readMiddle ? fields : { ...fields, aeth: ackAeth(core, qp) };
  },
);

export function sendAtomicAck(core: Core, qp: QueuePair, psn: number, original: bigint): void {
  forgetOwedAcks(qp);
  respond(core, qp, atomicAck(core, qp, psn, original));
}

export const atomicAck = seam((core: Core, qp: QueuePair, psn: number, original: bigint): Fields => ({
  opcode: atomicAcknowledge,
  psn,
  aeth: ackAeth(core, qp),
  atomicOriginal: original,
}));
