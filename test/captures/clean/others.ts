import { atA, atB, everywhere, slow } from '../entries.ts';
import type { Clean } from '../entries.ts';
import { asked as askedAndNamed, read as readAndNamed, unanswered } from '../faults/cnp.ts';
import { op, syndrome, Talk } from '../talk.ts';

const full = { bytes: 1024 };
const short = { bytes: 16 };
const asked = { bytes: 16, ackReq: true };
const marked = { ip: { tos: 3 } };

/** A CNP every 10 us, for five QPs in turn. */
function manyNamed(): Talk {
  const talk = new Talk();
  for (let i = 0; i < 3000; i++) talk.cnp({ qp: 0x11 + (i % 5) });
  return talk;
}

/** UD messages of 1,024 bytes at 16 Mb/s, and CNPs for another QP. */
function unnamedDatagrams(count: number): Talk {
  const talk = new Talk({ qpA: 0x13 });
  for (let i = 0; i < count; i++) talk.ud(op.sendOnly, i, full).pause(490_000);
  return talk.beside(new Talk().cnps(2 * count, 250_000));
}

/** SENDs of another connection, as far apart as those for which CNPs come. */
function asks(count: number, apart: number): Talk {
  const talk = new Talk({ qpA: 0x13, qpB: 0x24 }).sends(20);
  for (let i = 0; i < count; i++)
    talk
      .ask(op.sendOnly, 20 + i, asked)
      .ack(20 + i, 21 + i)
      .pause(apart - 20_000);
  return talk;
}

export const cleanOthers: readonly Clean[] = [
  {
    says: 'a UC sender that begins anew at its first PSN with another message, at once',
    inconclusive: /connected anew/,
    talk: new Talk()
      .uc(op.sendOnly, 50, short)
      .uc(op.sendOnly, 51, short)
      .uc(op.writeFirst, 50, { reth: [1040], ...full })
      .uc(op.writeLast, 51, short),
  },
  {
    says: 'a requester that slows down to 1 Mb/s, for which CNPs come every 250 us',
    complete: atA(),
    profile: slow,
    talk: askedAndNamed(260, 8_500_000),
  },
  {
    says: 'a requester that goes on at 16 Mb/s for 120 ms although CNPs come for it: packets may have waited in its port',
    complete: atA(),
    profile: slow,
    talk: askedAndNamed(240, 500_000),
  },
  {
    says: 'a responder that slows down to 1 Mb/s with READ responses, for which CNPs come every 250 us',
    complete: atB,
    profile: slow,
    talk: readAndNamed(260, 8_500_000),
  },
  {
    says: 'a responder that goes on with READ responses at 16 Mb/s for 120 ms although CNPs come for it',
    complete: atB,
    profile: slow,
    talk: readAndNamed(240, 500_000),
  },
  {
    says: 'a responder that sends READ responses at 16 Mb/s, to two QPs with the same PSNs, of which CNPs name one, and it is unknown which',
    complete: atB,
    profile: slow,
    talk: readAndNamed(350, 500_000).beside(new Talk({ qpA: 0x13, qpB: 0x24 }).reads(370)),
  },
  {
    says: 'two QPs of two hosts with the same PSNs, of which CNPs name one, and it is unknown which',
    inconclusive: /could not be tied to a request/,
    complete: atA(),
    profile: slow,
    talk: askedAndNamed(350, 500_000).beside(asks(350, 500_000)),
  },
  {
    says: 'a UC sender that slows down to 1 Mb/s, for which CNPs come every 250 us',
    complete: atA(),
    profile: slow,
    talk: unanswered('uc', 260, 8_500_000),
  },
  {
    says: 'a UD sender that slows down to 1 Mb/s, for which CNPs come every 250 us',
    complete: atA(),
    profile: slow,
    talk: unanswered('ud', 260, 8_500_000),
  },
  {
    says: 'a UC sender at 16 Mb/s beside another one, of which CNPs name one, and it is unknown which',
    complete: atA(),
    profile: slow,
    talk: unanswered('uc', 350, 500_000).beside(
      new Talk({ qpA: 0x13, qpB: 0x24 }).uc(op.sendOnly, 7, short).uc(op.sendOnly, 8, short),
    ),
  },
  {
    says: 'a UC sender at 16 Mb/s beside a QP of RC that answers, and is the one that CNPs name',
    complete: atA(),
    profile: slow,
    talk: unanswered(
      'uc',
      350,
      500_000,
      new Talk().back(op.sendOnly, 4, asked).ask(op.acknowledge, 4, { aeth: [syndrome.ack, 1] }),
    ),
  },
  {
    says: 'a UC sender at 16 Mb/s beside a QP of XRC, which is the one that CNPs name',
    complete: atA(),
    profile: slow,
    talk: unanswered('uc', 350, 500_000, new Talk().xrc(op.sendOnly, 4, short)),
  },
  {
    says: 'a UD sender at 16 Mb/s beside one that CNPs name',
    complete: atA(),
    profile: slow,
    talk: unnamedDatagrams(350),
  },
  {
    says: 'UC messages of one packet and of several',
    complete: everywhere,
    talk: new Talk()
      .uc(op.sendOnly, 4, short)
      .uc(op.writeFirst, 5, { reth: [1500], ...full })
      .uc(op.writeLast, 6, { bytes: 476 })
      .uc(op.sendFirst, 7, full)
      .uc(op.sendMiddle, 8, full)
      .uc(op.sendLastImm, 9, { imm: 3, bytes: 4 }),
  },
  {
    says: 'a UC message of which packets are lost',
    talk: new Talk().uc(op.sendFirst, 4, full).uc(op.sendLast, 9, short).uc(op.sendOnly, 10, short),
  },
  {
    says: 'a UC message that is given up, and the next one',
    inconclusive: /send queue has failed/,
    complete: atA(),
    talk: new Talk().uc(op.sendFirst, 4, full).uc(op.sendFirst, 5, full).uc(op.sendLast, 6, short),
  },
  {
    says: 'a UC packet that the network has doubled',
    talk: new Talk().uc(op.sendOnly, 4, short).doubled(30_000).uc(op.sendOnly, 5, short),
  },
  {
    says: 'UD datagrams of two QPs with the same PSNs',
    complete: everywhere,
    talk: new Talk()
      .ud(op.sendOnly, 4, short)
      .ud(op.sendOnly, 4, { deth: { srcQp: 0x12 }, ...short })
      .ud(op.sendOnlyImm, 5, { imm: 1, ...short }),
  },
  {
    says: 'UD datagrams of which some are lost',
    talk: new Talk().ud(op.sendOnly, 4, short).ud(op.sendOnly, 90, short),
  },
  {
    says: 'a marked packet and its CNP',
    complete: everywhere,
    talk: new Talk()
      .sends(4)
      .ask(op.sendOnly, 4, { ...asked, ...marked })
      .cnp()
      .ack(4, 5),
  },
  {
    says: 'a CNP for a packet that is marked behind the point of capture',
    talk: new Talk().sends(4).cnp().ask(op.sendOnly, 4, asked).ack(4, 5),
  },
  {
    says: 'a CNP with a NAK, as some NICs send it',
    complete: atB,
    talk: new Talk()
      .sends(4)
      .ask(op.sendOnly, 5, asked)
      .ack(4, 4, syndrome.sequence)
      .cnp()
      .pause(700_000)
      .ask(op.sendOnly, 4, asked)
      .ask(op.sendOnly, 5, asked)
      .ack(5, 6),
  },
  {
    says: 'a CNP, a packet marked right behind it, and another CNP',
    complete: atB,
    talk: new Talk()
      .sends(4)
      .ask(op.sendOnly, 4, { ...asked, ...marked })
      .ack(4, 5)
      .cnp()
      .ask(op.sendOnly, 5, { ...asked, ...marked })
      .ack(5, 6)
      .pause(60_000)
      .cnp(),
  },
  {
    says: 'CNPs for one QP at the interval of the profile',
    profile: 'paper',
    talk: new Talk().sends(300).cnps(6000, 50_000),
  },
  {
    says: 'CNPs that a pause of the port has held up for 60 ms',
    profile: 'paper',
    talk: new Talk().sends(300).cnps(100, 50_000).pause(60e6).cnps(1200, 1000).cnps(400, 50_000),
  },
  {
    says: 'CNPs for many QPs, each at the interval of the profile',
    profile: 'paper',
    talk: new Talk().sends(300).beside(manyNamed()),
  },
  {
    says: 'CNPs five times as often as the profile has it, in a capture in which a SEND is seen twice',
    profile: 'paper',
    talk: new Talk().sends(300).ask(op.sendOnly, 300, asked).doubled().ack(300, 301).cnps(2600, 10_000),
    inconclusive: /cc-cnp-spaced is broken, or the network has doubled packets/,
  },
  {
    says: 'a UC QP and an RC QP of one host pair',
    talk: new Talk()
      .sends(4)
      .beside(new Talk({ qpA: 0x31, qpB: 0x32 }).uc(op.sendOnly, 7, short).uc(op.sendOnly, 8, short)),
  },
];
