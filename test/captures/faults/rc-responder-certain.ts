import type { Fault } from '../entries.ts';
import { op, syndrome, Talk } from '../talk.ts';

const begun = (): Talk => new Talk().pair(0, 1).pair(2, 2);
const full = { bytes: 1024 };
const asked = { bytes: 16, ackReq: true };
const ok = syndrome.ack;

/** What a responder does that no packet which the capture may lack excuses. */
export const certainResponderFaults: readonly Fault[] = [
  {
    says: 'an RNR NAK that counts the request which it refuses',
    rules: ['rc-msn-in-nak'],
    talk: begun().ask(op.sendOnly, 4, asked).ack(4, 3, syndrome.rnr),
  },
  {
    says: 'a NAK PSN sequence error that counts requests behind its PSN',
    rules: ['rc-msn-in-nak'],
    talk: begun().ask(op.sendOnly, 4, asked).ask(op.sendOnly, 5, asked).ack(4, 4, syndrome.sequence),
  },
  {
    says: 'a NAK remote access error that counts the request which it refuses',
    rules: ['rc-msn-in-nak'],
    talk: begun()
      .ask(op.writeOnly, 4, { reth: [16], ...asked })
      .ack(4, 3, syndrome.accessError),
  },
  {
    says: 'a READ response LAST that does not count its READ',
    rules: ['rc-msn-counts-messages'],
    talk: begun()
      .ask(op.read, 4, { reth: [2048] })
      .answer(op.readFirst, 4, { aeth: [ok, 2], ...full })
      .answer(op.readLast, 5, { aeth: [ok, 2], ...full }),
  },
  {
    says: 'an ATOMIC Acknowledge that does not count its ATOMIC',
    rules: ['rc-msn-counts-messages'],
    talk: begun().atomic(4, 2),
  },
  {
    says: 'an ATOMIC at an address that is no multiple of 8, and its answer',
    rules: ['rc-atomic-misaligned'],
    talk: begun()
      .ask(op.fetchAdd, 4, { atomic: { add: 1, va: 0x1004 } })
      .answer(op.atomicAck, 4, { aeth: [ok, 3], original: 7 }),
  },
  {
    says: 'a NAK remote access error of a SEND, which names no memory',
    rules: ['rc-response-unasked'],
    talk: begun().ask(op.sendOnly, 4, asked).ack(4, 2, syndrome.accessError),
  },
  {
    says: 'an RNR NAK right behind a NAK that has ended the connection',
    rules: ['rc-drop-state'],
    talk: begun()
      .ask(op.sendOnly, 4, asked)
      .ask(op.sendOnly, 5, asked)
      .ack(4, 2, syndrome.invalidRequest)
      .ack(5, 2, syndrome.rnr),
  },
  {
    says: 'an RNR NAK with a pad byte',
    rules: ['rc-response-header'],
    talk: begun()
      .ask(op.sendOnly, 4, asked)
      .answer(op.acknowledge, 4, { aeth: [syndrome.rnr, 2], pad: 1 }),
  },
  {
    says: 'an ACK right behind a NAK that has ended the connection',
    rules: ['rc-drop-state'],
    talk: begun()
      .ask(op.writeOnly, 4, { reth: [16], ...asked })
      .ask(op.sendOnly, 5, asked)
      .ack(4, 2, syndrome.accessError)
      .ack(5, 3),
  },
  {
    says: 'a READ response of 62 bytes without a pad byte',
    rules: ['rc-response-header'],
    talk: begun()
      .ask(op.read, 4, { reth: [62] })
      .answer(op.readOnly, 4, { aeth: [ok, 3], bytes: 62, pad: 0 }),
  },
  {
    says: 'an ACK with two pad bytes',
    rules: ['rc-response-header'],
    talk: begun()
      .ask(op.sendOnly, 4, asked)
      .answer(op.acknowledge, 4, { aeth: [ok, 3], pad: 2 }),
  },
  {
    says: 'a READ response MIDDLE that carries an AETH as well',
    rules: ['rc-read-executed'],
    talk: new Talk()
      .sends(4)
      .ask(op.read, 4, { reth: [3072] })
      .answer(op.readFirst, 4, { aeth: [ok, 5], ...full })
      .answer(op.readMiddle, 5, { bytes: 1028 }),
  },
  {
    says: 'a READ response FIRST as long as no path MTU',
    rules: ['rc-read-executed'],
    talk: new Talk()
      .sends(4)
      .ask(op.read, 4, { reth: [2500] })
      .answer(op.readFirst, 4, { aeth: [ok, 5], bytes: 1000 }),
  },
  {
    says: 'a READ response FIRST of one path MTU, and a MIDDLE of another',
    rules: ['rc-read-executed'],
    talk: new Talk()
      .sends(4)
      .ask(op.read, 4, { reth: [2560] })
      .answer(op.readFirst, 4, { aeth: [ok, 5], ...full })
      .answer(op.readMiddle, 5, { bytes: 512 }),
  },
  {
    says: 'a READ response ONLY longer than any path MTU',
    rules: ['rc-read-executed'],
    talk: new Talk()
      .sends(4)
      .ask(op.read, 4, { reth: [5000] })
      .answer(op.readOnly, 4, { aeth: [ok, 5], bytes: 5000 }),
  },
  {
    says: 'a reserved syndrome, and answers to what follows',
    rules: ['rc-response-header'],
    talk: begun().ask(op.sendOnly, 4, asked).ack(4, 3, 0x45).sends(3, 5, 4),
  },
  {
    says: 'messages that are not counted, of a connection in which the QP of A has followed another one with the same host',
    rules: ['rc-msn-counts-messages'],
    talk: new Talk().sends(20).beside(new Talk({ qpB: 0x33 }).pause(5_000_000).sends(10, 5).sends(2, 15, 10)),
  },
];
