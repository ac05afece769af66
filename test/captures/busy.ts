import { op, syndrome, Talk } from './talk.ts';

const asked = { bytes: 16, ackReq: true };

/** SENDs 0 to 7, of which one or two are under way at any time: no response answers the newest request. */
export function busy(): Talk {
  const talk = new Talk().ask(op.sendOnly, 0, asked);
  for (let psn = 1; psn < 8; psn++) talk.ask(op.sendOnly, psn, asked).ack(psn - 1, psn);
  return talk;
}

/** And then SEND 8 is lost in front of the responder, and two come behind it. */
export function gap(): Talk {
  return busy().ask(op.sendOnly, 9, asked).ack(7, 8).ask(op.sendOnly, 10, asked);
}

/** The responder asks for SEND 8. */
export function refuses(talk: Talk, psn = 8): Talk {
  return talk.ack(psn, 8, syndrome.sequence);
}

/** The requester sends all three once more, and they are acknowledged. */
export function resent(talk: Talk): Talk {
  for (const psn of [8, 9, 10]) talk.ask(op.sendOnly, psn, asked);
  return talk.ack(10, 11);
}

const [mtu, packets] = [1024, 3];

/** READs of three packets each, the next one of which is under way when one is answered. From the one with that number on, a response is left out each time. */
export function readsInTurn(count: number, incompleteFrom: number): Talk {
  const talk = new Talk();
  const ask = (i: number): unknown => talk.ask(op.read, packets * i, { reth: [packets * mtu] });
  ask(0);
  for (let i = 0; i < count; i++) {
    ask(i + 1);
    const psn = packets * i;
    const ends = { aeth: [syndrome.ack, i + 1] as const, bytes: mtu };
    talk.answer(op.readFirst, psn, ends);
    if (i < incompleteFrom) talk.answer(op.readMiddle, psn + 1, { bytes: mtu });
    talk.answer(op.readLast, psn + 2, ends);
  }
  return talk;
}
