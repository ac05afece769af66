import type { Fault } from '../entries.ts';
import { op, syndrome, Talk } from '../talk.ts';

/** Path MTU of 1024, PSN 4 is the next, 2 messages are acknowledged. */
const begun = (): Talk => new Talk().pair(0, 1).pair(2, 2);
const full = { bytes: 1024 };
const short = { bytes: 16 };
const asked = { bytes: 16, ackReq: true };

/** A SEND once more 64 us behind an RNR NAK that asks for ten times as much. */
const early = (): Talk =>
  new Talk()
    .sends(300)
    .ask(op.sendOnly, 300, asked)
    .ack(300, 300, syndrome.rnr)
    .pause(54_000)
    .ask(op.sendOnly, 300, asked)
    .ack(300, 301);

export const requesterFaults: readonly Fault[] = [
  {
    says: 'a MIDDLE without a FIRST',
    rules: ['rc-request-opcode'],
    talk: begun().ask(op.sendMiddle, 4, full).ask(op.sendLast, 5, asked),
  },
  {
    says: 'a LAST behind an ONLY',
    rules: ['rc-request-opcode'],
    talk: begun().ask(op.sendOnly, 4, short).ask(op.sendLast, 5, asked),
  },
  {
    says: 'a FIRST within a message',
    rules: ['rc-request-opcode'],
    talk: begun().ask(op.sendFirst, 4, full).ask(op.sendFirst, 5, full).ask(op.sendLast, 6, asked),
  },
  {
    says: 'a SEND that ends as a WRITE',
    rules: ['rc-request-opcode'],
    talk: begun().ask(op.sendFirst, 4, full).ask(op.writeLast, 5, asked),
  },
  {
    says: 'a SEND among the PSNs of the responses to a READ',
    rules: ['rc-request-opcode'],
    talk: begun()
      .ask(op.read, 4, { reth: [4096] })
      .ask(op.sendOnly, 6, asked),
  },
  {
    says: 'an ONLY longer than the path MTU',
    rules: ['rc-request-payload'],
    talk: begun().ask(op.sendFirst, 4, full).ask(op.sendLast, 5, { bytes: 1028, ackReq: true }),
  },
  {
    says: 'a MIDDLE that is not full',
    rules: ['rc-request-payload'],
    talk: begun().ask(op.sendFirst, 4, full).ask(op.sendMiddle, 5, { bytes: 512 }).ask(op.sendLast, 6, asked),
  },
  {
    says: 'an empty LAST',
    rules: ['rc-request-payload'],
    talk: begun().ask(op.sendFirst, 4, full).ask(op.sendLast, 5, { ackReq: true }),
  },
  {
    says: 'a WRITE longer than its RETH',
    rules: ['rc-request-payload'],
    talk: begun()
      .ask(op.writeFirst, 4, { reth: [1500], ...full })
      .ask(op.writeMiddle, 5, full)
      .ask(op.writeLast, 6, { bytes: 476, ackReq: true })
      .ack(6, 3),
  },
  {
    says: 'a WRITE shorter than its RETH',
    rules: ['rc-request-payload'],
    talk: begun()
      .ask(op.writeFirst, 4, { reth: [4096], ...full })
      .ask(op.writeLast, 5, { bytes: 1024, ackReq: true }),
  },
  {
    says: 'a WRITE of one packet that is not as long as its RETH',
    rules: ['rc-request-payload'],
    talk: begun().ask(op.writeOnly, 4, { reth: [64], bytes: 60, ackReq: true }),
  },
  {
    says: 'a PSN for two SENDs of different lengths',
    rules: ['rc-repeat-same'],
    talk: begun().ask(op.sendOnly, 4, short).ask(op.sendOnly, 4, { bytes: 20, ackReq: true }),
  },
  {
    says: 'a WRITE sent again to another address',
    rules: ['rc-repeat-same'],
    talk: begun()
      .ask(op.writeOnly, 4, { reth: [16, 0x1000], ...asked })
      .pause(300_000)
      .ask(op.writeOnly, 4, { reth: [16, 0x1010], ...asked }),
  },
  {
    says: 'a SEND sent again with other immediate data',
    rules: ['rc-repeat-same'],
    talk: begun()
      .ask(op.sendOnlyImm, 4, { imm: 7, ...asked })
      .pause(300_000)
      .ask(op.sendOnlyImm, 4, { imm: 8, ...asked }),
  },
  {
    says: 'an ATOMIC sent again that adds another value',
    rules: ['rc-repeat-same'],
    talk: begun()
      .ask(op.fetchAdd, 4, { atomic: { add: 1 } })
      .pause(300_000)
      .ask(op.fetchAdd, 4, { atomic: { add: 2 } }),
  },
  {
    says: 'a READ that is resumed at another address',
    rules: ['rc-request-target'],
    talk: begun()
      .ask(op.read, 4, { reth: [4096, 0x1000] })
      .ask(op.read, 6, { reth: [2048, 0x1400] }),
  },
  {
    says: 'a request with transport version 1',
    rules: ['rc-request-header'],
    talk: begun().ask(op.sendOnly, 4, { tver: 1, ...asked }),
  },
  {
    says: 'the same, and its PSN once more for another request, which is answered',
    rules: ['rc-request-header'],
    talk: begun()
      .ask(op.fetchAdd, 4, { tver: 1, atomic: { add: 1 } })
      .ask(op.read, 4, { reth: [16] })
      .answer(op.readOnly, 4, { aeth: [syndrome.ack, 3], bytes: 16 }),
  },
  {
    says: 'a request with a reserved bit of the BTH set',
    rules: ['rc-request-header'],
    talk: begun().ask(op.sendOnly, 4, { resv7: 1, ...asked }),
  },
  {
    says: 'a request with a P_Key of no partition',
    rules: ['rc-request-header'],
    talk: begun().ask(op.sendOnly, 4, { pkey: 0x8000, ...asked }),
  },
  {
    says: 'a SEND sent again in another partition',
    rules: ['rc-request-header'],
    talk: begun()
      .ask(op.sendOnly, 4, asked)
      .pause(300_000)
      .ask(op.sendOnly, 4, { pkey: 0x8123, ...asked }),
  },
  {
    says: 'a LAST in another partition than its FIRST',
    rules: ['rc-request-header'],
    talk: begun()
      .ask(op.sendFirst, 4, { bytes: 1024 })
      .ask(op.sendLast, 5, { pkey: 0x8123, ...asked }),
  },
  {
    says: 'a SEND sent again with another solicited event bit',
    rules: ['rc-request-solicited'],
    talk: begun()
      .ask(op.sendOnly, 4, { solicited: true, ...asked })
      .pause(300_000)
      .ask(op.sendOnly, 4, asked),
  },
  {
    says: 'a SEND sent again that invalidates another R_Key',
    rules: ['rc-repeat-same'],
    talk: begun()
      .ask(op.sendOnlyInv, 4, { ieth: 7, ...asked })
      .pause(300_000)
      .ask(op.sendOnlyInv, 4, { ieth: 8, ...asked }),
  },
  {
    says: 'a SEND of 15 bytes without a pad byte',
    rules: ['rc-request-payload'],
    talk: begun().ask(op.sendOnly, 4, { bytes: 15, pad: 0, ackReq: true }),
  },
  {
    says: 'a READ request that carries payload',
    rules: ['rc-request-bare'],
    talk: begun()
      .ask(op.read, 4, { reth: [16], bytes: 16 })
      .answer(op.readOnly, 4, { aeth: [syndrome.ack, 3], bytes: 16 }),
  },
  {
    says: 'an ATOMIC request that carries payload',
    rules: ['rc-request-bare'],
    talk: begun()
      .ask(op.fetchAdd, 4, { atomic: { add: 1 }, bytes: 8 })
      .answer(op.atomicAck, 4, { aeth: [syndrome.ack, 3], original: 4 }),
  },
  {
    says: 'a READ request with pad bytes',
    rules: ['rc-request-bare', 'rc-request-payload'],
    talk: begun()
      .ask(op.read, 4, { reth: [16], pad: 2 })
      .answer(op.readOnly, 4, { aeth: [syndrome.ack, 3], bytes: 16 }),
  },
  {
    says: 'a READ of more than 2^31 bytes',
    rules: ['rc-request-target'],
    talk: begun().ask(op.read, 4, { reth: [0x80000004] }),
  },
  {
    says: 'a WRITE of more than 2^31 bytes',
    rules: ['rc-request-target'],
    talk: begun().ask(op.writeFirst, 4, { reth: [0x80000004], ...full }),
  },
  {
    says: 'a retry after a tenth of the time of an RNR NAK',
    rules: ['rc-rnr-wait'],
    talk: early(),
  },
  {
    says: 'the same, by stamps of 100 us',
    rules: ['rc-rnr-wait'],
    talk: early().coarse(100_000),
  },
  {
    says: 'a retry that waits long enough after the first RNR NAK, and half as long after the second',
    rules: ['rc-rnr-wait'],
    talk: new Talk()
      .sends(300)
      .ask(op.sendOnly, 300, asked)
      .ack(300, 300, 0x20 | 14)
      .pause(1_300_000)
      .ask(op.sendOnly, 300, asked)
      .ack(300, 300, 0x20 | 14)
      .pause(640_000)
      .ask(op.sendOnly, 300, asked)
      .ack(300, 301),
  },
];
