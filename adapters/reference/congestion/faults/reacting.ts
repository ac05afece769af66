import { reset } from '../../device/qp.ts';
import { faultsAt } from '../../seam.ts';

export const reactingFaults = [
  faultsAt(reset, {
    'limiter-survives-reset': (sound, device, qp) => {
      const { limiter } = qp;
      qp.limiter = undefined;
      sound(device, qp);
      qp.limiter = limiter;
    },
  }),
];
