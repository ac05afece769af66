import { reset } from '../../device/reset.ts';
import { faultsAt } from '../../seam.ts';
import { takeWqe } from '../receive.ts';
import { refuseAhead } from '../responder.ts';
import type { ResponderState } from '../state.ts';

/** responders that have sent an RNR NAK */
const notReady = new WeakSet<ResponderState>();

/** What was reported, or carried out, once is kept for too long. */
export const secondLifeFaults = [
  faultsAt(reset, {
    'nak-survives-reset': (sound, device, qp) => {
      const { waiting } = qp.responder;
      sound(device, qp);
      qp.responder.waiting = waiting;
    },
    'replay-survives-reset': (sound, device, qp) => {
      const { resources } = qp.responder;
      sound(device, qp);
      qp.responder.resources = resources;
    },
  }),

  faultsAt(takeWqe, {
    'gap-unreported-after-rnr-nak': (sound, core, qp, psn) => {
      const wqe = sound(core, qp, psn);
      if (wqe === undefined) notReady.add(qp.responder);
      return wqe;
    },
  }),

  faultsAt(refuseAhead, {
    'gap-unreported-after-rnr-nak': (sound, core, qp, packet) => {
      if (!notReady.has(qp.responder)) sound(core, qp, packet);
    },
  }),
];
