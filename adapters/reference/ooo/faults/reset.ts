import { reset } from '../../device/reset.ts';
import { faultsAt } from '../../seam.ts';

/** RESET does not reach all of a QP. */
export const resetFaults = [
  faultsAt(reset, {
    'ooo-arrivals-survive-reset': (sound, device, qp) => {
      const before = qp.ooo;
      sound(device, qp);
      if (qp.ooo !== undefined && before !== undefined) qp.ooo = { ...qp.ooo, responder: before.responder };
    },
    'ooo-numbers-survive-reset': (sound, device, qp) => {
      const before = qp.ooo?.requester;
      sound(device, qp);
      const after = qp.ooo?.requester;
      if (before === undefined || after === undefined) return;
      after.recvWqes = before.recvWqes;
      after.readWqes = before.readWqes;
    },
  }),
];
