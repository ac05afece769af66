import { atA, type Fault } from '../entries.ts';
import { op, syndrome, Talk } from '../talk.ts';

const begun = (): Talk => new Talk().sends(4);
const known = (): Talk => new Talk().pair(0, 1).pair(2, 2);
const full = { bytes: 1024 };
const asked = { bytes: 16, ackReq: true };
const timeout = 100e6;

/** Requests that no work request calls for, or that are sent again as another one. */
export const requestShapeFaults: readonly Fault[] = [
  {
    says: 'a WRITE FIRST whose RETH announces one packet',
    rules: ['rc-request-payload'],
    talk: known().ask(op.writeFirst, 4, { reth: [1024], ...full }),
  },
  {
    says: 'a WRITE of 16 bytes whose RETH announces none',
    rules: ['rc-request-payload'],
    talk: begun()
      .ask(op.writeOnly, 4, { reth: [0], ...asked })
      .ack(4, 5),
  },
  {
    says: 'a WRITE with immediate data that is shorter than its RETH',
    rules: ['rc-request-payload'],
    talk: begun()
      .ask(op.writeOnlyImm, 4, { reth: [32], imm: 1, ...asked })
      .ack(4, 5),
  },
  {
    says: 'a FIRST that is not full, over IPv6',
    rules: ['rc-request-payload'],
    talk: new Talk({ a: 'fd00::1', b: 'fd00::2' })
      .pair(0, 1)
      .ask(op.sendFirst, 2, { bytes: 512 })
      .ask(op.sendLast, 3, asked)
      .ack(3, 2),
  },
  {
    says: 'a FIRST longer than the path MTU',
    rules: ['rc-request-payload'],
    talk: known().ask(op.sendFirst, 4, { bytes: 2048 }).ask(op.sendLast, 5, asked).ack(5, 3),
  },
  {
    says: 'a LAST longer than the path MTU',
    rules: ['rc-request-payload'],
    talk: known().ask(op.sendFirst, 4, full).ask(op.sendLast, 5, { bytes: 1028, ackReq: true }),
  },
  {
    says: 'an ONLY longer than any path MTU',
    rules: ['rc-request-payload'],
    talk: begun().ask(op.sendOnly, 4, { bytes: 4100, ackReq: true }).ack(4, 5),
  },
  {
    says: 'a FIRST as long as no path MTU',
    rules: ['rc-request-payload'],
    talk: begun().ask(op.sendFirst, 4, { bytes: 1000 }).ask(op.sendLast, 5, asked).ack(5, 5),
  },
  {
    says: 'a SEND that ends as a WRITE with immediate data',
    rules: ['rc-request-opcode'],
    talk: known()
      .ask(op.sendFirst, 4, full)
      .ask(op.writeLastImm, 5, { imm: 1, ...asked })
      .ack(5, 3),
  },
  {
    says: 'a SEND of several packets sent again with other immediate data',
    rules: ['rc-repeat-same'],
    talk: known()
      .ask(op.sendFirst, 4, full)
      .ask(op.sendLastImm, 5, { imm: 1, ...asked })
      .pause(timeout)
      .ask(op.sendFirst, 4, full)
      .ask(op.sendLastImm, 5, { imm: 2, ...asked })
      .ack(5, 3),
  },
  {
    says: 'a SEND with immediate data sent again without',
    rules: ['rc-repeat-same'],
    talk: begun()
      .ask(op.sendOnlyImm, 4, { imm: 1, ...asked })
      .pause(timeout)
      .ask(op.sendOnly, 4, asked)
      .ack(4, 5),
  },
  {
    says: 'a fetch-and-add sent again as a compare-and-swap',
    rules: ['rc-repeat-same'],
    talk: begun()
      .ask(op.fetchAdd, 4, { atomic: { add: 1 } })
      .pause(timeout)
      .ask(op.compareSwap, 4, { atomic: { add: 1 } }),
  },
  {
    says: 'an ATOMIC sent again to another address',
    rules: ['rc-repeat-same'],
    talk: begun()
      .ask(op.compareSwap, 4, { atomic: { add: 1 } })
      .pause(timeout)
      .ask(op.compareSwap, 4, { atomic: { add: 1, va: 0x1008 } }),
  },
  {
    says: 'a WRITE sent again with another R_Key',
    rules: ['rc-repeat-same'],
    talk: begun()
      .ask(op.writeOnly, 4, { reth: [16, 0x1000, 7], ...asked })
      .pause(timeout)
      .ask(op.writeOnly, 4, { reth: [16, 0x1000, 8], ...asked })
      .ack(4, 5),
  },
  {
    says: 'a READ sent again for more bytes',
    rules: ['rc-request-target'],
    talk: begun()
      .ask(op.read, 4, { reth: [16] })
      .pause(timeout)
      .ask(op.read, 4, { reth: [32] }),
  },
  {
    says: 'an ATOMIC with pad bytes',
    rules: ['rc-request-bare'],
    talk: begun().ask(op.fetchAdd, 4, { atomic: { add: 1 }, pad: 2 }),
  },
  {
    says: 'a new request 20 ms after a NAK remote access error',
    rules: ['rc-request-unposted'],
    complete: atA(14),
    talk: begun()
      .ask(op.writeOnly, 4, { reth: [16], ...asked })
      .ack(4, 4, syndrome.accessError)
      .pause(20e6)
      .ask(op.sendOnly, 5, asked),
  },
];
