import { expect, it } from 'vitest';
import { checked } from './checked.ts';
import { Talk } from './talk.ts';

it.each([{ solicited: true }, { ackReq: true }, { fecn: true }])(
  'an ACK with a bit that says nothing in a response is a deviation: %j',
  async (bit) => {
    const talk = new Talk().pair(0, 1).pair(2, 2).pair(4, 3);
    const clean = await checked(talk.taken);
    expect(clean).toMatchObject({ exit: 0, broken: [], inconclusive: [] });
    const wrong = new Talk().pair(0, 1).pair(2, 2).pair(4, 3);
    wrong.ask(0x04, 6, { ackReq: true, bytes: 16 }).answer(0x11, 6, { aeth: [0x1f, 4], ...bit });
    expect(await checked(wrong.taken)).toMatchObject({
      exit: 0,
      broken: ['rc-response-idle-bits'],
      inconclusive: [],
    });
  },
);

it('a datagram whose DETH has more than 0 in its reserved byte is a deviation', async () => {
  const datagram = (deth: { srcQp: number; reserved?: number }) =>
    checked(new Talk().ud(0x04, 4, { deth, bytes: 16 }).ud(0x04, 5, { bytes: 16 }).taken);
  const clean = await datagram({ srcQp: 0x33 });
  expect(clean.broken).toEqual([]);
  const { exit, inconclusive } = clean;
  const reserved = await datagram({ srcQp: 0x33, reserved: 1 });
  expect(reserved).toMatchObject({ exit, inconclusive, broken: ['ud-request-deth'] });
});
