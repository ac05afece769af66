import { acknowledgeEarly, answerRepeated, filledGap } from '../ooo/responder.ts';
import { select } from '../ooo/response.ts';
import { recover, timeoutOf } from '../ooo/timer.ts';
import { choicesAt } from '../seam.ts';

const timeout = 250_000;

/** Out-of-order QPs with another loss recovery than IRN. */
export const recovery = [
  choicesAt(acknowledgeEarly, { 'go-back-n': () => undefined }),
  choicesAt(answerRepeated, { 'go-back-n': () => undefined }),
  choicesAt(filledGap, { 'go-back-n': () => false }),
  choicesAt(select, { 'go-back-n': () => false }),
  choicesAt(timeoutOf, { 'go-back-n': () => timeout }),

  choicesAt(recover, {
    'go-back-n': (sound, core, qp) => {
      sound(core, qp);
      for (const { flights, missing } of qp.ooo.requester.outgoing)
        for (const flight of flights) flight.due ||= !flight.acknowledged || missing > 0;
    },
  }),
];
