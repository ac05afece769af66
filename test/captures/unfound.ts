import { atA, everywhere } from './entries.ts';
import type { Unfound } from './entries.ts';
import { op, syndrome, Talk } from './talk.ts';

const asked = { bytes: 16, ackReq: true };

export const unfound: readonly Unfound[] = [
  {
    says: 'a requester that sends a packet with a wrong ICRC',
    why: 'the network may have damaged it; it is counted',
    talk: new Talk().sends(4).ask(op.sendOnly, 4, asked).ack(4, 5).damaged(),
  },
  {
    says: 'a requester that leaves out a PSN',
    why: 'the capture or the network has lost a packet; with --complete the result is inconclusive and says so',
    complete: everywhere,
    inconclusive: /the capture lacks packets/,
    talk: new Talk().sends(4).ask(op.sendOnly, 5, asked).ack(4, 4, syndrome.sequence),
  },
  {
    says: 'a UC sender that leaves out a PSN',
    why: 'the same',
    complete: atA(),
    inconclusive: /the capture lacks packets/,
    talk: new Talk().uc(op.sendOnly, 0, { bytes: 16 }).uc(op.sendOnly, 2, { bytes: 16 }),
  },
  {
    says: 'a UD sender that leaves out a PSN',
    why: 'the same',
    complete: atA(),
    inconclusive: /the capture lacks packets/,
    talk: new Talk().ud(op.sendOnly, 0, { bytes: 16 }).ud(op.sendOnly, 2, { bytes: 16 }),
  },
  {
    says: 'a responder whose MSN begins anew behind a migration to other addresses',
    why: 'the packets of two paths are judged each by themselves: the same QP number may be in use at the other addresses; the result is inconclusive and says so',
    complete: everywhere,
    inconclusive: /MSN 1 does not go on behind 2: a QP has migrated/,
    talk: new Talk()
      .ask(op.sendOnly, 0, { migReq: false, ...asked })
      .answer(op.acknowledge, 0, { migReq: false, aeth: [syndrome.ack, 1] })
      .ask(op.sendOnly, 1, { migReq: false, ...asked })
      .answer(op.acknowledge, 1, { migReq: false, aeth: [syndrome.ack, 2] })
      .beside(
        new Talk({ a: '10.0.1.1', b: '10.0.1.2' })
          .pause(100_000)
          .ask(op.sendOnly, 2, { migReq: true, ...asked })
          .answer(op.acknowledge, 2, { migReq: true, aeth: [syndrome.ack, 1] })
          .ask(op.sendOnly, 3, { migReq: true, ...asked })
          .answer(op.acknowledge, 3, { migReq: true, aeth: [syndrome.ack, 2] }),
      ),
  },
  {
    says: 'a requester whose payload differs when it is sent again',
    why: 'an application may have changed the memory meanwhile',
    talk: new Talk()
      .sends(4)
      .ask(op.sendOnly, 4, asked)
      .pause(100e6)
      .ask(op.sendOnly, 4, { fill: 0x66, ...asked })
      .ack(4, 5),
  },
  {
    says: 'a responder that answers a READ with other bytes than its memory holds',
    why: 'a capture does not show memory',
    talk: new Talk()
      .sends(4)
      .ask(op.read, 4, { reth: [16] })
      .answer(op.readOnly, 4, { aeth: [syndrome.ack, 5], bytes: 16, fill: 0x66 }),
  },
  {
    says: 'a responder that refuses a WRITE which it ought to take',
    why: 'a capture does not show R_Keys and rights',
    complete: everywhere,
    talk: new Talk()
      .sends(4)
      .ask(op.writeOnly, 4, { reth: [16], ...asked })
      .ack(4, 4, syndrome.accessError),
  },
  {
    says: 'a UC sender that gives a message up and begins another one',
    why: 'a send queue that failed goes on like that; the result is inconclusive and says so',
    inconclusive: /send queue has failed/,
    talk: new Talk().uc(op.sendFirst, 4, { bytes: 1024 }).uc(op.sendOnly, 5, { bytes: 16 }),
  },
  {
    says: 'a notification point that sends no CNP for a marked packet',
    why: 'many devices and set-ups have congestion control switched off',
    complete: everywhere,
    talk: new Talk()
      .sends(4)
      .ask(op.sendOnly, 4, { ip: { tos: 3 }, ...asked })
      .ack(4, 5),
  },
];
