import { everywhere } from '../entries.ts';
import type { Clean } from '../entries.ts';
import { op, syndrome, Talk } from '../talk.ts';

const complete = everywhere;
const full = { bytes: 1024 };
const asked = { bytes: 16, ackReq: true };
const ok = syndrome.ack;
const begun = (): Talk => new Talk().pair(0, 1).pair(2, 2);
/** A READ of three packets, of which the first is answered. */
const read = (msn: number): Talk =>
  begun()
    .ask(op.read, 4, { reth: [3072] })
    .ask(op.sendOnly, 7, asked)
    .answer(op.readFirst, 4, { aeth: [ok, msn], ...full });

/** Refusals for reasons that only the responder knows. */
export const cleanRefused: readonly Clean[] = [
  {
    says: 'a WRITE that is answered by NAK remote operational error',
    complete,
    talk: begun()
      .ask(op.writeFirst, 4, { reth: [1040], ...full })
      .ask(op.writeLast, 5, asked)
      .ask(op.sendOnly, 6, asked)
      .ack(4, 2, syndrome.operationalError),
  },
  {
    says: 'an ATOMIC behind an open SEND, answered by NAK remote operational error',
    complete,
    talk: begun()
      .ask(op.sendOnly, 4, { bytes: 16 })
      .ask(op.fetchAdd, 5, { atomic: { add: 1 } })
      .ack(5, 3, syndrome.operationalError),
  },
  {
    says: 'a READ that ends midway by NAK remote operational error',
    complete,
    talk: read(2).ack(5, 2, syndrome.operationalError),
  },
  {
    says: 'a READ that was counted with its first response, and ends midway by NAK remote access error',
    complete,
    talk: read(3).ack(5, 3, syndrome.accessError),
  },
  {
    says: 'a READ that was counted with its first response, and ends midway by NAK remote operational error',
    complete,
    talk: read(3).ack(5, 3, syndrome.operationalError),
  },
  {
    says: 'a READ, an ATOMIC and a WRITE that are answered by an RNR NAK, and come again',
    complete,
    talk: begun()
      .ask(op.read, 4, { reth: [16] })
      .ack(4, 2, syndrome.rnr)
      .pause(700_000)
      .ask(op.read, 4, { reth: [16] })
      .answer(op.readOnly, 4, { aeth: [ok, 3], bytes: 16 })
      .ask(op.fetchAdd, 5, { atomic: { add: 1 } })
      .ack(5, 3, syndrome.rnr)
      .pause(700_000)
      .atomic(5, 4)
      .ask(op.writeOnly, 6, { reth: [16], ...asked })
      .ack(6, 4, syndrome.rnr)
      .pause(700_000)
      .ask(op.writeOnly, 6, { reth: [16], ...asked })
      .ack(6, 5),
  },
  {
    says: 'a request that has overtaken the one before, and an RNR NAK of the next one that counts both',
    talk: new Talk()
      .pair(0, 1)
      .pair(2, 2)
      .ask(op.sendOnly, 5, { bytes: 16 })
      .ask(op.sendOnly, 4, { bytes: 16, ackReq: true })
      .ack(4, 3)
      .ask(op.sendOnly, 6, { bytes: 16, ackReq: true })
      .ack(6, 4, syndrome.rnr),
  },
  {
    says: 'a QP whose first WRITE is refused, connected anew 2 ms later with the same PSN, and answered',
    talk: new Talk()
      .ask(op.writeOnly, 0, { reth: [16], ...asked })
      .ack(0, 0, syndrome.accessError)
      .pause(2e6)
      .ask(op.sendOnly, 0, asked)
      .ack(0, 1)
      .pair(1, 2),
    complete,
  },
  {
    says: 'a QP whose third message is refused, connected anew 2 ms later with the PSN of that one, for a SEND',
    talk: begun()
      .ask(op.writeOnly, 4, { reth: [16], ...asked })
      .ack(4, 2, syndrome.accessError)
      .pause(2e6)
      .ask(op.sendOnly, 4, asked)
      .ack(4, 1)
      .pair(5, 2),
    complete,
  },
  {
    says: 'the same, with another path MTU',
    talk: begun()
      .ask(op.writeFirst, 4, { reth: [1040], ...full })
      .ask(op.writeLast, 5, asked)
      .ack(4, 2, syndrome.accessError)
      .pause(2e6)
      .ask(op.writeFirst, 4, { reth: [528], bytes: 512 })
      .ask(op.writeLast, 5, asked)
      .ack(5, 1)
      .ask(op.sendFirst, 6, { bytes: 512 })
      .ask(op.sendLast, 7, asked)
      .ack(7, 2),
  },
];
