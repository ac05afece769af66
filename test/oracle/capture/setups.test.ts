import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CaptureShares } from '../../../oracle/judge/shares.ts';
import { opcodeByName } from '../../../spec/constants.ts';
import { decode, encode } from '../../../wire/index.ts';
import { connectionSetup } from '../../../wire/mad/connection-setup.ts';
import type { ConnectionSetup } from '../../../wire/mad/connection-setup.ts';
import type { Packet } from '../../../wire/index.ts';
import type { Passed } from './between-nics.ts';
import { judged } from './point.ts';

const client = { srcIp: '10.0.0.1', dstIp: '10.0.0.2', srcPort: 0xc000 };
const server = { srcIp: '10.0.0.2', dstIp: '10.0.0.1', srcPort: 0xc000 };

/** A message of the connection manager, by the tables of IBTA 12.6. */
function message({ kind, id, answers, qp, psn }: ConnectionSetup, service = 0): Uint8Array {
  const mad = Buffer.alloc(256);
  mad.set([1, 7, 2, 3]);
  mad.writeUInt16BE(kind === 'REQ' ? 0x0010 : 0x0013, 16);
  mad.writeUInt32BE(id, 24);
  if (kind === 'REQ') {
    mad.writeUInt32BE(qp * 256 + 4, 24 + 32);
    mad.writeUInt32BE(0xff + service * 2, 24 + 40);
    mad[24 + 43] = service * 2;
    mad.writeUInt32BE(psn * 256 + 7, 24 + 44);
  } else {
    mad.writeUInt32BE(answers ?? 0, 24 + 4);
    mad.writeUInt32BE(qp * 256, 24 + 12);
    mad.writeUInt32BE(psn * 256, 24 + 20);
  }
  return mad;
}

function sent(from: typeof client, payload: Uint8Array, destQp = 1): Uint8Array {
  return encode({
    ...from,
    opcode: opcodeByName('UD_SEND_ONLY'),
    destQp,
    psn: 0,
    deth: { qkey: 0x80010000, srcQp: 1 },
    payload,
  });
}

const serverQp = (link: number): number => 0x200 + link;

interface Plan {
  links: number;
  rounds: number;
  first: number;
  /** links that both ends are seen to agree on */
  agreed: number;
  /** link whose newest acknowledgement counts wrong; -1: none */
  wrong: number;
  /** the numbers of the client's QPs are those of other links */
  crossed?: boolean;
}

/** Connections of two hosts that all begin at one PSN and send in turn; the server answers the newest first. */
function capture({ links, rounds, first, agreed, wrong, crossed = false }: Plan): Passed[] {
  const clientQp = (link: number): number => 0x100 + (crossed ? links - 1 - link : link);
  const frames: Uint8Array[] = [];
  for (let link = 0; link < agreed; link++) {
    const req = { kind: 'REQ', id: 7 + link, answers: undefined, qp: clientQp(link), psn: 0x345678 } as const;
    const rep = { kind: 'REP', id: 90 - link, answers: 7 + link, qp: serverQp(link), psn: first } as const;
    frames.push(sent(client, message(req)), sent(server, message(rep)));
  }
  for (let round = 0; round < rounds; round++) {
    const psn = (first + round) & 0xffffff;
    for (let link = 0; link < links; link++)
      frames.push(
        encode({
          ...client,
          opcode: opcodeByName('RC_SEND_ONLY'),
          destQp: serverQp(link),
          psn,
          ackReq: true,
          payload: new Uint8Array(8),
        }),
      );
    for (let link = links; --link >= 0;) {
      const msn = round + 1 + (link === wrong && round === rounds - 1 ? 5 : 0);
      const aeth = { syndrome: 0x1f, msn };
      frames.push(
        encode({
          ...server,
          opcode: opcodeByName('RC_ACKNOWLEDGE'),
          destQp: clientQp(link),
          psn,
          aeth,
        }),
      );
    }
  }
  return frames.map((frame, i) => ({ t: i * 10_000, frame }));
}

function packetOf(frame: Uint8Array): Packet {
  const decoded = decode(frame);
  if (decoded.kind !== 'packet') throw new Error(decoded.reason);
  return decoded.packet;
}

const several = 'responses that fit several connections';
const plans = fc.record({
  links: fc.integer({ min: 2, max: 6 }),
  rounds: fc.integer({ min: 2, max: 8 }),
  first: fc.oneof(fc.constant(0), fc.nat(0xffffff)),
});

describe('connections whose ends are seen to agree', () => {
  it('are judged apart, although their PSNs are equal', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const found = judged(capture({ ...plan, agreed: plan.links, wrong: -1 }));
        expect(found.violations).toEqual([]);
        expect(found.inconclusive).toEqual([]);
        expect(found.notJudged.get(several)).toBeUndefined();
        expect(found.exercised.get('rc-msn-counts-messages')).toBe(plan.links * plan.rounds);
      }),
    );
  });

  it('are judged each by its own responses', () => {
    fc.assert(
      fc.property(plans, fc.nat(5), (plan, drawn) => {
        const wrong = drawn % plan.links;
        const { violations } = judged(capture({ ...plan, agreed: plan.links, wrong }));
        expect(violations.map(({ rule, qp }) => [rule, qp])).toEqual([
          ['rc-msn-counts-messages', `qp 0x${serverQp(wrong).toString(16).padStart(6, '0')} at 10.0.0.2`],
        ]);
      }),
    );
  });

  it('are not, where the capture lacks what they agreed on', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const found = judged(capture({ ...plan, agreed: 0, wrong: 0 }));
        expect(found.violations).toEqual([]);
        expect(found.notJudged.get(several)).toBeGreaterThan(0);
      }),
    );
  });

  it('are paired anew where the numbers are used for another connection', () => {
    const plan = { links: 2, rounds: 4, agreed: 2 };
    const before = capture({ ...plan, first: 0, wrong: -1 });
    const later = capture({ ...plan, first: 0x500000, wrong: 1, crossed: true });
    const frames = [...before, ...later].map(({ frame }, i) => ({ t: i * 10_000, frame }));
    const { violations, notJudged, inconclusive } = judged(frames);
    expect(notJudged.get(several)).toBeUndefined();
    // where MSNs begin nobody knows, but they have counted right until then
    expect(violations).toMatchObject([{ qp: 'qp 0x000201 at 10.0.0.2', rule: 'rc-msn-counts-messages' }]);
    expect(inconclusive).toEqual([]);
  });

  it('are known to the share of a capture that judges them', () => {
    const shares = new CaptureShares({}, 4);
    const told: [string, number | 'all'][] = [];
    const owners = new Set<number>();
    for (const { frame, t } of capture({ links: 3, rounds: 1, first: 0, agreed: 3, wrong: -1 })) {
      const packet = packetOf(frame);
      const owner = shares.owner(packet, t, (note, share) => told.push([note.kind, share]));
      if (packet.info?.service === 'RC') owners.add(owner);
    }
    const agreed = told.filter(([kind]) => kind === 'agreed');
    expect(agreed).toHaveLength(6);
    expect(new Set(agreed.map(([, share]) => share))).toEqual(owners);
  });
});

describe('a message of the connection manager', () => {
  const setups: fc.Arbitrary<ConnectionSetup> = fc
    .record({
      id: fc.nat(),
      answers: fc.nat(),
      qp: fc.nat(0xffffff),
      psn: fc.nat(0xffffff),
      rep: fc.boolean(),
    })
    .map(({ rep, answers, ...rest }) =>
      rep ? { kind: 'REP', answers, ...rest } : { kind: 'REQ', answers: undefined, ...rest },
    );
  const read = (frame: Uint8Array): ConnectionSetup | undefined => connectionSetup(packetOf(frame));

  it('says the QP of its sender, and the PSN that it awaits', () => {
    fc.assert(
      fc.property(setups, (setup) => {
        expect(read(sent(client, message(setup)))).toEqual(setup);
      }),
    );
  });

  it('says nothing cut short, to another QP, of another class, or of a service that is not RC', () => {
    fc.assert(
      fc.property(setups, fc.nat(47), fc.nat(3), (setup, length, at) => {
        const mad = message(setup);
        expect(read(sent(client, mad.subarray(0, length)))).toBeUndefined();
        expect(read(sent(client, mad, 2))).toBeUndefined();
        mad[at]! ^= 0x80;
        expect(read(sent(client, mad))).toBeUndefined();
      }),
    );
    const req = { kind: 'REQ', id: 1, answers: undefined, qp: 5, psn: 6 } as const;
    expect(read(sent(client, message(req, 1)))).toBeUndefined();
  });
});
