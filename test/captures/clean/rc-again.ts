import { atA, atB, everywhere } from '../entries.ts';
import type { Clean } from '../entries.ts';
import { op, syndrome, Talk } from '../talk.ts';

const asked = { bytes: 16, ackReq: true };
const begun = (): Talk => new Talk().pair(0, 1).pair(2, 2);

/** Requests sent again that may differ from the first copy. */
export const cleanAgain: readonly Clean[] = [
  {
    says: 'a request sent again on another path, which is in another partition',
    talk: begun()
      .ask(op.sendOnly, 4, { ...asked, migReq: false })
      .pause(300_000)
      .ask(op.sendOnly, 4, { ...asked, migReq: true, pkey: 0x8123 }),
  },
  {
    says: 'a request of a full member of the partition, and sent again by a limited one',
    talk: begun()
      .ask(op.sendOnly, 4, asked)
      .pause(300_000)
      .ask(op.sendOnly, 4, { ...asked, pkey: 0x7fff }),
  },
  {
    says: 'a FIRST sent again with another solicited event bit, which means something at the end of a message alone',
    talk: begun()
      .ask(op.sendFirst, 4, { bytes: 1024, solicited: true })
      .pause(300_000)
      .ask(op.sendFirst, 4, { bytes: 1024 }),
  },
  {
    says: 'a second connection with another path MTU, whose first packets the capture lacks, and whose PSNs go on where the first one ended',
    inconclusive: /connected anew/,
    talk: begun()
      .pause(10e6)
      .ask(op.sendFirst, 4, { bytes: 2048 })
      .ask(op.sendLast, 5, { bytes: 2000, ackReq: true })
      .ack(5, 3),
  },
  {
    says: 'a second connection with the same first PSN, whose first packets the capture lacks, with another request in the place of one that was unanswered',
    inconclusive: /connected anew/,
    talk: new Talk()
      .sends(2)
      .unseen((talk) => talk.ask(op.sendOnly, 2, asked))
      .ask(op.sendOnly, 3, asked)
      .ack(3, 4)
      .ask(op.sendOnly, 4, asked)
      .pause(20e6)
      .ask(op.sendFirst, 4, { bytes: 1024 })
      .ask(op.sendLast, 5, asked),
  },
  {
    says: 'a second connection with the same first PSN, of which the capture lacks a request, and shows the answer to it in the place of another one',
    inconclusive: /connected anew/,
    talk: new Talk()
      .ask(op.read, 50, { reth: [16] })
      .answer(op.readOnly, 50, { aeth: [syndrome.ack, 1], bytes: 16 })
      .ask(op.sendOnly, 51, asked)
      .ack(51, 2)
      .unseen((talk) => talk.ask(op.sendOnly, 52, asked))
      .ask(op.sendOnly, 53, asked)
      .ack(53, 4)
      .pause(1e9)
      .ask(op.sendOnly, 54, asked)
      .answer(op.atomicAck, 50, { aeth: [syndrome.ack, 1], original: 87 })
      .ack(54, 5),
  },
  {
    says: 'a READ that is sent again behind a SEND that the capture lacks, which the MSN of the answer counts',
    talk: begun()
      .ask(op.read, 4, { reth: [16] })
      .answer(op.readOnly, 4, { aeth: [syndrome.ack, 3], bytes: 16 })
      .unseen((talk) => talk.ask(op.sendOnly, 5, asked))
      .pause(300_000)
      .ask(op.read, 4, { reth: [16] })
      .answer(op.readOnly, 4, { aeth: [syndrome.ack, 4], bytes: 16 }),
  },
  {
    says: 'requests that are sent again, of which the capture lacks some at first, and all the MSNs that show how many were carried out',
    talk: new Talk()
      .ask(op.read, 10, { reth: [16] })
      .answer(op.readOnly, 10, { aeth: [syndrome.ack, 1], bytes: 16 })
      .unseen((talk) => talk.ask(op.fetchAdd, 11, { atomic: { add: 1 } }))
      .answer(op.atomicAck, 11, { aeth: [syndrome.ack, 2], original: 7 })
      .unseen((talk) => talk.ask(op.fetchAdd, 12, { atomic: { add: 1 } }))
      .ask(op.read, 10, { reth: [16] })
      .answer(op.readOnly, 10, { aeth: [syndrome.ack, 3], bytes: 16 })
      .ask(op.fetchAdd, 11, { atomic: { add: 1 } })
      .unseen((talk) => talk.ask(op.read, 10, { reth: [16] }))
      .answer(op.readOnly, 10, { aeth: [syndrome.ack, 3], bytes: 16 })
      .answer(op.atomicAck, 11, { aeth: [syndrome.ack, 3], original: 7 })
      .ask(op.fetchAdd, 12, { atomic: { add: 1 } })
      .answer(op.atomicAck, 12, { aeth: [syndrome.ack, 3], original: 8 })
      .ask(op.sendOnly, 13, asked)
      .ack(13, 4),
  },
  {
    says: 'requests that were answered and are sent again behind an acknowledgement of one that the capture lacks until then',
    inconclusive: /requests that the capture does not hold/,
    talk: new Talk()
      .reads(1)
      .atomic(1, 2)
      .unseen((talk) => talk.ask(op.sendOnly, 2, asked))
      .ack(2, 3)
      .pause(1.5e6)
      .ask(op.fetchAdd, 1, { atomic: { add: 1 } })
      .answer(op.readOnly, 0, { aeth: [syndrome.ack, 3], bytes: 16 })
      .answer(op.atomicAck, 1, { aeth: [syndrome.ack, 3], original: 1 })
      .pause(1.5e6)
      .ask(op.sendOnly, 2, asked)
      .ask(op.read, 3, { reth: [16] })
      .pause(1.5e6)
      .ask(op.sendOnly, 4, asked)
      .ack(4, 5),
  },
  {
    says: 'a second connection 60 us later, ten PSNs on, with another path MTU',
    inconclusive: /connected anew/,
    talk: begun()
      .pause(50e3)
      .ask(op.sendFirst, 14, { bytes: 512 })
      .ask(op.sendLast, 15, asked)
      .ack(15, 1)
      .ask(op.sendFirst, 16, { bytes: 512 })
      .ask(op.sendLast, 17, asked)
      .ack(17, 2),
  },
  {
    says: 'a second connection that begins with a packet of a reserved opcode, which is refused',
    complete: atB,
    talk: new Talk()
      .sends(2, 21)
      .pause(8e6)
      .ask(0x18, 21, { ackReq: true })
      .ack(21, 0, syndrome.invalidRequest),
  },
  {
    says: 'a SEND that nobody answers, and a second connection that begins with a WRITE in its place',
    talk: new Talk()
      .ask(op.sendFirst, 20, { bytes: 1024, ackReq: true })
      .pause(8e6)
      .ask(op.writeFirst, 20, { reth: [2000], bytes: 1024, ackReq: true })
      .ack(20, 0)
      .pause(2e6)
      .ask(op.writeLast, 21, { bytes: 976, ackReq: true })
      .ack(21, 1),
  },
  {
    says: 'the longest READ that there is, of 2^31 bytes',
    talk: begun().ask(op.read, 4, { reth: [0x80000000] }),
  },
  {
    says: 'two ATOMICs whose answers are lost, sent again, and answered by an MSN that counts both',
    talk: begun()
      .ask(op.fetchAdd, 4, { atomic: { add: 1 } })
      .ask(op.fetchAdd, 5, { atomic: { add: 1 } })
      .pause(70e6)
      .ask(op.fetchAdd, 4, { atomic: { add: 1 } })
      .ask(op.fetchAdd, 5, { atomic: { add: 1 } })
      .answer(op.atomicAck, 4, { aeth: [syndrome.ack, 4], original: 7 })
      .answer(op.atomicAck, 5, { aeth: [syndrome.ack, 4], original: 8 })
      .ask(op.sendOnly, 6, asked)
      .ack(6, 5),
    complete: atA(14),
  },
  {
    says: 'a QP that is connected anew 2 ms later with the PSN behind the last one',
    talk: new Talk().sends(12).pause(2e6).sends(12, 12, 1),
    inconclusive: /connected anew/,
  },
  {
    says: 'a QP that is connected anew 2 ms later with far PSNs',
    talk: new Talk().sends(12).pause(2e6).sends(12, 0x700000, 1),
    complete: everywhere,
  },
  {
    says: 'the same, with a NAK of the first message and a READ among those that are counted first',
    talk: new Talk()
      .sends(12)
      .pause(2e6)
      .ask(op.sendOnly, 0x700000, asked)
      .ack(0x700000, 0, syndrome.rnr)
      .pause(700_000)
      .ask(op.sendOnly, 0x700000, { bytes: 16 })
      .ask(op.read, 0x700001, { reth: [16] })
      .answer(op.readOnly, 0x700001, { aeth: [syndrome.ack, 2], bytes: 16 })
      .sends(4, 0x700002, 3),
    complete: everywhere,
  },
  {
    says: 'a WRITE that is refused, and a second connection of the same QP numbers, whose first PSN is 600 beyond it',
    talk: begun()
      .ask(op.writeOnly, 4, { reth: [16], ...asked })
      .ack(4, 2, syndrome.accessError)
      .pause(20e6)
      .pair(604, 1)
      .pair(606, 2),
    complete: everywhere,
  },
  {
    says: 'the answers to READs that are sent again, and one to a WRITE that the capture does not hold again, while newer requests are on their way',
    talk: new Talk()
      .ask(op.read, 9, { reth: [1386, 0x2000] })
      .ask(op.read, 11, { reth: [2100, 0x4000] })
      .ask(op.writeOnly, 14, { reth: [377], bytes: 377, ackReq: true })
      .ask(op.writeFirst, 15, { reth: [1128], bytes: 1024 })
      .ask(op.writeLast, 16, { bytes: 104 })
      .ask(op.sendOnly, 17, { bytes: 12 })
      .ask(op.writeFirst, 18, { reth: [2696], bytes: 1024 })
      .answer(op.readFirst, 9, { aeth: [syndrome.ack, 8], bytes: 1024 })
      .ask(op.read, 10, { reth: [362, 0x2400] })
      .answer(op.readFirst, 11, { aeth: [syndrome.ack, 9], bytes: 1024 })
      .answer(op.readOnly, 10, { aeth: [syndrome.ack, 12], bytes: 362 })
      .ask(op.writeMiddle, 19, { bytes: 1024 })
      .answer(op.readMiddle, 12, { bytes: 1024 })
      .answer(op.readLast, 13, { aeth: [syndrome.ack, 12], bytes: 52 })
      .ask(op.writeLast, 20, { bytes: 648, ackReq: true })
      .ack(18, 12),
  },
  {
    says: 'a capture that begins within a retransmission: MSNs grow only from a later request on, as the answer to a READ tells',
    talk: new Talk()
      .ask(op.sendFirst, 31, { bytes: 1024 })
      .ask(op.sendLast, 32, { bytes: 16 })
      .atomic(33, 14)
      .ask(op.sendOnly, 34, { bytes: 16 })
      .ask(op.sendOnly, 35, { bytes: 16 })
      .ask(op.read, 36, { reth: [1883] })
      .answer(op.readFirst, 36, { aeth: [syndrome.ack, 16], bytes: 1024 })
      .answer(op.readLast, 37, { aeth: [syndrome.ack, 16], bytes: 859 })
      .sends(3, 38, 17),
  },
  {
    says: 'a capture that begins within a retransmission: MSNs grow only from a later request on, as an acknowledgement tells',
    talk: new Talk()
      .atomic(33, 14)
      .ask(op.sendOnly, 34, { bytes: 521, ackReq: true })
      .ask(op.sendFirst, 35, { bytes: 1024 })
      .ask(op.sendLast, 36, { bytes: 309, ackReq: true })
      .ack(36, 15)
      .sends(3, 37, 16),
  },
];
