import { arm, isSolicited, notify } from '../cq-event/notification.ts';
import { choicesAt } from '../seam.ts';

/** Devices that look at a CQ when it is armed. */
export const completionEvents = [
  choicesAt(arm, {
    'cq-event-for-waiting': (sound, device, cq, solicitedOnly) => {
      sound(device, cq, solicitedOnly);
      // of a message, nobody keeps whether its sender asked for an event
      if (cq.entries.some((wc) => !solicitedOnly || isSolicited(device, wc, false))) notify(device, cq);
    },
  }),
];
