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
import type { QueuePair } from '../device/qp.ts';
import { respond } from './respond.ts';

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

/** Syndrome of an ACK: the credit code of what the receive queue holds, or "not valid". */
function ackSyndrome(core: Core, qp: QueuePair): number {
  const tooMany = core.fault === 'credits-beyond-posted';
  if ((core.config.credits === 'unlimited' && !tooMany) || qp.receiveQueue.srq !== undefined)
    return ackKind | creditInvalid;
  const posted = qp.receiveQueue.wqes.length + (tooMany ? 1 : 0);
  let code = 0;
  while (code + 1 < credits.length && credits[code + 1]! <= posted) code++;
  return ackKind | code;
}

/** Acknowledges everything up to and including `psn`. */
export function sendAck(core: Core, qp: QueuePair, psn: number): void {
  forgetOwedAcks(qp);
  let { msn } = qp.responder;
  if (core.fault === 'ack-msn-behind') msn = psnAdd(msn, -1);
  const aeth = { syndrome: ackSyndrome(core, qp), msn };
  respond(core, qp, {
    opcode: acknowledge,
    psn: core.fault === 'ack-psn-off-by-one' ? psnAdd(psn, 1) : psn,
    aeth,
  });
}

/** An ACK of the newest request, now or together with the next ones, as the device is set to. */
export function oweAck(core: Core, qp: QueuePair, asked: boolean): void {
  const { responder } = qp;
  if (!asked && core.config.ack === 'requested') return;
  if (core.fault === 'ack-request-ignored') return;
  const newest = (): number => psnAdd(responder.epsn, -1);
  if (core.config.coalesce <= 1 || ++responder.owedAcks >= core.config.coalesce) {
    sendAck(core, qp, newest());
    return;
  }
  responder.ackTimer ??= core.clock.setTimer(core.config.coalesceDelay, () => {
    responder.ackTimer = undefined;
    if (responder.owedAcks > 0) sendAck(core, qp, newest());
  });
}

// Any answer to a later request acknowledges the earlier ones with it.
function forgetOwedAcks(qp: QueuePair): void {
  qp.responder.owedAcks = 0;
  qp.responder.ackTimer?.cancel();
  qp.responder.ackTimer = undefined;
}

function sendSyndrome(core: Core, qp: QueuePair, syndrome: number, psn: number): void {
  forgetOwedAcks(qp);
  const msn = core.fault === 'nak-msn-zero' ? 0 : qp.responder.msn;
  respond(core, qp, { opcode: acknowledge, psn, aeth: { syndrome, msn } });
}

export function sendNak(core: Core, qp: QueuePair, code: NakCode, psn: number): void {
  sendSyndrome(core, qp, nakSyndromes[wrongCode(core, code)], psn);
}

function wrongCode(core: Core, code: NakCode): NakCode {
  if (core.fault === 'access-error-as-invalid-request' && code === 'remote-access-error')
    return 'invalid-request';
  if (core.fault === 'invalid-request-as-operational' && code === 'invalid-request')
    return 'remote-operational-error';
  if (core.fault === 'operational-as-access-error' && code === 'remote-operational-error')
    return 'remote-access-error';
  return code;
}

/** RNR NAK with the QP's timer, or another where the reason is another. */
export function sendRnrNak(core: Core, qp: QueuePair, psn: number, timer = rnrTimer(core, qp)): void {
  if (core.fault === 'rnr-silent') return;
  sendSyndrome(
    core,
    qp,
    encodeSyndrome('rnr-nak', timer),
    core.fault === 'rnr-psn-next' ? psnAdd(psn, 1) : psn,
  );
}

function rnrTimer(core: Core, qp: QueuePair): number {
  const timer = qp.attr.min_rnr_timer ?? 0;
  if (core.fault === 'rnr-wrong-timer') return (timer + 1) & 31;
  if (core.fault === 'rnr-timer-four-bits') return timer & 15;
  if (core.fault === 'rnr-timer-zero-replaced') return timer === 0 ? 1 : timer;
  return timer;
}

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
  const packets = Math.max(1, Math.ceil(total / mtu));
  const sent = total === data.length ? packets : data.length / mtu;
  const aeth = { syndrome: ackSyndrome(core, qp), msn: qp.responder.msn };
  for (let i = 0; i < sent; i++) {
    const first = i === 0;
    const last = i === packets - 1;
    let opcode = first ? (last ? readOnly : readFirst) : last ? readLast : readMiddle;
    if (core.fault === 'read-response-all-only') opcode = readOnly;
    respond(core, qp, {
      opcode,
      psn: core.fault === 'read-response-psn-stuck' ? psn : psnAdd(psn, i),
      ...(opcode === readMiddle ? {} : { aeth }),
      payload: data.subarray(i * mtu, Math.min(data.length, (i + 1) * mtu)),
    });
  }
}

export function sendAtomicAck(core: Core, qp: QueuePair, psn: number, original: bigint): void {
  forgetOwedAcks(qp);
  let { msn } = qp.responder;
  if (core.fault === 'atomic-ack-msn-behind') msn = psnAdd(msn, -1);
  respond(core, qp, {
    opcode: atomicAcknowledge,
    psn,
    aeth: { syndrome: ackSyndrome(core, qp), msn },
    atomicOriginal: original,
  });
}
