import { everywhere } from '../entries.ts';
import type { Clean } from '../entries.ts';
import { op, syndrome, Talk } from '../talk.ts';

const asked = { bytes: 16, ackReq: true };
const ok = syndrome.ack;
/** Operations of annex A19, each answered by a READ response without payload. */
const annex = (talk: Talk, psn: number, msn: number): Talk =>
  talk
    .ask(op.atomicWrite, psn, { reth: [8], bytes: 8 })
    .answer(op.readOnly, psn, { aeth: [ok, msn] })
    .ask(op.flush, psn + 1, { feth: 1, reth: [4096] })
    .answer(op.readOnly, psn + 1, { aeth: [ok, msn + 1] });

/** Operations that no rule is about. */
export const cleanAnnex: readonly Clean[] = [
  {
    says: 'ATOMIC WRITE and FLUSH (annex A19) among SENDs, each answered',
    talk: annex(annex(new Talk().pair(0, 1).pair(2, 2), 4, 3), 6, 5)
      .ask(op.sendOnly, 8, asked)
      .ack(8, 7),
    complete: everywhere,
  },
];
