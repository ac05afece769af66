import { atA, atB } from '../entries.ts';
import type { Clean } from '../entries.ts';
import { gap, readsInTurn, refuses, resent } from '../busy.ts';
import { op, syndrome, Talk } from '../talk.ts';

const asked = { bytes: 16, ackReq: true };
/** Time of an RNR NAK, and T of ACK timeout 14, nanoseconds. */
const [wait, timeout] = [640_000, 67_108_864];
/** Between an answer and the next request. */
const step = 10_000;

/** A SEND whose ACK timer runs out while an RNR NAK is on its way. */
const crossed = (): Talk =>
  new Talk()
    .sends(300)
    .ask(op.sendOnly, 300, asked)
    .pause(timeout - 2 * step)
    .ack(300, 300, syndrome.rnr)
    .ask(op.sendOnly, 300, asked)
    .pause(wait)
    .ask(op.sendOnly, 300, asked)
    .ack(300, 301);

/** A SEND once more behind an RNR NAK, which asks for less than a millisecond. */
const refused = (): Talk =>
  new Talk()
    .sends(300)
    .ask(op.sendOnly, 300, asked)
    .ack(300, 300, syndrome.rnr)
    .pause(wait)
    .ask(op.sendOnly, 300, asked)
    .ack(300, 301);

/** A READ of which two responses do not come. */
const halfway = (): Talk =>
  new Talk()
    .pair(0, 1)
    .pair(2, 2)
    .ask(op.read, 4, { reth: [3000] })
    .answer(op.readFirst, 4, { aeth: [syndrome.ack, 3], bytes: 1024 });

/** Captures in which it depends on some microseconds what a requester may do. */
export const cleanTimes: readonly Clean[] = [
  {
    says: 'a SEND once more by the ACK timeout that passes an RNR NAK on its way, and after the time of that',
    complete: { addresses: [], timeout: 14 },
    talk: crossed(),
  },
  {
    says: 'a SEND once more after the time of an RNR NAK, by stamps of a millisecond',
    complete: { addresses: [], timeout: 14 },
    talk: refused().coarse(1e6),
  },
  {
    says: 'a SEND once more after the shorter one of two waits that RNR NAKs ask for one behind the other',
    talk: new Talk()
      .sends(300)
      .ask(op.sendOnly, 300, asked)
      .ack(300, 300, syndrome.rnr)
      .ack(300, 300, 0x20 | 5)
      .pause(60_000)
      .ask(op.sendOnly, 300, asked)
      .ack(300, 301),
  },
  {
    says: 'a gap in a connection where a request is always under way, one NAK, and what it asks for',
    complete: atB,
    talk: resent(refuses(gap())),
  },
  {
    says: 'READs of three packets each, the next one of which is under way when one is answered',
    complete: atB,
    talk: readsInTurn(8, 8),
  },
  {
    says: 'a READ once more by the ACK timeout in the midst of its responses, as a whole',
    complete: atA(14),
    talk: halfway()
      .pause(timeout)
      .ask(op.read, 4, { reth: [3000] })
      .answer(op.readFirst, 4, { aeth: [syndrome.ack, 3], bytes: 1024 })
      .answer(op.readMiddle, 5, { bytes: 1024 })
      .answer(op.readLast, 6, { aeth: [syndrome.ack, 3], bytes: 952 }),
  },
  {
    says: 'what is missing of a READ once more by an ACK timeout of less than a millisecond',
    complete: atA(6),
    talk: halfway()
      .pause(900_000)
      .ask(op.read, 5, { reth: [1976, 0x1400] })
      .answer(op.readFirst, 5, { aeth: [syndrome.ack, 3], bytes: 1024 })
      .answer(op.readLast, 6, { aeth: [syndrome.ack, 3], bytes: 952 }),
  },
];
