import { atA, everywhere, type Clean } from '../entries.ts';
import { op, syndrome, Talk } from '../talk.ts';

const asked = { bytes: 16, ackReq: true };
const full = { bytes: 1024 };
const ok = syndrome.ack;
const known = (): Talk => new Talk().pair(0, 1);
const begun = (): Talk => new Talk().sends(2);

/** What is seldom seen, and conformant. */
export const cleanOdd: readonly Clean[] = [
  {
    says: 'a SEND, WRITEs and a READ of no bytes',
    complete: everywhere,
    talk: new Talk()
      .ask(op.sendOnly, 0, { ackReq: true })
      .ack(0, 1)
      .ask(op.writeOnly, 1, { reth: [0], ackReq: true })
      .ack(1, 2)
      .ask(op.read, 2, { reth: [0] })
      .answer(op.readOnly, 2, { aeth: [ok, 3] })
      .ask(op.writeOnlyImm, 3, { reth: [0], imm: 1, ackReq: true })
      .ack(3, 4),
  },
  {
    says: 'READs of exactly one path MTU and of two',
    complete: everywhere,
    talk: known()
      .ask(op.read, 2, { reth: [1024] })
      .answer(op.readOnly, 2, { aeth: [ok, 2], ...full })
      .ask(op.read, 3, { reth: [2048] })
      .answer(op.readFirst, 3, { aeth: [ok, 3], ...full })
      .answer(op.readLast, 4, { aeth: [ok, 3], ...full }),
  },
  {
    says: 'credits in ACKs and in a READ response',
    complete: everywhere,
    talk: begun()
      .ask(op.sendOnly, 2, asked)
      .ack(2, 3, 0)
      .ask(op.sendOnly, 3, asked)
      .ack(3, 4, 13)
      .ask(op.read, 4, { reth: [16] })
      .answer(op.readOnly, 4, { aeth: [5, 5], bytes: 16 }),
  },
  {
    says: 'an RNR NAK with the longest wait, and the request once more after it',
    complete: everywhere,
    talk: begun()
      .ask(op.sendOnly, 2, asked)
      .ack(2, 2, 0x20)
      .pause(700e6)
      .ask(op.sendOnly, 2, asked)
      .ack(2, 3),
  },
  {
    says: 'an RNR NAK with the shortest wait, and the request once more after it',
    complete: everywhere,
    talk: begun().ask(op.sendOnly, 2, asked).ack(2, 2, 0x21).pause(10e3).ask(op.sendOnly, 2, asked).ack(2, 3),
  },
  {
    says: 'ACKs that nobody has asked for',
    complete: everywhere,
    talk: new Talk()
      .ask(op.sendOnly, 0, { bytes: 16 })
      .ack(0, 1)
      .ask(op.sendOnly, 1, { bytes: 16 })
      .ack(1, 2),
  },
  {
    says: 'an ACK of each packet of a message',
    complete: everywhere,
    talk: new Talk()
      .ask(op.sendFirst, 0, { ...full, ackReq: true })
      .ack(0, 0)
      .ask(op.sendMiddle, 1, { ...full, ackReq: true })
      .ack(1, 0)
      .ask(op.sendLast, 2, asked)
      .ack(2, 1),
  },
  {
    says: 'a WRITE once more, answered by the PSN of the newest request',
    talk: new Talk()
      .sends(4)
      .ask(op.writeOnly, 4, { reth: [16], ...asked })
      .ask(op.sendOnly, 5, asked)
      .pause(100e6)
      .ask(op.writeOnly, 4, { reth: [16], ...asked })
      .ask(op.sendOnly, 5, asked)
      .ack(5, 6)
      .ack(5, 6),
  },
  {
    says: 'a MigReq bit that either end changes',
    complete: everywhere,
    talk: new Talk()
      .ask(op.sendOnly, 0, { migReq: true, ...asked })
      .ack(0, 1)
      .ask(op.sendOnly, 1, asked)
      .answer(op.acknowledge, 1, { aeth: [ok, 2], migReq: true }),
  },
  {
    says: 'a READ whose PSNs pass 2^24',
    complete: everywhere,
    talk: new Talk()
      .sends(3, 0xfffffb, 1)
      .ask(op.read, 0xfffffe, { reth: [4096] })
      .answer(op.readFirst, 0xfffffe, { aeth: [ok, 4], ...full })
      .answer(op.readMiddle, 0xffffff, full)
      .answer(op.readMiddle, 0, full)
      .answer(op.readLast, 1, { aeth: [ok, 4], ...full })
      .sends(2, 2, 5),
  },
  {
    says: 'two READs under way, both of which are counted before the first one is answered',
    complete: everywhere,
    talk: known()
      .ask(op.read, 2, { reth: [2048] })
      .ask(op.read, 4, { reth: [2048] })
      .answer(op.readFirst, 2, { aeth: [ok, 3], ...full })
      .answer(op.readLast, 3, { aeth: [ok, 3], ...full })
      .answer(op.readFirst, 4, { aeth: [ok, 3], ...full })
      .answer(op.readLast, 5, { aeth: [ok, 3], ...full }),
  },
  {
    says: 'a request with FECN and CE, and one of another traffic class',
    complete: everywhere,
    talk: new Talk()
      .ask(op.sendOnly, 0, { fecn: true, ip: { tos: 3 }, ...asked })
      .ack(0, 1)
      .ask(op.sendOnly, 1, { ip: { tos: 0xba }, ...asked })
      .ack(1, 2),
  },
  {
    says: 'a solicited event bit in each packet of a message',
    complete: everywhere,
    talk: new Talk()
      .ask(op.sendFirst, 0, { ...full, solicited: true })
      .ask(op.sendLast, 1, { solicited: true, ...asked })
      .ack(1, 1),
  },
  {
    says: 'a fatal NAK, with requests on their way before and after it',
    complete: everywhere,
    talk: begun()
      .ask(op.writeOnly, 2, { reth: [16], ...asked })
      .ask(op.sendOnly, 3, asked)
      .ask(op.sendOnly, 4, asked)
      .ack(2, 2, syndrome.accessError)
      .ask(op.sendOnly, 5, asked),
  },
  {
    says: 'an RNR NAK of the first packet of a long SEND that goes on meanwhile',
    complete: everywhere,
    talk: known()
      .ask(op.sendFirst, 2, full)
      .ask(op.sendMiddle, 3, full)
      .ack(2, 1, syndrome.rnr)
      .ask(op.sendLast, 4, asked)
      .pause(1e6)
      .ask(op.sendFirst, 2, full)
      .ask(op.sendMiddle, 3, full)
      .ask(op.sendLast, 4, asked)
      .ack(4, 2),
  },
  {
    says: 'a READ asked for again from the response on that was lost',
    talk: known()
      .ask(op.read, 2, { reth: [4096] })
      .answer(op.readFirst, 2, { aeth: [ok, 2], ...full })
      .unseen((talk) => talk.answer(op.readMiddle, 3, full))
      .answer(op.readMiddle, 4, full)
      .pause(70e6)
      .ask(op.read, 3, { reth: [3072, 0x1400] })
      .answer(op.readFirst, 3, { aeth: [ok, 2], ...full })
      .answer(op.readMiddle, 4, full)
      .answer(op.readLast, 5, { aeth: [ok, 2], ...full }),
  },
  {
    says: 'management datagrams that all have PSN 0',
    talk: new Talk()
      .ud(op.sendOnly, 0, { bytes: 256, qp: 1, deth: { srcQp: 1, qkey: 0x80010000 } })
      .ud(op.sendOnly, 0, { bytes: 256, qp: 1, fill: 1, deth: { srcQp: 1, qkey: 0x80010000 } }),
  },
  {
    says: 'datagrams to a multicast group',
    talk: new Talk()
      .ud(op.sendOnly, 0, { bytes: 16, qp: 0xffffff, ip: { to: '239.0.0.1' } })
      .ud(op.sendOnly, 1, { bytes: 16, qp: 0xffffff, ip: { to: '239.0.0.1' } }),
  },
  {
    says: 'UC messages and datagrams of no bytes',
    complete: everywhere,
    talk: new Talk()
      .uc(op.sendOnly, 0)
      .uc(op.writeOnly, 1, { reth: [0] })
      .uc(op.writeOnlyImm, 2, { reth: [0], imm: 3 })
      .ud(op.sendOnly, 0)
      .ud(op.sendOnlyImm, 1, { imm: 3 }),
  },
  {
    says: 'a path MTU of 4096, of SENDs and READs',
    complete: everywhere,
    talk: new Talk()
      .ask(op.sendFirst, 0, { bytes: 4096 })
      .ask(op.sendLast, 1, { bytes: 4096, ackReq: true })
      .ack(1, 1)
      .ask(op.read, 2, { reth: [8192] })
      .answer(op.readFirst, 2, { aeth: [ok, 2], bytes: 4096 })
      .answer(op.readLast, 3, { aeth: [ok, 2], bytes: 4096 }),
  },
  {
    says: 'another TTL in each packet, and no IP identification',
    complete: everywhere,
    talk: new Talk()
      .ask(op.sendOnly, 0, { ...asked, ip: { ttl: 1, id: 0 } })
      .ack(0, 1)
      .ask(op.sendOnly, 1, { ...asked, ip: { ttl: 255, id: 0 } })
      .ack(1, 2),
  },
  {
    says: 'a second connection with the same first PSN, whose first packets were lost in front of the point of capture, and a NAK for them',
    inconclusive: /connected anew/,
    talk: new Talk()
      .atomic(10, 1)
      .ask(op.sendOnly, 11, asked)
      .ack(11, 1, syndrome.rnr)
      .pause(8e6)
      .ask(op.fetchAdd, 12, { atomic: { add: 1 } })
      .ack(10, 0, syndrome.sequence),
  },
  {
    says: 'acknowledgements by a limited member of the partition',
    complete: everywhere,
    talk: begun()
      .ask(op.sendOnly, 2, asked)
      .answer(op.acknowledge, 2, { aeth: [ok, 3], pkey: 0x7fff })
      .sends(3, 3, 4),
  },
  {
    says: 'ATOMICs of one address whose values others change meanwhile',
    complete: everywhere,
    talk: begun()
      .atomic(2, 3)
      .ask(op.fetchAdd, 3, { atomic: { add: 1 } })
      .answer(op.atomicAck, 3, { aeth: [ok, 4], original: 0 }),
  },
  {
    says: 'requests once more by the ACK timer, which were acknowledged 10 us before',
    complete: atA(14),
    talk: begun()
      .ask(op.sendOnly, 2, asked)
      .ask(op.sendOnly, 3, asked)
      .pause(70e6)
      .ack(3, 4)
      .ask(op.sendOnly, 2, asked)
      .ask(op.sendOnly, 3, asked)
      .ack(3, 4),
  },
  {
    says: 'a READ asked for again in part, of which the capture could not tell the length before, behind responses in another order',
    complete: atA(14),
    talk: new Talk()
      .sends(60)
      .ask(op.read, 60, { reth: [1500] })
      .ask(op.sendFirst, 62, full)
      .ask(op.sendLast, 63, asked)
      .answer(op.readLast, 61, { aeth: [ok, 61], bytes: 476 })
      .ack(63, 62)
      .answer(op.readFirst, 60, { aeth: [ok, 61], ...full })
      .ask(op.read, 61, { reth: [476, 0x1400] })
      .ask(op.sendFirst, 62, full)
      .ask(op.sendLast, 63, asked)
      .answer(op.readOnly, 61, { aeth: [ok, 62], bytes: 476 })
      .ack(63, 62),
  },
];
