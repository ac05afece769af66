import { busy, gap, readsInTurn, refuses, resent } from '../busy.ts';
import { atB } from '../entries.ts';
import type { Fault } from '../entries.ts';
import { op, syndrome } from '../talk.ts';

/** What a responder does in a connection in which a request is always under way. */
const faults: readonly Fault[] = [
  {
    says: 'no NAK although a PSN is missing, in a busy connection',
    rules: ['rc-request-ahead'],
    talk: resent(gap().pause(70e6)),
  },
  {
    says: 'a NAK for each request beyond a gap, in a busy connection',
    rules: ['rc-request-ahead-after-sequence-nak'],
    talk: resent(refuses(refuses(gap()))),
  },
  {
    says: 'a NAK PSN sequence error for the newest request, in a busy connection',
    rules: ['rc-request-ahead'],
    talk: resent(refuses(gap(), 9)),
  },
  {
    says: 'a NAK of another kind for a request beyond a gap, in a busy connection',
    rules: ['rc-request-ahead', 'rc-request-disabled'],
    talk: gap().ack(9, 8, syndrome.invalidRequest),
  },
  {
    says: 'an ACK that passes over a READ, in a busy connection',
    rules: ['rc-read-executed'],
    talk: busy()
      .ask(op.read, 8, { reth: [16] })
      .ack(7, 8)
      .ask(op.sendOnly, 9, { bytes: 16, ackReq: true })
      .ask(op.sendOnly, 10, { bytes: 16, ackReq: true })
      .ack(9, 10),
  },
  {
    says: 'a READ answered without one of its responses, in a busy connection of READs',
    rules: ['rc-read-executed'],
    talk: readsInTurn(8, 6),
  },
];

export const busyFaults = faults.map((fault): Fault => ({ ...fault, complete: atB }));
