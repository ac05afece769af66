import { atB, everywhere } from '../entries.ts';
import type { Clean } from '../entries.ts';
import { op, syndrome, Talk } from '../talk.ts';

const asked = { bytes: 16, ackReq: true };
const ok = syndrome.ack;
/** Another connection of the two hosts, which begins at the same PSN. */
const other = (port = 49152): Talk => new Talk({ qpA: 0x12, qpB: 0x23, port });
/** Its ATOMIC is answered, and the capture lacks the request. */
const answeredUnseen = (): Talk =>
  other()
    .pause(3_000)
    .unseen((talk) => talk.ask(op.fetchAdd, 0, { atomic: { add: 1 } }))
    .answer(op.atomicAck, 0, { aeth: [ok, 1], original: 7 });

/** A later connection of the same QP of A with another one of B. */
const later = (qpB = 0x33, pause = 5_000_000): Talk => new Talk({ qpB }).pause(pause);
/** The first request, of PSN `psn`, is lost in front of the port of B, and sent again after its NAK. */
const lostAtFirst = (talk: Talk, psn: number): Talk =>
  talk
    .unseen((hidden) => hidden.ask(op.sendOnly, psn, asked))
    .ask(op.sendOnly, psn + 1, asked)
    .ack(psn, 0, syndrome.sequence)
    .ask(op.sendOnly, psn, asked)
    .ask(op.sendOnly, psn + 1, asked)
    .ack(psn + 1, 2)
    .sends(4, psn + 2, 3);

/** Several connections of two hosts. */
export const cleanPairs: readonly Clean[] = [
  {
    says: 'a SEND, and the answer to an ATOMIC of another connection with the same PSN, which the capture lacks',
    inconclusive: /answers another connection/,
    talk: new Talk()
      .ask(op.sendFirst, 0, { bytes: 1024 })
      .ask(op.sendLast, 1, asked)
      .ack(1, 1)
      .beside(answeredUnseen()),
  },
  {
    says: 'the answers of a connection whose requests the capture lacks at first, beside another one with the same PSNs',
    inconclusive: /answers another connection/,
    talk: new Talk()
      .pair(0, 1)
      .pair(2, 2)
      .sends(3, 4)
      .beside(
        answeredUnseen()
          .unseen((talk) => talk.ask(op.read, 1, { reth: [16] }))
          .answer(op.readOnly, 1, { aeth: [ok, 2], bytes: 16 })
          .atomic(2, 3)
          .atomic(3, 4)
          .atomic(4, 5),
      ),
  },
  {
    says: 'an acknowledgement of a connection, of which the capture holds nothing before, and then the requests of both that it may answer',
    talk: new Talk()
      .pause(5_000)
      .ask(op.sendFirst, 0, { bytes: 1024 })
      .ask(op.sendLast, 1, asked)
      .ack(1, 1)
      .ask(op.sendOnly, 2, asked)
      .ack(2, 2)
      .beside(
        other()
          .unseen((talk) => talk.ask(op.sendOnly, 0, asked))
          .ack(0, 1)
          .atomic(1, 2)
          .atomic(2, 3)
          .atomic(3, 4),
      ),
  },
  {
    says: 'two connections with the same PSNs at the same time, whose UDP source ports differ',
    talk: new Talk().sends(20).beside(other(51_007).sends(20)),
  },
  {
    says: 'two connections with the same PSNs, one of which is always a request behind the other',
    talk: new Talk().sends(20).beside(other().pause(25_000).sends(20)),
  },
  {
    says: 'two connections whose PSNs are 900 apart',
    complete: everywhere,
    talk: new Talk().sends(20).beside(other().pause(3_000).sends(20, 900)),
  },
  {
    says: 'two connections with the same PSNs, of which the capture shows one from a later packet on than the other',
    talk: new Talk().sends(20).beside(
      other()
        .unseen((talk) => talk.pair(0, 31).pair(2, 32))
        .ack(3, 32)
        .sends(16, 4, 33),
    ),
    complete: everywhere,
  },
  {
    says: 'a connection that the capture shows from the middle on, and the answers to READs of another one, whose PSNs are among its own',
    inconclusive: /answers another connection/,
    talk: new Talk()
      .ask(op.read, 42, { reth: [3440] })
      .beside(
        other()
          .pause(10_000)
          .answer(op.readFirst, 43, { aeth: [ok, 11], bytes: 1024 })
          .answer(op.readLast, 44, { aeth: [ok, 11], bytes: 714 }),
      )
      .pause(50_000)
      .ask(op.writeOnly, 47, { reth: [16], ...asked })
      .ask(op.sendOnly, 48, asked)
      .beside(
        other()
          .pause(90_000)
          .answer(op.readFirst, 48, { aeth: [ok, 11], bytes: 1024 }),
      ),
  },
  {
    says: 'a QP is connected behind a pause with another one of the same host, and PSNs begin near those of the first connection',
    complete: everywhere,
    talk: new Talk().sends(20).beside(later().sends(8, 5)),
  },
  {
    says: 'the same with the same first PSN, and what is asked with each PSN differs; the first QP of the host follows behind another pause',
    complete: everywhere,
    talk: new Talk()
      .sends(20)
      .beside(later().reads(12))
      .beside(later(0x22, 10_000_000).atomic(0, 1).sends(8, 1, 2)),
  },
  {
    says: 'a QP is connected behind a pause with another one of the same host, and its first request is lost in front of the port of that',
    complete: atB,
    talk: new Talk().sends(20).beside(lostAtFirst(later(), 10)),
  },
  {
    says: 'the same, and PSNs go on where those of the first connection ended',
    complete: atB,
    talk: new Talk().sends(20).beside(lostAtFirst(later(), 20)),
  },
  {
    says: 'both QPs are connected anew behind a pause, PSNs begin 50 further on, and the first request is lost in front of the capture',
    inconclusive: /connected anew/,
    talk: lostAtFirst(new Talk().sends(20).pause(5_000_000), 70),
  },
];
