import { atB, everywhere, type Fault } from '../entries.ts';
import { op, syndrome, Talk } from '../talk.ts';

const begun = (): Talk => new Talk().sends(4);
const known = (): Talk => new Talk().pair(0, 1).sends(2, 2, 2);
const full = { bytes: 1024 };
const asked = { bytes: 16, ackReq: true };
const ok = syndrome.ack;

/** What a responder answers with the wrong data, in the wrong place or with the wrong count, whatever the capture lacks. */
export const responderDataFaults: readonly Fault[] = [
  {
    says: 'a READ response with 16 bytes to a READ of none',
    rules: ['rc-read-executed'],
    talk: begun()
      .ask(op.read, 4, { reth: [0] })
      .answer(op.readOnly, 4, { aeth: [ok, 5], bytes: 16 }),
  },
  {
    says: 'a READ response without a byte to a READ of 16',
    rules: ['rc-read-executed'],
    talk: begun()
      .ask(op.read, 4, { reth: [16] })
      .answer(op.readOnly, 4, { aeth: [ok, 5] }),
  },
  {
    says: 'a READ response FIRST to a READ of one packet',
    rules: ['rc-read-executed'],
    talk: known()
      .ask(op.read, 4, { reth: [16] })
      .answer(op.readFirst, 4, { aeth: [ok, 4], bytes: 16 }),
  },
  {
    says: 'an empty READ response LAST',
    rules: ['rc-read-executed'],
    talk: known()
      .ask(op.read, 4, { reth: [2000] })
      .answer(op.readFirst, 4, { aeth: [ok, 4], ...full })
      .answer(op.readLast, 5, { aeth: [ok, 4] }),
  },
  {
    says: 'a READ asked for again from its second packet on, and a MIDDLE at its end',
    rules: ['rc-read-executed'],
    talk: known()
      .ask(op.read, 4, { reth: [3072] })
      .answer(op.readFirst, 4, { aeth: [ok, 4], ...full })
      .pause(70e6)
      .ask(op.read, 5, { reth: [2048, 0x1400] })
      .answer(op.readFirst, 5, { aeth: [ok, 4], ...full })
      .answer(op.readMiddle, 6, full),
  },
  {
    says: 'an ATOMIC Acknowledge to a READ',
    rules: ['rc-response-unasked'],
    talk: begun()
      .ask(op.read, 4, { reth: [8] })
      .answer(op.atomicAck, 4, { aeth: [ok, 5], original: 4 }),
  },
  {
    says: 'a READ response to an ATOMIC',
    rules: ['rc-response-unasked'],
    talk: begun()
      .ask(op.fetchAdd, 4, { atomic: { add: 1 } })
      .answer(op.readOnly, 4, { aeth: [ok, 5], bytes: 8 }),
  },
  {
    says: 'an ATOMIC Acknowledge with payload',
    rules: ['rc-response-header'],
    talk: begun()
      .ask(op.fetchAdd, 4, { atomic: { add: 1 } })
      .answer(op.atomicAck, 4, { aeth: [ok, 5], original: 4, bytes: 8 }),
  },
  {
    says: 'an ACK whose syndrome has its reserved bit set',
    rules: ['rc-response-header'],
    talk: begun()
      .ask(op.sendOnly, 4, asked)
      .ack(4, 5, 0x80 | ok),
  },
  {
    says: 'an MSN that counts a MIDDLE',
    rules: ['rc-msn-counts-messages'],
    talk: known()
      .ask(op.sendFirst, 4, full)
      .ask(op.sendMiddle, 5, { ...full, ackReq: true })
      .ack(5, 4),
  },
  {
    says: 'an MSN that counts a SEND which came twice, and what follows',
    rules: ['rc-msn-counts-messages'],
    talk: begun().ask(op.sendOnly, 4, asked).ack(4, 5).ask(op.sendOnly, 4, asked).ack(4, 6).sends(4, 5, 7),
  },
  {
    says: 'a NAK PSN sequence error that counts less than was acknowledged before',
    rules: ['rc-msn-in-nak'],
    talk: begun().ask(op.sendOnly, 4, { bytes: 16 }).ask(op.sendOnly, 6, asked).ack(5, 3, syndrome.sequence),
  },
  {
    says: 'an MSN that leaps, in a second connection of the same QP numbers with far PSNs',
    rules: ['rc-msn-counts-messages'],
    talk: begun().pause(5e6).sends(3, 500_000, 1).ask(op.sendOnly, 500_003, asked).ack(500_003, 9),
  },
  {
    says: 'a READ response to a READ behind a NAK that has ended the connection',
    rules: ['rc-drop-state'],
    talk: begun()
      .ask(op.writeOnly, 4, { reth: [16], ...asked })
      .ask(op.read, 5, { reth: [16] })
      .ack(4, 4, syndrome.accessError)
      .answer(op.readOnly, 5, { aeth: [ok, 5], bytes: 16 }),
  },
  {
    says: 'an ACK in the place of READ responses',
    rules: ['rc-read-executed'],
    complete: atB,
    talk: begun()
      .ask(op.read, 4, { reth: [16] })
      .ack(4, 5)
      .sends(2, 5, 6),
  },
  {
    says: 'an ACK of a SEND among the responses to the READ before it',
    rules: ['rc-read-executed'],
    complete: atB,
    talk: known()
      .ask(op.read, 4, { reth: [2048] })
      .ask(op.sendOnly, 6, asked)
      .answer(op.readFirst, 4, { aeth: [ok, 4], ...full })
      .ack(6, 5)
      .answer(op.readLast, 5, { aeth: [ok, 4], ...full }),
  },
  {
    says: 'the responses to two READs in the wrong order',
    rules: ['rc-read-executed'],
    complete: atB,
    talk: known()
      .ask(op.read, 4, { reth: [16] })
      .ask(op.read, 5, { reth: [32] })
      .answer(op.readOnly, 5, { aeth: [ok, 5], bytes: 32 })
      .answer(op.readOnly, 4, { aeth: [ok, 5], bytes: 16 }),
  },
  {
    says: 'an ATOMIC Acknowledge twice for one ATOMIC',
    rules: ['rc-atomic-executed'],
    complete: atB,
    talk: begun()
      .atomic(4, 5)
      .answer(op.atomicAck, 4, { aeth: [ok, 5], original: 4 }),
  },
  {
    says: 'an RNR NAK of a SEND that was carried out before',
    rules: ['rc-duplicate-send-write-asked'],
    complete: everywhere,
    talk: begun().ask(op.sendOnly, 3, asked).ack(3, 4, syndrome.rnr),
  },
  {
    says: 'an answer within a message, and for five seconds none to its end, which asks for one',
    rules: ['rc-send-complete-asked'],
    complete: atB,
    talk: known()
      .ask(op.sendFirst, 4, full)
      .ask(op.sendLast, 5, asked)
      .ack(4, 3)
      .pause(5e9)
      .ask(op.sendLast, 5, asked)
      .ack(5, 4),
  },
];
