import { everywhere } from '../entries.ts';
import type { Clean } from '../entries.ts';
import { op, syndrome, Talk } from '../talk.ts';

const full = { bytes: 1024 };
const asked = { bytes: 16, ackReq: true };
const ok = syndrome.ack;
const begun = (): Talk => new Talk().pair(0, 1).pair(2, 2);
const complete = everywhere;
const wait = 700_000;
/** Longer than T of ACK timeout 14, and not as long as 4 T. */
const timeout = 100e6;
const timed = { addresses: [], timeout: 14 };

/** A SEND, a WRITE of three packets, a READ of three, an ATOMIC and a SEND with immediate data, from PSN `first` on. */
const everything = (first: number, msn: number): Talk =>
  new Talk()
    .ask(op.sendOnly, first, asked)
    .ack(first, msn + 1)
    .ask(op.writeFirst, first + 1, { reth: [2148], ...full })
    .ask(op.writeMiddle, first + 2, full)
    .ask(op.writeLast, first + 3, { bytes: 100, ackReq: true })
    .ack(first + 3, msn + 2)
    .ask(op.read, first + 4, { reth: [2148] })
    .answer(op.readFirst, first + 4, { aeth: [ok, msn + 3], ...full })
    .answer(op.readMiddle, first + 5, full)
    .answer(op.readLast, first + 6, { aeth: [ok, msn + 3], bytes: 100 })
    .ask(op.fetchAdd, first + 7, { atomic: { add: 1 } })
    .answer(op.atomicAck, first + 7, { aeth: [ok, msn + 4], original: 5 })
    .ask(op.sendOnlyImm, first + 8, { imm: 9, ...asked })
    .ack(first + 8, msn + 5);

/** Two ATOMICs and three SENDs, of which a packet is damaged on the way, and all but the first once more. */
function sentAgain(id: number): Talk {
  const ip = { id };
  const talk = new Talk().ask(op.writeOnly, 3, { reth: [16], ...asked, ip });
  const burst = (): Talk =>
    talk
      .ask(op.fetchAdd, 4, { atomic: { add: 1 }, ip })
      .ask(op.fetchAdd, 5, { atomic: { add: 1 }, ip })
      .ask(op.sendFirst, 6, { ...full, ip })
      .ask(op.sendLast, 7, { ...asked, ip })
      .ask(op.sendFirst, 8, { ...full, ip })
      .ask(op.sendMiddle, 9, { ...full, ip })
      .damaged()
      .ask(op.sendLast, 10, { ...asked, ip });
  burst()
    .ack(3, 1)
    .answer(op.atomicAck, 4, { aeth: [ok, 2], original: 5 })
    .answer(op.atomicAck, 5, { aeth: [ok, 3], original: 6 })
    .ack(7, 4)
    .ack(9, 4, syndrome.sequence);
  return burst()
    .answer(op.atomicAck, 4, { aeth: [ok, 4], original: 5 })
    .answer(op.atomicAck, 5, { aeth: [ok, 4], original: 6 });
}

export const cleanReliable: readonly Clean[] = [
  { says: 'all operations, each answered', complete, talk: everything(100, 0) },
  { says: 'PSNs that pass 2^24', complete, talk: everything(0xfffffc, 0) },
  { says: 'MSNs that pass 2^24', complete, talk: everything(7, 0xfffffd) },
  {
    says: 'an ACK for several messages',
    complete,
    talk: begun()
      .ask(op.sendOnly, 4, { bytes: 16 })
      .ask(op.sendOnly, 5, { bytes: 16 })
      .ask(op.sendOnly, 6, asked)
      .ack(6, 5),
  },
  {
    says: 'requests in both directions',
    complete,
    talk: begun()
      .back(op.sendOnly, 900, asked)
      .ask(op.acknowledge, 900, { aeth: [ok, 1] })
      .ask(op.sendOnly, 4, asked)
      .back(op.sendOnly, 901, asked)
      .ask(op.acknowledge, 901, { aeth: [ok, 2] })
      .ack(4, 3),
  },
  {
    says: 'a QP that is connected anew twice with the same first PSN, each time for one message',
    talk: new Talk()
      .ask(op.read, 50, { reth: [2148] })
      .answer(op.readFirst, 50, { aeth: [ok, 1], ...full })
      .answer(op.readMiddle, 51, full)
      .answer(op.readLast, 52, { aeth: [ok, 1], bytes: 100 })
      .pause(6e6)
      .ask(op.read, 50, { reth: [0] })
      .answer(op.readOnly, 50, { aeth: [ok, 1] })
      .pause(6e6)
      .ask(op.writeOnly, 50, { reth: [16], ...asked })
      .ack(50, 1),
  },
  {
    says: 'the answer to a part of a READ that was asked for again, by a request that the capture lacks',
    inconclusive: /no request in the capture calls for/,
    talk: everything(100, 0).answer(op.readOnly, 105, { aeth: [ok, 5], ...full }),
  },
  {
    says: 'a capture that begins within a message',
    talk: new Talk()
      .ask(op.sendMiddle, 41, full)
      .ask(op.sendLast, 42, asked)
      .ack(42, 17)
      .ask(op.sendOnly, 43, asked)
      .ack(43, 18),
  },
  {
    says: 'a capture that ends before the answer',
    complete,
    talk: begun().ask(op.sendOnly, 4, asked),
  },
  {
    says: 'a packet lost in front of the point of capture, a NAK, and all from there on again',
    talk: begun()
      .unseen((talk) => talk.ask(op.sendOnly, 4, asked))
      .ask(op.sendOnly, 5, asked)
      .ack(4, 2, syndrome.sequence)
      .pause(wait)
      .ask(op.sendOnly, 4, asked)
      .ask(op.sendOnly, 5, asked)
      .ack(4, 3)
      .ack(5, 4),
  },
  {
    says: 'a packet lost behind the point of capture, and a NAK for what is in sight',
    talk: begun()
      .ask(op.sendOnly, 4, asked)
      .ask(op.sendOnly, 5, asked)
      .ack(4, 2, syndrome.sequence)
      .pause(wait)
      .ask(op.sendOnly, 4, asked)
      .ask(op.sendOnly, 5, asked)
      .ack(5, 4),
  },
  {
    says: 'an ACK lost behind the point of capture, and the request once more',
    talk: begun().ask(op.sendOnly, 4, asked).ack(4, 3).pause(timeout).ask(op.sendOnly, 4, asked).ack(4, 3),
  },
  {
    says: 'an ACK lost in front of the point of capture, and the request once more',
    complete: { addresses: ['10.0.0.1'], timeout: 14 },
    talk: begun()
      .ask(op.sendOnly, 4, asked)
      .unseen((talk) => talk.ack(4, 3))
      .pause(timeout)
      .ask(op.sendOnly, 4, asked)
      .ack(4, 3),
  },
  {
    says: 'silence, and the request once more after the ACK timeout',
    complete: { addresses: ['10.0.0.1'], timeout: 14 },
    talk: begun()
      .ask(op.sendOnly, 4, asked)
      .pause(timeout)
      .ask(op.sendOnly, 4, asked)
      .pause(timeout)
      .ask(op.sendOnly, 4, asked)
      .ack(4, 3),
  },
  {
    says: 'an RNR NAK twice, and the request once more after its time',
    complete: timed,
    talk: begun()
      .ask(op.sendOnly, 4, asked)
      .ack(4, 2, syndrome.rnr)
      .pause(640_000)
      .ask(op.sendOnly, 4, asked)
      .ack(4, 2, syndrome.rnr)
      .pause(640_000)
      .ask(op.sendOnly, 4, asked)
      .ack(4, 3),
  },
  {
    says: 'a request behind one that was refused by an RNR NAK, which is on its way',
    talk: begun()
      .ask(op.sendOnly, 4, asked)
      .ask(op.sendOnly, 5, asked)
      .ack(4, 2, syndrome.rnr)
      .ask(op.sendOnly, 6, asked)
      .pause(700_000)
      .ask(op.sendOnly, 4, asked)
      .ask(op.sendOnly, 5, asked)
      .ask(op.sendOnly, 6, asked)
      .ack(6, 5),
  },
  {
    says: 'a READ that loses a response and is resumed from there',
    talk: begun()
      .ask(op.read, 4, { reth: [3072, 0x1000] })
      .answer(op.readFirst, 4, { aeth: [ok, 3], ...full })
      .unseen((talk) => talk.answer(op.readMiddle, 5, full))
      .answer(op.readLast, 6, { aeth: [ok, 3], ...full })
      .pause(wait)
      .ask(op.read, 5, { reth: [2048, 0x1400] })
      .answer(op.readFirst, 5, { aeth: [ok, 3], ...full })
      .answer(op.readLast, 6, { aeth: [ok, 3], ...full }),
  },
  {
    says: 'an ATOMIC whose answer is lost, repeated and answered as the first time',
    talk: begun()
      .ask(op.fetchAdd, 4, { atomic: { add: 1 } })
      .answer(op.atomicAck, 4, { aeth: [ok, 3], original: 5 })
      .pause(timeout)
      .ask(op.fetchAdd, 4, { atomic: { add: 1 } })
      .answer(op.atomicAck, 4, { aeth: [ok, 3], original: 5 }),
  },
  {
    says: 'two requests that the network has swapped',
    talk: begun().ask(op.sendOnly, 5, asked).ask(op.sendOnly, 4, asked).ack(4, 3).ack(5, 4),
  },
  {
    says: 'an ACK that two later ones have overtaken, of a request that was sent twice',
    talk: begun()
      .ask(op.sendOnly, 4, asked)
      .ask(op.sendOnly, 5, asked)
      .ask(op.sendOnly, 6, asked)
      .ack(4, 2, syndrome.rnr)
      .pause(wait)
      .ask(op.sendOnly, 4, asked)
      .ask(op.sendOnly, 5, asked)
      .ask(op.sendOnly, 6, asked)
      .ack(5, 4)
      .ack(6, 5)
      .pause(300_000)
      .ack(4, 3),
  },
  {
    says: 'a fatal NAK, and requests that were on their way',
    complete: { addresses: ['10.0.0.1'] },
    talk: begun()
      .ask(op.writeOnly, 4, { reth: [16], ...asked })
      .ask(op.sendOnly, 5, asked)
      .ack(4, 2, syndrome.accessError)
      .ask(op.sendOnly, 6, asked),
  },
  {
    says: 'a request damaged on the way, a NAK, and the request once more',
    talk: begun()
      .ask(op.sendOnly, 4, asked)
      .damaged()
      .ask(op.sendOnly, 5, asked)
      .ack(4, 2, syndrome.sequence)
      .pause(wait)
      .ask(op.sendOnly, 4, asked)
      .ask(op.sendOnly, 5, asked)
      .ack(5, 4),
  },
  {
    says: 'a second connection of the same QP numbers, which begins anew after a pause',
    talk: new Talk().sends(4).pause(20e6).sends(4, 0),
  },
  {
    says: 'a late begin: ATOMICs that had been carried out before are sent once more',
    talk: new Talk()
      .atomic(4, 5)
      .atomic(5, 5)
      .ask(op.read, 6, { reth: [16] })
      .answer(op.readOnly, 6, { aeth: [ok, 5], bytes: 16 })
      .atomic(7, 5)
      .atomic(4, 5),
  },
  {
    says: 'a second connection that begins with the same ATOMIC as the first one, and a request that is refused',
    talk: new Talk()
      .atomic(8, 1)
      .ask(op.sendOnly, 9, asked)
      .ack(9, 2)
      .pause(8e6)
      .atomic(8, 1)
      .ask(op.sendOnlyImm, 9, { imm: 1, ...asked })
      .ack(9, 1, syndrome.invalidRequest),
  },
  {
    says: 'a second connection whose first READ has a PSN that was of a WRITE',
    talk: new Talk()
      .atomic(4, 1)
      .ask(op.writeFirst, 5, { reth: [1040], ...full })
      .ask(op.writeLast, 6, asked)
      .ack(6, 2)
      .pause(12e6)
      .ask(op.writeFirst, 4, { reth: [1040], ...full })
      .ask(op.writeLast, 5, { bytes: 16 })
      .ask(op.read, 6, { reth: [2064] })
      .answer(op.readFirst, 6, { aeth: [ok, 2], ...full })
      .answer(op.readMiddle, 7, full)
      .answer(op.readLast, 8, { aeth: [ok, 2], bytes: 16 })
      .atomic(9, 3),
  },
  {
    says: 'a second connection that begins with a SEND where the first one had a READ, of which it is unknown how many responses it has',
    talk: new Talk()
      .ask(op.read, 10, { reth: [1040] })
      .answer(op.readFirst, 10, { aeth: [ok, 1], ...full })
      .answer(op.readLast, 11, { aeth: [ok, 1], bytes: 16 })
      .pause(10e6)
      .ask(op.sendOnly, 10, asked)
      .ask(op.sendOnly, 11, asked)
      .ack(10, 1)
      .ack(11, 2),
  },
  {
    says: 'two different requests with the first PSN of the capture, of which the first one is answered',
    inconclusive: /connected anew/,
    talk: new Talk()
      .ask(op.fetchAdd, 4, { atomic: { add: 1 } })
      .ask(op.sendOnly, 4)
      .answer(op.atomicAck, 4, { aeth: [ok, 1], original: 5 }),
  },
  {
    says: 'a second connection whose first packets the capture lacks, and whose next one cannot follow what was sent in the first one',
    talk: begun()
      .ask(op.sendFirst, 4, { ...full, ackReq: true })
      .ack(4, 2)
      .pause(10e6)
      .ask(op.writeLast, 5, asked)
      .ack(5, 1),
  },
  {
    says: 'a request of another partition, of one that is answered and that the capture lacks',
    talk: new Talk().ask(op.sendOnly, 4, { pkey: 0x1234, ...asked }).ack(4, 1),
  },
  {
    says: 'a request that is refused, and the answer to another one in its place that the capture lacks',
    talk: begun()
      .ask(op.sendOnly, 4, asked)
      .ack(4, 2, syndrome.rnr)
      .pause(wait)
      .answer(op.readOnly, 4, { aeth: [ok, 3], bytes: 16 }),
  },
  {
    says: 'a request in front of which one was lost, and the answer to another one in its place that the capture lacks',
    inconclusive: /no request in the capture calls for/,
    talk: begun()
      .ask(op.sendOnly, 5, asked)
      .unseen((hidden) => hidden.ack(4, 2, syndrome.sequence))
      .ask(op.sendOnly, 4, asked)
      .ack(4, 3)
      .unseen((hidden) => hidden.ask(op.read, 5, { reth: [16] }))
      .answer(op.readOnly, 5, { aeth: [ok, 4], bytes: 16 }),
  },
  {
    says: 'a second connection whose first packet the capture lacks, and whose PSNs go on where the first one ended',
    talk: begun()
      .ask(op.writeOnly, 4, { reth: [16], ...asked })
      .ack(4, 2, syndrome.rnr)
      .pause(10e6)
      .ask(op.writeLast, 5, asked),
  },
  {
    says: 'an RNR NAK that shows that the answer of an older ATOMIC was lost; the capture lacks the ATOMIC that is sent again before the wait is over',
    talk: new Talk()
      .sends(300)
      .ask(op.fetchAdd, 300, { atomic: { add: 1 } })
      .ask(op.sendOnly, 301, asked)
      .ack(301, 301, syndrome.rnr)
      .unseen((hidden) => hidden.ask(op.fetchAdd, 300, { atomic: { add: 1 } }))
      .ask(op.sendOnly, 301, asked)
      .answer(op.atomicAck, 300, { aeth: [ok, 301], original: 5 })
      .ack(301, 302),
  },
  {
    says: 'a request to a QP that is not there, and the answers of another one, of whose requests the capture lacks the first',
    talk: new Talk()
      .ask(op.read, 8, { qp: 0x33, reth: [16] })
      .answer(op.readOnly, 6, { aeth: [ok, 1], bytes: 16 })
      .atomic(8, 2),
  },
  {
    says: 'ATOMICs and what follows them sent again behind a NAK, with the IP identifications that they had, as a host that counts none sends them',
    talk: sentAgain(0),
  },
];
