import { atB } from '../entries.ts';
import type { Fault } from '../entries.ts';
import { op, syndrome, Talk } from '../talk.ts';

const begun = (): Talk => new Talk().pair(0, 1).pair(2, 2);
const full = { bytes: 1024 };
const asked = { bytes: 16, ackReq: true };
const ok = syndrome.ack;
/** A SEND with PSN 4, which is to be answered as `sent` says. */
const answered = (sent: Parameters<Talk['answer']>[2]): Talk =>
  begun()
    .ask(op.sendOnly, 4, asked)
    .answer(op.acknowledge, 4, { aeth: [ok, 3], ...sent });
/** A READ of `bytes` bytes with PSN 4. */
const read = (bytes: number): Talk => begun().ask(op.read, 4, { reth: [bytes] });

/** A SEND that comes again every half second, so many times, before it is answered. */
const slowly = (times: number): Talk => {
  const talk = begun().ask(op.sendOnly, 4, asked);
  for (let i = 0; i < times; i++) talk.pause(500e6).ask(op.sendOnly, 4, asked);
  return talk.pause(500e6).ack(4, 3).sends(3, 5, 4);
};

export const responderFaults: readonly Fault[] = [
  {
    says: 'an MSN that counts packets',
    rules: ['rc-msn-counts-messages'],
    talk: new Talk().pair(0, 2).pair(2, 4).pair(4, 6),
  },
  {
    says: 'an MSN that falls back',
    rules: ['rc-msn-counts-messages'],
    talk: begun().ask(op.sendOnly, 4, asked).ack(4, 3).ask(op.sendOnly, 5, asked).ack(5, 2),
  },
  {
    says: 'an MSN that leaps by a thousand',
    rules: ['rc-msn-counts-messages'],
    talk: answered({ aeth: [ok, 1003] }),
  },
  { says: 'an ACK with transport version 1', rules: ['rc-response-header'], talk: answered({ tver: 1 }) },
  {
    says: 'an ACK of another partition',
    rules: ['rc-response-header'],
    talk: answered({ pkey: 0x8123 }),
  },
  { says: 'an ACK with payload', rules: ['rc-response-header'], talk: answered({ bytes: 8 }) },
  {
    says: 'a reserved syndrome',
    rules: ['rc-response-header'],
    talk: answered({ aeth: [0x40, 3] }),
  },
  { says: 'a reserved NAK code', rules: ['rc-response-header'], talk: answered({ aeth: [0x65, 2] }) },
  {
    says: 'a READ response with a NAK syndrome',
    rules: ['rc-response-header'],
    talk: read(16).answer(op.readOnly, 4, { aeth: [syndrome.accessError, 3], bytes: 16 }),
  },
  {
    says: 'an ATOMIC Acknowledge with the syndrome of an RNR NAK',
    rules: ['rc-response-header'],
    talk: begun()
      .ask(op.fetchAdd, 4, { atomic: { add: 1 } })
      .answer(op.atomicAck, 4, { aeth: [syndrome.rnr, 3], original: 5 }),
  },
  {
    says: 'an ACK with a reserved bit of the BTH set',
    rules: ['rc-response-header'],
    talk: answered({ resv6: 1 }),
  },
  {
    says: 'a READ response LAST before the end of the READ',
    rules: ['rc-read-executed'],
    talk: read(3072)
      .answer(op.readFirst, 4, { aeth: [ok, 3], ...full })
      .answer(op.readLast, 5, { aeth: [ok, 3], ...full }),
  },
  {
    says: 'a READ response MIDDLE at the end of the READ',
    rules: ['rc-read-executed'],
    talk: read(2048)
      .answer(op.readFirst, 4, { aeth: [ok, 3], ...full })
      .answer(op.readMiddle, 5, full),
  },
  {
    says: 'a READ response that is too short',
    rules: ['rc-read-executed'],
    talk: read(2048)
      .answer(op.readFirst, 4, { aeth: [ok, 3], ...full })
      .answer(op.readLast, 5, { aeth: [ok, 3], bytes: 512 }),
  },
  {
    says: 'a READ response ONLY to a READ of two packets',
    rules: ['rc-read-executed'],
    talk: read(2048).answer(op.readOnly, 4, { aeth: [ok, 3], ...full }),
  },
  {
    says: 'a READ response to a SEND',
    rules: ['rc-response-unasked'],
    talk: begun()
      .ask(op.sendOnly, 4, asked)
      .answer(op.readOnly, 4, { aeth: [ok, 3], bytes: 16 }),
  },
  {
    says: 'an ATOMIC Acknowledge to a WRITE',
    rules: ['rc-response-unasked'],
    talk: begun()
      .ask(op.writeOnly, 4, { reth: [16], ...asked })
      .answer(op.atomicAck, 4, { aeth: [ok, 3], original: 9 }),
  },
  {
    says: 'a repeated ATOMIC answered with another value',
    rules: ['rc-atomic-data'],
    talk: [5, 6].reduce(
      (talk, original) =>
        talk
          .ask(op.fetchAdd, 4, { atomic: { add: 1 } })
          .answer(op.atomicAck, 4, { aeth: [ok, 3], original })
          .pause(300_000),
      begun(),
    ),
  },
];

const sends = (): Talk => new Talk().sends(4);
const nak = syndrome.sequence;

const atItsPort: readonly Fault[] = [
  {
    says: 'no NAK although a PSN is missing',
    rules: ['rc-request-ahead'],
    talk: sends().ask(op.sendOnly, 5, asked).pause(70e6).ask(op.sendOnly, 4, asked).ack(4, 5),
  },
  {
    says: 'a NAK PSN sequence error with the PSN of the request',
    rules: ['rc-request-ahead'],
    talk: sends().ask(op.sendOnly, 5, asked).ack(5, 4, nak),
  },
  {
    says: 'a second NAK for one gap',
    rules: ['rc-request-ahead-after-sequence-nak'],
    talk: sends().ask(op.sendOnly, 5, asked).ack(4, 4, nak).ask(op.sendOnly, 6, asked).ack(4, 4, nak),
  },
  {
    says: 'a NAK although no PSN is missing',
    rules: ['rc-response-unasked'],
    talk: sends().ack(4, 4, nak),
  },
  {
    says: 'an ACK with an earlier PSN than the one before',
    rules: ['rc-send-complete-asked'],
    talk: sends().ask(op.sendOnly, 4, asked).ack(4, 5).ack(3, 4),
  },
  {
    says: 'an ACK once more behind a NAK that ends the connection',
    rules: ['rc-response-unasked'],
    talk: sends().ask(op.sendOnly, 4, asked).ack(4, 4, syndrome.invalidRequest).ack(3, 4),
  },
  {
    says: 'an answer that passes over a READ',
    rules: ['rc-read-executed'],
    talk: sends()
      .ask(op.read, 4, { reth: [16] })
      .ask(op.sendOnly, 5, asked)
      .ack(5, 6),
  },
  {
    says: 'an answer that passes over an ATOMIC',
    rules: ['rc-atomic-executed', 'rc-fetch-add-executed', 'rc-atomic-data'],
    talk: sends()
      .ask(op.fetchAdd, 4, { atomic: { add: 1 } })
      .ask(op.sendOnly, 5, asked)
      .ack(5, 6),
  },
  {
    says: 'a READ of three packets answered by the first and the last',
    rules: ['rc-read-executed'],
    talk: begun()
      .ask(op.sendOnly, 4, asked)
      .ack(4, 3)
      .ask(op.read, 5, { reth: [3072] })
      .answer(op.readFirst, 5, { aeth: [ok, 4], ...full })
      .answer(op.readLast, 7, { aeth: [ok, 4], ...full }),
  },
  {
    says: 'an RNR NAK with the PSN behind the request',
    rules: ['rc-receiver-not-ready'],
    talk: sends().ask(op.sendOnly, 4, asked).ack(5, 4, syndrome.rnr),
  },
  {
    says: 'a NAK remote operational error in the place of a READ response that has been sent',
    rules: ['rc-read-executed'],
    talk: begun()
      .ask(op.sendOnly, 4, asked)
      .ack(4, 3)
      .ask(op.read, 5, { reth: [3072] })
      .answer(op.readFirst, 5, { aeth: [ok, 4], ...full })
      .ack(5, 3, syndrome.operationalError),
  },
  {
    says: 'an ACK of a request with a wrong ICRC',
    rules: ['rc-drop-bad-icrc'],
    talk: sends().ask(op.sendOnly, 4, asked).damaged().ack(4, 5),
  },
  {
    says: 'no answer for more than a second, and then one',
    rules: ['rc-send-complete-asked'],
    talk: sends().ask(op.sendOnly, 4, asked).pause(1.3e9).ask(op.sendOnly, 4, asked).ack(4, 5),
  },
  {
    says: 'a READ that is passed over, beside another connection whose PSNs are 900 apart',
    rules: ['rc-read-executed'],
    talk: sends()
      .beside(new Talk({ qpA: 0x13, qpB: 0x24 }).pause(3_000).sends(12, 900))
      .ask(op.read, 4, { reth: [16] })
      .ask(op.sendOnly, 5, asked)
      .ack(5, 6),
  },
  {
    says: 'a QP that is connected anew with far PSNs, and goes on counting',
    rules: ['rc-msn-counts-messages'],
    talk: sends().pause(2e6).sends(3, 0x700000, 5),
  },
  {
    says: 'a QP that is connected anew with far PSNs, and counts less than it acknowledges',
    rules: ['rc-msn-counts-messages'],
    talk: sends()
      .pause(2e6)
      .ask(op.sendOnly, 0x700000, asked)
      .ask(op.sendOnly, 0x700001, asked)
      .ack(0x700001, 1),
  },
  {
    says: 'an ATOMIC that is repeated after a pause and answered with another value',
    rules: ['rc-atomic-data'],
    talk: sends()
      .atomic(4, 5)
      .pause(70e6)
      .ask(op.fetchAdd, 4, { atomic: { add: 1 } })
      .answer(op.atomicAck, 4, { aeth: [ok, 5], original: 5 }),
  },
  {
    says: 'a SEND that is sent again six times by the ACK timeout, and answered after 3.5 s only',
    rules: ['rc-send-complete-asked'],
    talk: slowly(6),
  },
];

export const completeResponderFaults = atItsPort.map((fault): Fault => ({ ...fault, complete: atB }));
