import { frameOf, joined } from '../bytes.ts';
import type { Clean } from '../entries.ts';
import { everywhere } from '../entries.ts';
import { op, Talk } from '../talk.ts';

const asked = { bytes: 16, ackReq: true };

/** Every frame changed by the point of capture. */
function through(talk: Talk, change: (frame: Uint8Array) => Uint8Array): Talk {
  for (const one of talk.taken) one.frame = change(one.frame);
  return talk;
}
/** The frame with another tag of 802.1Q in front of the first. */
function withOuterTag(frame: Uint8Array): Uint8Array {
  return joined(frame.subarray(0, 12), Uint8Array.from([0x81, 0, 0, 100]), frame.subarray(12));
}
/** Every frame twice, the copy `after` nanoseconds later. */
function mirrored(talk: Talk, after: number): Talk {
  talk.taken.push(...talk.taken.map(({ t, frame }) => ({ t: t + after, frame })));
  return talk;
}
/** The point of capture sees one in so many requests before its ICRC is filled in. */
function withoutIcrcs(talk: Talk, every: number): Talk {
  for (const [i, { frame }] of talk.taken.entries())
    if (i % (2 * every) === 0) frame.fill(0, frame.length - 4);
  return talk;
}
/** What one of the two addresses sends. */
function only(talk: Talk, lastByte: number): Talk {
  const kept = talk.taken.filter(({ frame }) => frame[29] === lastByte);
  talk.taken.splice(0, talk.taken.length, ...kept);
  return talk;
}
const traffic = (): Talk => new Talk().pair(0, 1).pair(2, 2).pair(4, 3);
const beside = (psn: number): Talk =>
  new Talk().sends(20).beside(new Talk({ qpA: 0x12, qpB: 0x23 }).sends(20, psn));

export const cleanPoints: readonly Clean[] = [
  {
    says: 'frames with two VLAN tags',
    complete: everywhere,
    talk: through(traffic(), (frame) => frameOf(frame.subarray(14), 100, 7)),
  },
  {
    says: 'frames with two VLAN tags of the same type',
    complete: everywhere,
    talk: through(traffic(), (frame) => withOuterTag(frameOf(frame.subarray(14), undefined, 7))),
  },
  {
    says: 'packets over IPv6',
    complete: everywhere,
    talk: new Talk({ a: 'fd00::1', b: 'fd00::2' }).pair(0, 1).pair(2, 2).pair(4, 3),
  },
  { says: 'frames cut to 96 bytes', talk: traffic(), snaplen: 96 },
  { says: 'two mirrors 300 ns apart', talk: mirrored(traffic(), 300) },
  { says: 'two mirrors 40 us apart', talk: mirrored(traffic(), 40_000) },
  { says: 'two connections of one host pair with different PSNs', talk: beside(70_000) },
  {
    says: 'two connections of one host pair with the same PSNs',
    talk: beside(0),
    inconclusive: /could not be tied to a request/,
  },
  { says: 'requests alone', talk: only(traffic(), 1), inconclusive: /one direction only, or a dead end/ },
  { says: 'responses alone', talk: only(traffic(), 2), inconclusive: /one direction only/ },
  {
    says: 'ICRCs that are all 0',
    talk: through(traffic(), (frame) => frame.fill(0, frame.length - 4)),
    inconclusive: /ICRC of every packet is 0/,
  },
  {
    says: 'ICRCs of which some are 0',
    talk: withoutIcrcs(new Talk().sends(20), 5),
    complete: everywhere,
    inconclusive: /ICRC of 4 packets is 0/,
  },
  {
    says: 'half of all frames, evenly',
    talk: thinned(new Talk().sends(40)),
    inconclusive: /requests that the capture does not hold/,
  },
  {
    says: 'the source port changes within a connection',
    complete: everywhere,
    talk: [4, 5, 6].reduce(
      (talk, psn) =>
        talk.ask(op.sendOnly, psn, { ip: { sourcePort: 50_000 + psn }, ...asked }).ack(psn, psn - 1),
      new Talk().pair(0, 1).pair(2, 2),
    ),
  },
];

function thinned(talk: Talk): Talk {
  const kept = talk.taken.filter((_, i) => (i >> 1) % 2 === 0 || i % 3 === 0);
  talk.taken.splice(0, talk.taken.length, ...kept);
  return talk;
}
