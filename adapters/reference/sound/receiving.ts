import { psnAdd } from '../../../wire/index.ts';
import { usable } from '../device/memory/sge-list.ts';
import type { Place } from '../device/memory/memory.ts';
import { receiveDomain, type RecvWqe } from '../device/receive-queue.ts';
import { isBare } from '../rc-responder/length.ts';
import { rnrTimer, sendRnrNak } from '../rc-responder/reply.ts';
import { sendBegun } from '../rc-responder/read.ts';
import { takeExpected } from '../rc-responder/responder.ts';
import { invalidateKey, storeSend } from '../rc-responder/send.ts';
import { minimalWait } from '../rc-requester/rnr.ts';
import type { ResponderState } from '../rc-responder/state.ts';
import { store } from '../rc-responder/write.ts';
import { storeWrite } from '../ooo/place.ts';
import { choicesAt } from '../seam.ts';

interface Kept {
  readonly at: number;
  readonly data: Uint8Array;
}

/** Data of messages that are not finished, by receive WQE or place in memory. */
const kept = new WeakMap<RecvWqe | Place, Kept[]>();

/** Until when the peer of a QP has to wait. */
const waits = new WeakMap<ResponderState, number>();

/** All data of a message, whose last packet is here; `undefined` while it is not. */
function whole(
  owner: RecvWqe | Place,
  at: number,
  data: Uint8Array,
  last: boolean,
): readonly Kept[] | undefined {
  const list = [...(kept.get(owner) ?? []), { at, data }];
  kept.set(owner, list);
  if (!last) return undefined;
  kept.delete(owner);
  return list;
}

/** Responders that choose otherwise what they do with a message. */
export const receiving = [
  choicesAt(sendRnrNak, {
    'rnr-strict': (sound, core, qp, psn, timer = rnrTimer(core, qp)) => {
      waits.set(qp.responder, core.clock.now() + minimalWait(timer));
      sound(core, qp, psn, timer);
    },
  }),

  choicesAt(takeExpected, {
    'rnr-strict': (sound, core, qp, packet) => {
      const { responder: r } = qp;
      if (r.waiting !== 'rnr' || core.arrival >= (waits.get(r) ?? 0)) sound(core, qp, packet);
    },
  }),

  choicesAt(isBare, {
    'payload-ignored': () => true,
  }),

  choicesAt(sendBegun, {
    'read-counted-when-begun': (sound, core, qp, psn, data, length) => {
      const { msn } = qp.responder;
      qp.responder.msn = psnAdd(msn, 1);
      sound(core, qp, psn, data, length);
      qp.responder.msn = msn;
    },
  }),

  choicesAt(storeSend, {
    'store-and-forward': (sound, core, qp, wqe, received, data, last) => {
      const parts = whole(wqe, received, data, last);
      if (parts === undefined)
        return usable(core.memory, wqe.sg_list, received + data.length, receiveDomain(core, qp), true);
      return parts.every((part) => sound(core, qp, wqe, part.at, part.data, last));
    },
  }),

  choicesAt(invalidateKey, {
    'windows-alone-invalidated': (sound, core, qp, rkey) => {
      const window = core.memory.windows.byRkey(rkey);
      const unbound = window?.opening === undefined && window?.pd === qp.pd;
      return unbound || (window !== undefined && sound(core, qp, rkey));
    },
  }),

  // An out-of-order QP has no buffer to store a message in.
  choicesAt(storeWrite, {
    'store-and-forward': (_sound, core, place, { payload }, last) => {
      store.sound(core, place, 0, payload, last);
    },
  }),

  choicesAt(store, {
    'store-and-forward': (sound, core, place, at, data, last) => {
      if (place === undefined) return;
      for (const part of whole(place, at, data, last) ?? []) sound(core, place, part.at, part.data, last);
    },
  }),
];
