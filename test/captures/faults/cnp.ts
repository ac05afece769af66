import { atA, atB, slow } from '../entries.ts';
import type { Fault } from '../entries.ts';
import { op, Talk } from '../talk.ts';

/** A SEND with CE, which calls for a CNP. */
const marked = (): Talk =>
  new Talk()
    .sends(4)
    .ask(op.sendOnly, 4, { bytes: 16, ackReq: true, ip: { tos: 3 } })
    .ack(4, 5);

const wrong = (says: string, rule: string, sent: Parameters<Talk['cnp']>[0], psn = 0): Fault => ({
  says,
  rules: [rule],
  talk: marked().cnp(sent, psn),
});

/** After 20 short SENDs, so many of 1,024 bytes, one every so many nanoseconds, and a CNP every 250 us. */
export function asked(count: number, apart: number): Talk {
  const talk = new Talk().sends(20);
  for (let i = 0; i < count; i++) {
    talk.ask(op.sendOnly, 20 + i, { ackReq: true, bytes: 1024 }).ack(20 + i, 21 + i);
    const cnps = apart / 250_000;
    talk.cnps(cnps, 250_000).pause(-20_000);
  }
  return talk;
}

/** The same with READs: B answers these, and A sends it the CNPs. */
export function read(count: number, apart: number, talk = new Talk()): Talk {
  talk.reads(20);
  for (let i = 0; i < count; i++)
    talk
      .reads(1, 20 + i, 1024)
      .cnps(apart / 250_000, 250_000, 'a')
      .pause(-20_000);
  return talk;
}

/** UC or UD messages of 1,024 bytes, one every so many nanoseconds, and a CNP every 250 us. */
export function unanswered(service: 'uc' | 'ud', count: number, apart: number, talk = new Talk()): Talk {
  for (let i = 0; i < count; i++)
    talk[service](op.sendOnly, i, { bytes: 1024 })
      .cnps(apart / 250_000, 250_000)
      .pause(-10_000);
  return talk;
}

export const cnpFaults: readonly Fault[] = [
  wrong('a CNP without BECN', 'cc-cnp-becn', { becn: false }),
  wrong('a CNP with FECN', 'cc-cnp-header', { fecn: true }),
  wrong('a CNP with AckReq', 'cc-cnp-header', { ackReq: true }),
  wrong('a CNP with a PSN', 'cc-cnp-header', {}, 4),
  wrong('a CNP with transport version 1', 'cc-cnp-header', { tver: 1 }),
  wrong('a CNP with reserved bits', 'cc-cnp-header', { resv6: 1 }),
  wrong('a CNP whose 16 bytes are not 0', 'cc-cnp-body', { fill: 1 }),
  wrong('a CNP of 12 bytes behind its BTH', 'cc-cnp-body', { bytes: 12 }),
  wrong('a CNP of 20 bytes behind its BTH', 'cc-cnp-body', { bytes: 20 }),
  wrong('a CNP of its BTH alone', 'cc-cnp-body', { bytes: 0 }),
  wrong('a CNP with the solicited event bit', 'cc-cnp-header', { solicited: true }),
  wrong('a CNP with a pad count', 'cc-cnp-header', { pad: 1 }),
  {
    says: 'a CNP over IPv6 whose 16 bytes are not 0',
    rules: ['cc-cnp-body'],
    talk: new Talk({ a: 'fd00::1', b: 'fd00::2' }).sends(4).cnp({ fill: 1 }),
  },
  {
    says: 'a CNP although nothing has met congestion',
    rules: ['cc-no-cnp-unmarked'],
    complete: atB,
    talk: new Talk().sends(4).pause(1.5e9).ask(op.sendOnly, 4, { bytes: 16, ackReq: true }).ack(4, 5).cnp(),
  },
  {
    says: 'two CNPs for one marked packet',
    rules: ['cc-cnp-combined'],
    complete: atB,
    talk: marked().cnp().pause(5e6).cnp(),
  },
  {
    says: 'CNPs for one QP five times as often as the profile has it, for 26 ms',
    rules: ['cc-cnp-spaced'],
    profile: 'paper',
    talk: new Talk().sends(300).cnps(2600, 10_000),
  },
  {
    says: 'a requester that goes on at 16 Mb/s although CNPs come for it every 250 us',
    rules: ['cc-pace-kept'],
    complete: atA(),
    profile: slow,
    talk: asked(350, 500_000),
  },
  {
    says: 'a responder that goes on with READ responses at 16 Mb/s although CNPs come for it every 250 us',
    rules: ['cc-pace-kept-by-reads'],
    complete: atB,
    profile: slow,
    talk: read(350, 500_000),
  },
  {
    says: 'a UC sender that goes on at 16 Mb/s although CNPs come for it every 250 us',
    rules: ['cc-pace-kept'],
    complete: atA(),
    profile: slow,
    talk: unanswered('uc', 350, 500_000),
  },
  {
    says: 'a UC sender that does so beside an RC QP whose answers show which it is',
    rules: ['cc-pace-kept'],
    complete: atA(),
    profile: slow,
    talk: unanswered('uc', 350, 500_000).beside(new Talk({ qpA: 0x13, qpB: 0x24 }).sends(300)),
  },
  {
    says: 'a UD sender that goes on at 16 Mb/s although CNPs come for it every 250 us',
    rules: ['cc-pace-kept'],
    complete: atA(),
    profile: slow,
    talk: unanswered('ud', 350, 500_000),
  },
];
