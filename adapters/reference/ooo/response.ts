import { decodeSyndrome } from '../../../spec/constants.ts';
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
import { nakMeaning, type NakMeaning } from '../rc-requester/nak.ts';
import type { SendWqe } from '../rc-requester/state.ts';
import { seam } from '../seam.ts';
import type { OooQp } from './qp.ts';
import type { Outgoing } from './state.ts';
import { restartTimer, stopTimer } from './timer.ts';

/** A response packet whose headers are sound, at an out-of-order QP. */
export function handleOutOfOrderResponse(core: Core, qp: OooQp, packet: Packet): void {
  if (qp.state !== 'IBV_QPS_RTS' && qp.state !== 'IBV_QPS_SQD') return;
  // What names a PSN that was never sent answers nothing.
  if (!wasSent(core, qp, packet.psn)) return;
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

export const wasSent = seam(
  (_core: Core, { requester }: OooQp, psn: number): boolean => psnDiff(psn, requester.end) < 0,
);

function handleData(core: Core, qp: OooQp, packet: Packet): void {
  const atomic = packet.info?.operation === 'ATOMIC_ACKNOWLEDGE';
  const taken = atomic ? takeAtomic(core, qp, packet) : takeRead(core, qp, packet);
  switch (taken) {
    case 'bad':
      refuseAnswer(core, qp, 'badResponse');
      return;
    case 'fault':
      failUnplaced(core, qp, packet);
      return;
    case 'old':
    case 'new': {
      const told = acknowledge(qp, psnAdd(packet.psn, 1), packet.aeth?.msn);
      settle(core, qp, told || taken === 'new');
    }
  }
}

/** The memory of a READ or ATOMIC cannot take its data: it fails, once all before it are complete. */
function failUnplaced(core: Core, qp: OooQp, { psn, aeth }: Packet): void {
  settle(core, qp, acknowledge(qp, psnAdd(psn, 1), aeth?.msn));
  refuse(core, qp, psn, 'IBV_WC_LOC_PROT_ERR');
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
      if (isOld(core, qp, psn, kind)) return;
      const told = acknowledge(qp, psn, aeth.msn);
      settle(core, qp, told);
      if (qp.requester.rnrTimer !== undefined || qp.requester.queue.length === 0) return;
      waitForReceiver(core, qp, psn, value, (status) => refuse(core, qp, psn, status));
      if (qp.ooo.requester.refused !== undefined || qp.state !== 'IBV_QPS_RTS') return;
      stopTimer(qp.ooo.requester);
      for (const { flights } of qp.ooo.requester.outgoing)
        for (const flight of flights) if (!flight.acknowledged) flight.due = true;
      qp.requester.next = qp.requester.end;
      return;
    }
    case 'nak':
      handleNak(core, qp, psn, value, aeth.msn);
      return;
    case 'reserved':
      refuseAnswer(core, qp, 'reservedSyndrome');
  }
}

/** Whether what a NAK or RNR NAK refuses is acknowledged already. */
export const isOld = seam(
  (_core: Core, { requester }: OooQp, psn: number, _kind: 'nak' | 'rnr-nak'): boolean =>
    psnDiff(psn, requester.una) < 0,
);

function handleNak(core: Core, qp: OooQp, psn: number, code: number, msn: number): void {
  const meaning = refusalOf(core, code);
  if (isOld(core, qp, psn, 'nak') || meaning === 'retry') return;
  if (meaning === undefined && core.config.reservedSyndrome === 'drop') return;
  settle(core, qp, acknowledge(qp, psn, msn));
  failRequest(core, qp, psn, meaning ?? 'IBV_WC_BAD_RESP_ERR');
}

/** What a NAK calls for; nothing is sent again for one out of order. */
export const refusalOf = seam((_core: Core, code: number): NakMeaning => nakMeaning(code));

export const failRequest = seam((core: Core, qp: OooQp, psn: number, status: WcStatus): void => {
  refuse(core, qp, psn, status);
});

/** Everything before `end` has arrived, and the messages up to `msn` are complete there. Whether that is new. */
export function acknowledge(qp: OooQp, end: number, msn: number | undefined): boolean {
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
export const select = seam((_core: Core, qp: OooQp, trigger: number): boolean => {
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
  return fresh;
});

/** Completes what is through, and goes on. */
function settle(core: Core, qp: OooQp, told: boolean): void {
  const q = qp.requester;
  completeThrough(core, qp);
  noticeDrained(core, qp);
  if (told) {
    q.retriesLeft = qp.attr.retry_cnt ?? 0;
    q.rnrLeft = qp.attr.rnr_retry ?? 0;
    restartTimer(core, qp);
  }
  if (!failRefused(core, qp)) schedule(core, qp);
}

/** Completes, in order, what is through. */
export const completeThrough = seam((core: Core, qp: OooQp): void => {
  const { outgoing } = qp.ooo.requester;
  for (let [done] = outgoing; done !== undefined && isThrough(core, qp, done); [done] = outgoing) {
    outgoing.shift();
    qp.requester.queue.shift();
    report(core, qp, done.wqe);
  }
});

export const report = seam((core: Core, qp: OooQp, wqe: SendWqe): void => {
  succeed(core, qp, wqe);
});

/** The request at `psn` is to fail with `status`, once all before it are complete. */
function refuse(core: Core, qp: OooQp, psn: number, status: WcStatus): void {
  qp.ooo.requester.refused ??= { psn, status };
  failRefused(core, qp);
}

function failRefused(core: Core, qp: OooQp): boolean {
  const { refused, outgoing } = qp.ooo.requester;
  const [head] = outgoing;
  if (refused === undefined || head === undefined || !belongsTo(core, refused.psn, head)) return false;
  failOldest(core, qp, refused.status);
  return true;
}

/** Whether a PSN is one of those of a request. */
export const belongsTo = seam((_core: Core, psn: number, { wqe }: Outgoing): boolean => {
  return psnDiff(psn, wqe.psn) >= 0 && psnDiff(psn, psnAdd(wqe.psn, wqe.packets)) < 0;
});

/** Whether a request is complete: all its packets acknowledged, counted by the MSN, its data here. */
export const isThrough = seam((_core: Core, qp: OooQp, { wqe, msn, flights, missing }: Outgoing): boolean => {
  if (flights.length < wqe.packets) return false;
  if (psnDiff(qp.requester.una, psnAdd(wqe.psn, wqe.packets)) < 0) return false;
  return psnDiff(qp.ooo.requester.msn, msn) >= 0 && missing === 0;
});
