import type { Clean } from '../entries.ts';
import { op, syndrome, Talk } from '../talk.ts';

const asked = { bytes: 16, ackReq: true };
const lacked = /requests that the capture does not hold/;
const wait = 5e6;

/** A damaged SEND, the NAK of it, and an answer to what was sent again, of which the capture lacks the first packet. */
const sentAgainUnseen = (pause: number): Talk =>
  new Talk()
    .sends(4)
    .ask(op.sendOnly, 4, asked)
    .damaged()
    .ask(op.sendOnly, 5, asked)
    .ack(4, 4, syndrome.sequence)
    .pause(pause)
    .unseen((hidden) => hidden.ask(op.sendOnly, 4, asked))
    .ask(op.sendOnly, 5, asked)
    .ack(5, 6);

/** Captures with requests whose ICRC is wrong. */
export const cleanDamaged: readonly Clean[] = [
  {
    says: 'a request damaged on the way, a NAK, and the answer to the request once more, which the capture lacks',
    inconclusive: lacked,
    talk: sentAgainUnseen(0),
  },
  {
    says: 'the same, behind a pause',
    inconclusive: lacked,
    talk: sentAgainUnseen(wait),
  },
  {
    says: 'a request that the mirror has damaged, or that the capture lacks when it is sent again, and its answer',
    inconclusive: lacked,
    talk: new Talk()
      .sends(4)
      .ask(op.sendOnly, 4, asked)
      .damaged()
      .ack(4, 5)
      .ask(op.sendOnly, 5, asked)
      .ack(5, 6),
  },
];
