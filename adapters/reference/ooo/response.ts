import { decodeSyndrome, nakCodes } from '../../../spec/constants.ts';
import type { WcStatus } from '../../../spec/verbs.ts';
import { psnAdd, psnDiff, saethFlags, type Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { schedule } from '../device/pump.ts';
import { succeed } from '../rc-requester/complete.ts';
import { noticeDrained } from '../rc-requester/drain.ts';
import { waitForReceiver } from '../rc-requester/rnr.ts';
import { refuseAnswer } from '../rc-requester/refuse-answer.ts';
import { takeAtomic, takeRead } from './data.ts';
import { failOldest } from './fail.ts';
import { refusalFault, report, sendUnasked } from './faults.ts';
import type { OooQp } from './qp.ts';
import type { Outgoing } from './state.ts';
import { restartTimer, stopTimer } from './timer.ts';

const fatal: Readonly<Record<string, WcStatus>> = {
  'invalid-request': 'IBV_WC_REM_INV_REQ_ERR',
  'remote-access-error': 'IBV_WC_REM_ACCESS_ERR',
  'remote-operational-error': 'IBV_WC_REM_OP_ERR',
};

/** A response packet whose headers are sound, at an out-of-order QP. */
export function handleOutOfOrderResponse(core: Core, qp: OooQp, packet: Packet): void {
  if (qp.state !== 'IBV_QPS_RTS' && qp.state !== 'IBV_QPS_SQD') return;
  // What names a PSN that was never sent answers nothing.
  if (psnDiff(packet.psn, qp.requester.end) >= 0) return;
  switch (packet.info?.operation) {
    case 'ACKNOWLEDGE':
      handleAcknowledge(core, qp, packet);
      return;
    case undefined:
      return;
    default:
      handleData(core, qp, packet);
  }
}

function handleData(core: Core, qp: OooQp, packet: Packet): void {
  const atomic = packet.info?.operation === 'ATOMIC_ACKNOWLEDGE';
  const taken = atomic ? takeAtomic(core, qp, packet) : takeRead(core, qp, packet);
  switch (taken) {
    case 'bad':
      refuseAnswer(core, qp, 'badResponse');
      return;
    case 'fault':
      failOldest(core, qp, 'IBV_WC_LOC_PROT_ERR');
      return;
    case 'old':
    case 'new': {
      const told = acknowledge(qp, psnAdd(packet.psn, 1), packet.aeth?.msn);
      settle(core, qp, told || taken === 'new');
    }
  }
}

function handleAcknowledge(core: Core, qp: OooQp, packet: Packet): void {
  const { psn, aeth, saeth } = packet;
  if (aeth === undefined || saeth === undefined) return;
  const { kind, value } = decodeSyndrome(aeth.syndrome);
  switch (kind) {
    case 'ack': {
      const told = acknowledge(qp, psnAdd(psn, 1), aeth.msn);
      const selective = (saeth.flags & saethFlags.selective) !== 0;
      settle(core, qp, (selective && select(core, qp, saeth.trigger)) || told);
      return;
    }
    case 'rnr-nak': {
      if (psnDiff(psn, qp.requester.una) < 0) return;
      const told = acknowledge(qp, psn, aeth.msn);
      settle(core, qp, told);
      if (qp.requester.rnrTimer !== undefined || qp.requester.queue.length === 0) return;
      waitForReceiver(core, qp, psn, value, (status) => refuse(core, qp, psn, status));
      if (qp.ooo.requester.refused !== undefined || qp.state !== 'IBV_QPS_RTS') return;
      stopTimer(qp.ooo.requester);
      for (const { flights } of qp.ooo.requester.outgoing)
        for (const flight of flights) if (!flight.acknowledged) flight.due = true;
      // Where mutants do not wait, sending goes on.
      qp.requester.next = qp.requester.end;
      return;
    }
    case 'nak': {
      const name = nakCodes.find((n) => n.code === value)?.name;
      const status = refusalFault(core, fatal[name ?? '']);
      if (psnDiff(psn, qp.requester.una) < 0 || name === 'psn-sequence-error') return;
      if (status === undefined && core.config.reservedSyndrome === 'drop') return;
      settle(core, qp, acknowledge(qp, psn, aeth.msn));
      if (core.fault !== 'ooo-refusal-ignored') refuse(core, qp, psn, status ?? 'IBV_WC_BAD_RESP_ERR');
      return;
    }
    case 'reserved':
      refuseAnswer(core, qp, 'reservedSyndrome');
  }
}

/** Everything before `end` has arrived, and the messages up to `msn` are complete there. Whether that is new. */
function acknowledge(qp: OooQp, end: number, msn: number | undefined): boolean {
  const q = qp.requester;
  const o = qp.ooo.requester;
  let told = false;
  if (msn !== undefined && psnDiff(msn, o.msn) > 0 && psnDiff(msn, o.launched) <= 0) {
    o.msn = msn;
    told = true;
  }
  if (psnDiff(end, q.una) <= 0) return told;
  q.una = end;
  for (const { flights } of o.outgoing)
    for (const flight of flights) if (psnDiff(flight.psn, end) < 0) arrived(flight);
  if (o.recovery !== undefined && psnDiff(end, o.recovery) >= 0) o.recovery = undefined;
  if (o.selected !== undefined && psnDiff(end, o.selected) > 0) o.selected = undefined;
  return true;
}

function arrived(flight: { acknowledged: boolean; due: boolean }): void {
  flight.acknowledged = true;
  flight.due = false;
}

/** Packet `trigger` has arrived, although one before it is missing. Whether that is new. */
function select(core: Core, qp: OooQp, trigger: number): boolean {
  const q = qp.requester;
  const o = qp.ooo.requester;
  if (psnDiff(trigger, q.una) < 0 || psnDiff(trigger, q.end) >= 0) return false;
  let fresh = false;
  for (const { flights } of o.outgoing)
    for (const flight of flights) {
      if (flight.psn !== trigger || flight.acknowledged) continue;
      arrived(flight);
      fresh = true;
    }
  if (o.recovery === undefined) {
    o.recovery = q.end;
    for (const { flights } of o.outgoing) for (const flight of flights) flight.again = false;
  }
  if (o.selected === undefined || psnDiff(trigger, o.selected) > 0) o.selected = trigger;
  if (core.fault === 'ooo-selection-acknowledges-all') acknowledge(qp, psnAdd(trigger, 1), undefined);
  return fresh;
}

/** Completes, in order, what is through, and goes on. */
function settle(core: Core, qp: OooQp, told: boolean): void {
  const q = qp.requester;
  const o = qp.ooo.requester;
  while (o.outgoing[0] !== undefined && through(core, qp, o.outgoing[0])) {
    const done = o.outgoing.shift();
    q.queue.shift();
    if (done !== undefined) report(core, qp, done.wqe);
  }
  sendUnasked(core, qp);
  completeEarly(core, qp);
  noticeDrained(core, qp);
  if (told) {
    q.retriesLeft = qp.attr.retry_cnt ?? 0;
    q.rnrLeft = qp.attr.rnr_retry ?? 0;
    restartTimer(core, qp);
  }
  if (!failRefused(core, qp)) schedule(core, qp);
}

/** The request at `psn` is to fail with `status`, once all before it are complete. */
function refuse(core: Core, qp: OooQp, psn: number, status: WcStatus): void {
  qp.ooo.requester.refused ??= { psn, status };
  failRefused(core, qp);
}

function failRefused(core: Core, qp: OooQp): boolean {
  const { refused, outgoing } = qp.ooo.requester;
  const [head] = outgoing;
  if (refused === undefined || head === undefined) return false;
  const { psn, packets } = head.wqe;
  const own = psnDiff(refused.psn, psn) >= 0 && psnDiff(refused.psn, psnAdd(psn, packets)) < 0;
  if (!own && core.fault !== 'ooo-refusal-at-once') return false;
  failOldest(core, qp, refused.status);
  return true;
}

/** Whether a request is complete: all its packets acknowledged, told so by the MSN, its data here. */
function through({ fault }: Core, qp: OooQp, { wqe, msn, flights, missing }: Outgoing): boolean {
  const o = qp.ooo.requester;
  if (flights.length < wqe.packets) return false;
  if (fault === 'ooo-read-completes-with-ack' && psnDiff(o.msn, msn) >= 0) return true;
  if (fault === 'ooo-selection-completes' && flights.at(-1)?.acknowledged === true) return missing === 0;
  if (psnDiff(qp.requester.una, psnAdd(wqe.psn, wqe.packets)) < 0) return false;
  return psnDiff(o.msn, msn) >= 0 && missing === 0;
}

/** The mutant that completes a request as soon as it is through itself. */
function completeEarly(core: Core, qp: OooQp): void {
  if (core.fault !== 'ooo-completes-out-of-order') return;
  const o = qp.ooo.requester;
  const done = o.outgoing.filter(({ flights, wqe, missing }) => {
    return missing === 0 && flights.length === wqe.packets && flights.every((flight) => flight.acknowledged);
  });
  for (const request of done) {
    o.outgoing.splice(o.outgoing.indexOf(request), 1);
    qp.requester.queue.splice(qp.requester.queue.indexOf(request.wqe), 1);
    succeed(core, qp, request.wqe);
  }
}
