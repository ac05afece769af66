import { atA } from '../entries.ts';
import type { Fault } from '../entries.ts';
import { op, Talk } from '../talk.ts';

const full = { bytes: 1024 };
const short = { bytes: 16 };
const first = (): Talk => new Talk().uc(op.sendFirst, 4, full);

export const ucFaults: readonly Fault[] = [
  {
    says: 'an ONLY longer than the path MTU',
    rules: ['unreliable-request-length'],
    talk: first().uc(op.sendLast, 5, full).uc(op.sendOnly, 6, { bytes: 2048 }),
  },
  {
    says: 'a WRITE FIRST whose RETH announces one packet',
    rules: ['unreliable-request-length'],
    talk: first()
      .uc(op.sendLast, 5, full)
      .uc(op.writeFirst, 6, { reth: [16], ...full }),
  },
  {
    says: 'a WRITE with immediate data that is shorter than its RETH',
    rules: ['unreliable-request-length'],
    talk: new Talk().uc(op.sendOnly, 4, short).uc(op.writeOnlyImm, 5, { reth: [32], imm: 1, ...short }),
  },
  {
    says: 'a SEND with invalidate, which UC does not have',
    rules: ['unreliable-request-opcode'],
    talk: new Talk().uc(op.sendOnly, 4, short).uc(op.sendOnlyInv, 5, { ieth: 3, ...short }),
  },
  {
    says: 'an Acknowledge, which UC does not have',
    rules: ['unreliable-request-opcode'],
    talk: new Talk().uc(op.sendOnly, 4, short).back(0x20 | op.acknowledge, 4, { aeth: [0x1f, 1] }),
  },
  {
    says: 'a MIDDLE behind a LAST',
    rules: ['unreliable-request-opcode'],
    talk: first().uc(op.sendLast, 5, full).uc(op.sendMiddle, 6, full),
  },
  {
    says: 'a SEND that ends as a WRITE',
    rules: ['unreliable-request-opcode'],
    talk: first().uc(op.writeLast, 5, full),
  },
  {
    says: 'a MIDDLE that is not full',
    rules: ['unreliable-request-length'],
    talk: first().uc(op.sendMiddle, 5, { bytes: 512 }),
  },
  { says: 'an empty LAST', rules: ['unreliable-request-length'], talk: first().uc(op.sendLast, 5) },
  {
    says: 'a WRITE shorter than its RETH',
    rules: ['unreliable-request-length'],
    talk: new Talk().uc(op.writeFirst, 4, { reth: [4000], ...full }).uc(op.writeLast, 5, { bytes: 500 }),
  },
  {
    says: 'a WRITE of one packet that is not as long as its RETH',
    rules: ['unreliable-request-length'],
    talk: new Talk().uc(op.writeOnly, 4, { reth: [8], bytes: 12 }),
  },
  {
    says: 'transport version 1',
    rules: ['unreliable-request-header'],
    talk: new Talk().uc(op.sendOnly, 4, { tver: 1, ...short }),
  },
  {
    says: 'a reserved bit of the BTH that is set',
    rules: ['unreliable-request-header'],
    talk: new Talk().uc(op.sendOnly, 4, { resv7: 4, ...short }),
  },
  {
    says: 'a UC packet with P_Key 0',
    rules: ['unreliable-request-header'],
    talk: new Talk().uc(op.sendOnly, 4, { pkey: 0, ...short }),
  },
  {
    says: 'a datagram with a P_Key of no partition',
    rules: ['unreliable-request-header'],
    talk: new Talk().ud(op.sendOnly, 4, { pkey: 0x8000, ...short }),
  },
  {
    says: 'a WRITE of more than 2^31 bytes',
    rules: ['uc-write-target'],
    talk: new Talk().uc(op.writeFirst, 4, { reth: [0x80000004], ...full }),
  },
  {
    says: 'a SEND of 15 bytes without a pad byte',
    rules: ['unreliable-request-length'],
    talk: new Talk().uc(op.sendOnly, 4, { bytes: 15, pad: 0 }),
  },
  {
    says: 'a READ request, which UC does not have',
    rules: ['unreliable-request-opcode'],
    talk: first()
      .uc(op.sendLast, 5, short)
      .uc(op.read, 6, { reth: [16] }),
  },
  {
    says: 'an ATOMIC, which UC does not have, among the requests of RC, and the answer to one with its PSN that the capture lacks',
    rules: ['unreliable-request-opcode'],
    talk: new Talk()
      .pair(0, 1)
      .pair(2, 2)
      .uc(op.compareSwap, 4, { ackReq: true, bytes: 16 })
      .unseen((hidden) => hidden.ask(op.sendOnly, 4, { ackReq: true, bytes: 16 }))
      .ack(4, 3),
  },
  {
    says: 'a PSN for two messages',
    rules: ['unreliable-sent-in-order'],
    talk: new Talk().uc(op.sendOnly, 3, short).uc(op.sendOnly, 4, short).uc(op.sendOnly, 4, { bytes: 20 }),
  },
  {
    says: 'a packet that is sent again',
    rules: ['unreliable-sent-once'],
    complete: atA(),
    talk: new Talk()
      .uc(op.sendOnly, 4, short)
      .uc(op.sendOnly, 5, short)
      .pause(90e3)
      .uc(op.sendOnly, 4, short),
  },
];

export const udFaults: readonly Fault[] = [
  {
    says: 'a datagram of 15 bytes without a pad byte',
    rules: ['unreliable-request-length'],
    talk: new Talk().ud(op.sendOnly, 4, short).ud(op.sendOnly, 5, { bytes: 15, pad: 0 }),
  },
  {
    says: 'a WRITE, which UD does not have',
    rules: ['unreliable-request-opcode'],
    talk: new Talk().ud(op.sendOnly, 4, short).ud(op.writeOnly, 5, { reth: [16], ...short }),
  },
  {
    says: 'a datagram of several packets',
    rules: ['unreliable-request-opcode'],
    talk: new Talk().ud(op.sendOnly, 4, short).ud(op.sendFirst, 5, full),
  },
  {
    says: 'a datagram longer than the largest path MTU',
    rules: ['unreliable-request-length'],
    talk: new Talk().ud(op.sendOnly, 4, { bytes: 4100 }),
  },
  {
    says: 'a PSN for datagrams to two QPs',
    rules: ['unreliable-sent-in-order'],
    talk: new Talk()
      .ud(op.sendOnly, 3, short)
      .ud(op.sendOnly, 4, short)
      .ud(op.sendOnly, 4, { qp: 0x23, ...short }),
  },
  {
    says: 'transport version 1',
    rules: ['unreliable-request-header'],
    talk: new Talk().ud(op.sendOnly, 4, { tver: 1, ...short }),
  },
  {
    says: 'a reserved bit of the BTH that is set',
    rules: ['unreliable-request-header'],
    talk: new Talk().ud(op.sendOnly, 4, { resv6: 2, ...short }),
  },
  {
    says: 'a datagram that is sent again',
    rules: ['unreliable-sent-once'],
    complete: atA(),
    talk: new Talk()
      .ud(op.sendOnly, 4, short)
      .ud(op.sendOnly, 5, short)
      .pause(90e3)
      .ud(op.sendOnly, 4, short),
  },
];
