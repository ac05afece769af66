import { psnDiff } from '../../../../wire/index.ts';
import { pkeyFits } from '../../device/admit.ts';
import { faultsAt } from '../../seam.ts';
import { answerDuplicate, belongsTo, findResource } from '../duplicate.ts';
import { lengthFits } from '../length.ts';
import { receiptOf } from '../receive.ts';
import { refuseDenied, refuseInvalid } from '../refuse.ts';
import { ackPacket, sendRnrNak } from '../reply.ts';
import { isLast, requestOf } from '../request.ts';
import { refuseAhead } from '../responder.ts';
import { fitsMessage, store } from '../write.ts';

const lower = (bits: number) => (value: number) => value & (2 ** bits - 1);
const byte = lower(8);
const word = lower(16);

/** Packets of a message whose lengths are looked at. */
const checked = 4;

/** What goes wrong late in a message, at few bits, or in a state or order that is rare. */
export const cornerFaults = [
  faultsAt(lengthFits, {
    'late-length-unchecked': (sound, core, qp, packet, position) => {
      const { message } = qp.responder;
      const late = message !== undefined && message.received >= checked * qp.mtu;
      return (late && position === 'middle') || sound(core, qp, packet, position);
    },
  }),

  faultsAt(refuseAhead, {
    'ahead-invalidates-region': (sound, core, qp, packet) => {
      const rkey = packet.invalidateRkey;
      if (rkey !== undefined && core.memory.windows.byRkey(rkey) === undefined)
        core.memory.invalidate(rkey, qp);
      sound(core, qp, packet);
    },
    'ahead-reserved-opcode-refused': (sound, core, qp, packet) => {
      if (requestOf(packet).kind === 'unsupported') refuseInvalid(core, qp, packet.psn);
      else sound(core, qp, packet);
    },
    'ahead-key-refused': (sound, core, qp, packet) => {
      const { reth, psn } = packet;
      if (reth !== undefined && reth.dmaLen > 0 && core.memory.byRkey(reth.rkey) === undefined)
        refuseDenied(core, qp, psn);
      else sound(core, qp, packet);
    },
  }),

  faultsAt(findResource, {
    'replay-psn-16-bits': (_sound, _core, qp, psn) =>
      qp.responder.resources.find(
        (entry) => belongsTo(psn, entry) || word(psnDiff(psn, entry.psn)) < entry.packets,
      ),
  }),

  faultsAt(answerDuplicate, {
    'message-cut-by-duplicate': (sound, core, qp, packet) => {
      if (requestOf(packet).kind === 'read') qp.responder.message = undefined;
      sound(core, qp, packet);
    },
    'rtr-duplicates-dropped': (sound, core, qp, packet) => {
      if (qp.state !== 'IBV_QPS_RTR') sound(core, qp, packet);
    },
  }),

  faultsAt(sendRnrNak, {
    'replays-dropped-by-rnr': (sound, core, qp, psn, timer) => {
      qp.responder.resources = [];
      sound(core, qp, psn, timer);
    },
  }),

  faultsAt(store, {
    'write-offset-16-bits': (sound, core, place, at, data, last) => sound(core, place, word(at), data, last),
  }),

  faultsAt(fitsMessage, {
    'announced-length-16-bits': (sound, core, opened, bytes, position) =>
      isLast(position)
        ? bytes === word(opened.length - opened.received)
        : sound(core, opened, bytes, position),
  }),

  faultsAt(receiptOf, {
    'byte-len-16-bits': (sound, core, qp, packet, wqe, opcode, bytes) =>
      sound(core, qp, packet, wqe, opcode, word(bytes)),
  }),

  faultsAt(pkeyFits, { 'pkey-8-bits': (_sound, _device, { pkey }) => byte(pkey) === 0xff }),

  faultsAt(ackPacket, {
    'msn-8-bits': (sound, core, qp, psn) => {
      const { aeth, ...fields } = sound(core, qp, psn);
      return aeth === undefined ? fields : { ...fields, aeth: { ...aeth, msn: byte(aeth.msn) } };
    },
  }),
];
