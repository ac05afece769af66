import { creditInvalid, encodeSyndrome, opcodeByName } from '../../../spec/constants.ts';
import { ooethFlags, psnAdd, saethFlags, type Ooeth } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { Aeth, Saeth } from '../device/headers.ts';
import { respond } from '../rc-responder/respond.ts';
import { seam } from '../seam.ts';
import type { OooQp } from './qp.ts';
import type { Answered } from './state.ts';
import { packetsOf } from '../packets-of.ts';

const acknowledge = opcodeByName('ORC_ACKNOWLEDGE');
const atomicAcknowledge = opcodeByName('ORC_ATOMIC_ACKNOWLEDGE');
const readFirst = opcodeByName('ORC_RDMA_READ_RESPONSE_FIRST');
const readMiddle = opcodeByName('ORC_RDMA_READ_RESPONSE_MIDDLE');
const readLast = opcodeByName('ORC_RDMA_READ_RESPONSE_LAST');
const readOnly = opcodeByName('ORC_RDMA_READ_RESPONSE_ONLY');
const ack = encodeSyndrome('ack', creditInvalid);

function aethOf(core: Core, qp: OooQp): Aeth {
  return { syndrome: ack, msn: msnOf(core, qp) };
}

export const msnOf = seam((_core: Core, { responder }: OooQp): number => responder.msn);

/** Acknowledges everything in front of the expected PSN; `selective`: the packet being answered as well, which is behind it. */
export const acknowledgeArrived = seam((core: Core, qp: OooQp, selective: boolean): void => {
  respond(core, qp, {
    opcode: acknowledge,
    psn: cumulativePsn(core, qp, selective),
    aeth: aethOf(core, qp),
    saeth: saethOf(core, qp, selective),
  });
});

/** The newest PSN without a gap in front of it. */
export const cumulativePsn = seam((_core: Core, { responder }: OooQp, _selective: boolean): number =>
  psnAdd(responder.epsn, -1),
);

export const saethOf = seam((_core: Core, { ooo }: OooQp, selective: boolean): Saeth => ({
  flags: selective ? saethFlags.selective : 0,
  trigger: ooo.responder.trigger,
}));

/** The data of a READ, cut to the path MTU. */
export function answerRead(core: Core, qp: OooQp, { sn, packet }: Answered, data: Uint8Array): void {
  const { mtu } = qp;
  const packets = packetsOf(data.length, mtu);
  for (let i = 0; i < packets; i++) {
    const first = i === 0;
    const last = i === packets - 1;
    const opcode = first ? (last ? readOnly : readFirst) : last ? readLast : readMiddle;
    respond(core, qp, {
      opcode,
      psn: packet.psn,
      ...(opcode === readMiddle ? {} : { aeth: aethOf(core, qp) }),
      ooeth: answerOoeth(core, sn, i * mtu),
      payload: data.subarray(i * mtu, Math.min(data.length, (i + 1) * mtu)),
    });
  }
}

export function answerAtomic(core: Core, qp: OooQp, { sn, packet, original = 0n }: Answered): void {
  respond(core, qp, {
    opcode: atomicAcknowledge,
    psn: packet.psn,
    aeth: aethOf(core, qp),
    ooeth: answerOoeth(core, sn, 0),
    atomicOriginal: original,
  });
}

/** An answer names its request, and where its data belongs. */
export const answerOoeth = seam((_core: Core, readWqeSn: number, offset: number): Ooeth => ({
  flags: ooethFlags.readWqe,
  recvWqeSn: 0,
  readWqeSn,
  offset,
}));
