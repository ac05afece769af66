import { atA } from '../entries.ts';
import type { Fault } from '../entries.ts';
import { op, syndrome, Talk } from '../talk.ts';

/** PSN 4 is the next, 4 messages are acknowledged. */
const begun = (): Talk => new Talk().sends(4);
const asked = { bytes: 16, ackReq: true };
const three = (): Talk =>
  begun().ask(op.sendOnly, 4, asked).ask(op.sendOnly, 5, asked).ask(op.sendOnly, 6, asked);
/** Longer than anything takes that is on its way to the device. */
const reaction = 700_000;
/** 67 ms is the interval T of ACK timeout 14. */
const complete = atA(14);
/** The answer to PSN 4 is a NAK, and time enough has passed to notice it. */
const refused = (code: number): Talk => three().ack(4, 4, code).pause(reaction);

export const completeRequesterFaults: readonly Fault[] = [
  {
    says: 'a request once more that is acknowledged',
    rules: ['rc-request-completed-again'],
    complete,
    talk: begun().pause(reaction).ask(op.sendOnly, 2, asked),
  },
  {
    says: 'a request once more that asks for no answer and was not refused',
    rules: ['rc-retransmission-uncaused'],
    complete,
    talk: begun().ask(op.sendOnly, 4, { bytes: 16 }).pause(200e6).ask(op.sendOnly, 4, { bytes: 16 }),
  },
  {
    says: 'a request once more after a tenth of the ACK timeout',
    rules: ['rc-retransmission-uncaused'],
    complete,
    talk: begun().ask(op.sendOnly, 4, asked).pause(6.7e6).ask(op.sendOnly, 4, asked),
  },
  {
    says: 'a READ once more in the midst of its responses, after a tenth of the ACK timeout',
    rules: ['rc-retransmission-uncaused'],
    complete,
    talk: begun()
      .pair(4, 5)
      .pair(6, 6)
      .ask(op.read, 8, { reth: [3000] })
      .answer(op.readFirst, 8, { aeth: [syndrome.ack, 7], bytes: 1024 })
      .pause(6.7e6)
      .ask(op.read, 8, { reth: [3000] }),
  },
  {
    says: 'a retransmission by a timer that is switched off',
    rules: ['rc-retransmission-uncaused'],
    complete: atA(0),
    talk: begun().ask(op.sendOnly, 4, asked).pause(900e6).ask(op.sendOnly, 4, asked),
  },
  {
    says: 'a second retransmission for one NAK',
    rules: ['rc-retransmission-uncaused'],
    complete,
    talk: refused(syndrome.sequence)
      .ask(op.sendOnly, 4, asked)
      .ask(op.sendOnly, 5, asked)
      .ask(op.sendOnly, 6, asked)
      .pause(reaction)
      .ask(op.sendOnly, 4, asked),
  },
  {
    says: 'a retransmission that begins behind the packet of the NAK',
    rules: ['rc-retransmission-starts-late'],
    complete,
    talk: refused(syndrome.sequence).ask(op.sendOnly, 5, asked).ask(op.sendOnly, 6, asked),
  },
  {
    says: 'a new request after a NAK remote operational error',
    rules: ['rc-request-unposted'],
    complete,
    talk: three().ack(4, 4, syndrome.operationalError).pause(20e6).ask(op.sendOnly, 7, asked),
  },
  {
    says: 'a retransmission after a NAK invalid request',
    rules: ['rc-request-unposted', 'rc-retransmission-uncaused'],
    complete,
    talk: three().ack(4, 4, syndrome.invalidRequest).pause(20e6).ask(op.sendOnly, 4, asked),
  },
  {
    says: 'a request beyond a NAK PSN sequence error, and nothing sent again',
    rules: ['rc-sequence-nak-retransmits'],
    complete,
    talk: refused(syndrome.sequence).pause(20e6).ask(op.sendOnly, 7, asked).ask(op.sendOnly, 8, asked),
  },
  {
    says: 'a request beyond an RNR NAK, and nothing sent again',
    rules: ['rc-rnr-wait-endless'],
    complete,
    talk: refused(syndrome.rnr).pause(20e6).ask(op.sendOnly, 7, asked).ask(op.sendOnly, 8, asked),
  },
  {
    says: 'a retransmission that leaves out a packet',
    rules: ['rc-request-skipped'],
    complete,
    talk: refused(syndrome.sequence)
      .ask(op.sendOnly, 4, asked)
      .ask(op.sendOnly, 6, asked)
      .ask(op.sendOnly, 7, asked),
  },
  {
    says: 'a retransmission that stops halfway, and new requests behind it',
    rules: ['rc-request-skipped'],
    complete,
    talk: refused(syndrome.sequence).ask(op.sendOnly, 4, asked).ask(op.sendOnly, 7, asked),
  },
  {
    says: 'a READ that is passed over by the answers and not sent again',
    rules: ['rc-implied-nak'],
    complete,
    talk: begun()
      .ask(op.read, 4, { reth: [16] })
      .ask(op.sendOnly, 5, asked)
      .ack(5, 6)
      .pause(20e6)
      .ask(op.sendOnly, 6, asked)
      .ask(op.sendOnly, 7, asked),
  },
  {
    says: 'a request that nobody answers, not sent again for 3 s',
    rules: ['rc-timeout-overdue'],
    complete,
    talk: begun().ask(op.sendOnly, 4, asked).pause(3e9).ask(op.sendOnly, 5, asked).ack(5, 6),
  },
  {
    says: 'a request sent ten times, although nothing has answered the first eight',
    rules: ['rc-retry-exhausted'],
    complete,
    talk: Array.from({ length: 10 }).reduce<Talk>(
      (talk) => talk.ask(op.sendOnly, 4, asked).pause(100e6),
      begun(),
    ),
  },
  {
    says: 'a READ once more that is answered, while others are acknowledged all the time',
    rules: ['rc-request-completed-again'],
    complete,
    talk: begun()
      .reads(1, 4)
      .sends(50, 5, 6)
      .ask(op.read, 4, { reth: [16] }),
  },
  {
    says: 'a request once more that a NAK of a later one acknowledges',
    rules: ['rc-request-completed-again'],
    complete,
    talk: three().ack(6, 6, syndrome.sequence).pause(reaction).ask(op.sendOnly, 4, asked),
  },
  {
    says: 'a retransmission that begins behind the packet of an RNR NAK, as soon as its wait is over',
    rules: ['rc-retransmission-starts-late'],
    complete,
    talk: three().ack(4, 4, syndrome.rnr).pause(100_000).ask(op.sendOnly, 5, asked),
  },
  {
    says: 'a retransmission at once, since another QP was sent a NAK',
    rules: ['rc-retransmission-uncaused'],
    complete,
    talk: begun().sends(60, 4, 5).ask(op.sendOnly, 64, asked).ask(op.sendOnly, 64, asked),
  },
];
