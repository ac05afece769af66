import { creditInvalid, encodeSyndrome, opcodeByName } from '../../../spec/constants.ts';
import { ooethFlags, psnAdd, saethFlags } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { respond } from '../rc-responder/respond.ts';
import type { OooQp } from './qp.ts';
import type { Answered } from './state.ts';

const acknowledge = opcodeByName('ORC_ACKNOWLEDGE');
const atomicAcknowledge = opcodeByName('ORC_ATOMIC_ACKNOWLEDGE');
const readFirst = opcodeByName('ORC_RDMA_READ_RESPONSE_FIRST');
const readMiddle = opcodeByName('ORC_RDMA_READ_RESPONSE_MIDDLE');
const readLast = opcodeByName('ORC_RDMA_READ_RESPONSE_LAST');
const readOnly = opcodeByName('ORC_RDMA_READ_RESPONSE_ONLY');
const ack = encodeSyndrome('ack', creditInvalid);

function aethOf({ fault }: Core, qp: OooQp): { syndrome: number; msn: number } {
  const { msn } = qp.responder;
  return { syndrome: ack, msn: fault === 'ooo-msn-of-newest' ? psnAdd(msn, openMessages(qp)) : msn };
}

/** Messages of which the last packet is here, but not all in front of it. */
function openMessages(qp: OooQp): number {
  let n = 0;
  for (const { request } of qp.ooo.responder.arrived.values())
    if (!('position' in request) || request.position === 'last' || request.position === 'only') n++;
  return n;
}

/** Acknowledges everything in front of the expected PSN; `selective`: the packet being answered as well, which is behind it. */
export function acknowledgeArrived(core: Core, qp: OooQp, selective: boolean): void {
  const { trigger } = qp.ooo.responder;
  const { fault } = core;
  if (selective && fault === 'ooo-selective-missing') return;
  const newest = selective && fault === 'ooo-cumulative-beyond-gap';
  respond(core, qp, {
    opcode: acknowledge,
    psn: newest ? trigger : psnAdd(qp.responder.epsn, fault === 'ooo-cumulative-is-expected' ? 0 : -1),
    aeth: aethOf(core, qp),
    saeth: {
      flags: selective && fault !== 'ooo-selective-unflagged' ? saethFlags.selective : 0,
      trigger: triggerOf(core, qp, selective),
    },
  });
}

function triggerOf({ fault }: Core, qp: OooQp, selective: boolean): number {
  if (selective && fault === 'ooo-trigger-is-expected') return qp.responder.epsn;
  if (!selective && fault === 'ooo-trigger-zero') return psnAdd(qp.responder.epsn, 0x400000);
  return qp.ooo.responder.trigger;
}

/** The data of a READ, cut to the path MTU. */
export function answerRead(core: Core, qp: OooQp, { sn, packet }: Answered, data: Uint8Array): void {
  const { mtu } = qp;
  const packets = Math.max(1, Math.ceil(data.length / mtu));
  const { fault } = core;
  for (let i = 0; i < packets; i++) {
    const first = i === 0;
    const last = i === packets - 1;
    const opcode = first ? (last ? readOnly : readFirst) : last ? readLast : readMiddle;
    respond(core, qp, {
      opcode,
      psn: packet.psn,
      ...(opcode === readMiddle ? {} : { aeth: aethOf(core, qp) }),
      ooeth: {
        flags: ooethFlags.readWqe,
        recvWqeSn: 0,
        readWqeSn: fault === 'ooo-answer-number-zero' ? 0 : sn,
        offset: fault === 'ooo-answer-offset-zero' ? 0 : i * mtu,
      },
      payload: data.subarray(i * mtu, Math.min(data.length, (i + 1) * mtu)),
    });
  }
}

export function answerAtomic(core: Core, qp: OooQp, { sn, packet, original = 0n }: Answered): void {
  const readWqeSn = core.fault === 'ooo-answer-number-zero' ? 0 : sn;
  respond(core, qp, {
    opcode: atomicAcknowledge,
    psn: packet.psn,
    aeth: aethOf(core, qp),
    ooeth: { flags: ooethFlags.readWqe, recvWqeSn: 0, readWqeSn, offset: 0 },
    atomicOriginal: original,
  });
}
