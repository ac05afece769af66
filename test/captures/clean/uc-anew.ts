import type { Clean } from '../entries.ts';
import { op, Talk } from '../talk.ts';

const full = { bytes: 1024 };
const short = { bytes: 16 };
const first = (): Talk =>
  [50, 51, 52, 53, 54, 55].reduce((talk, psn) => talk.uc(op.sendOnly, psn, short), new Talk());

/** UC senders of which a second one takes over: their QP is connected anew, or another QP sends to the same number. */
export const cleanUcAnew: readonly Clean[] = [
  {
    says: 'a second connection of UC 60 us later, ten PSNs on, with another path MTU',
    inconclusive: /connected anew/,
    talk: new Talk()
      .uc(op.sendFirst, 0, { bytes: 1024 })
      .uc(op.sendLast, 1, { bytes: 16 })
      .pause(50e3)
      .uc(op.sendFirst, 11, { bytes: 512 })
      .uc(op.sendLast, 12, { bytes: 16 }),
  },
  {
    says: 'a UC sender that begins anew behind its first PSN, at once',
    inconclusive: /connected anew/,
    talk: first()
      .uc(op.writeFirst, 53, { reth: [1040], ...full })
      .uc(op.writeLast, 54, short),
  },
  {
    says: 'the same, with another path MTU',
    inconclusive: /connected anew/,
    talk: [48, 50].reduce(
      (talk, psn) => talk.uc(op.sendFirst, psn, { bytes: 2048 }).uc(op.sendLast, psn + 1, short),
      new Talk()
        .uc(op.sendFirst, 50, full)
        .uc(op.sendLast, 51, short)
        .uc(op.sendFirst, 52, full)
        .uc(op.sendLast, 53, short),
    ),
  },
  {
    says: 'a second connection of UC, whose first packets the capture lacks, and whose PSNs go on within a message of the first one',
    inconclusive: /connected anew/,
    talk: new Talk()
      .uc(op.writeFirst, 50, { reth: [3072], ...full })
      .pause(10e6)
      .uc(op.writeMiddle, 51, { bytes: 256 })
      .uc(op.writeLast, 52, short),
  },
  {
    says: 'a UC sender that goes on to a QP number that another one sends to by now, with the same PSNs',
    inconclusive: /connected anew/,
    talk: [0, 1, 2, 3, 4, 5, 6, 7].reduce(
      (talk, i) => talk.uc(op.sendOnly, 56 + i, short).uc(op.sendOnly, 50 + i, { bytes: 20 }),
      first().pause(2e6),
    ),
  },
];
