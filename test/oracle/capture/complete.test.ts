import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ends } from '../../adapters/reference/pair.ts';
import { framesBetween, plans } from './between-nics.ts';
import { bytes, Conversation, reth } from './conversation.ts';
import { judged } from './point.ts';

const places = fc.constantFrom<0 | 1>(0, 1);
const runs = (few: number): fc.Parameters<unknown> =>
  process.env['RUNS'] === undefined
    ? { numRuns: few, seed: 1, endOnFailure: true }
    : { numRuns: Number(process.env['RUNS']), seed: Number(process.env['SEED'] ?? 2) };

describe('a complete capture of reference NICs', () => {
  it('shows no violation at the port of one, whatever the network does behind it', async () => {
    const counts = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(plans, places, async (plan, place) => {
        const address = ends[place].ipv4 ?? '';
        const complete = { addresses: [address], timeout: 10 };
        const { violations, inconclusive, exercised } = judged(
          await framesBetween({ ...plan, place }),
          complete,
        );
        expect(violations).toEqual([]);
        expect(inconclusive.filter((why) => why.startsWith('--complete'))).toEqual([]);
        for (const [id, n] of exercised) counts.set(id, (counts.get(id) ?? 0) + n);
      }),
      runs(40),
    );
    for (const id of ['rc-request-ahead', 'rc-write-complete-asked'])
      expect(counts.get(id)).toBeGreaterThan(5);
  }, 3_600_000);

  it('shows no violation wherever it begins', async () => {
    const cuts = fc.double({ min: 0, max: 0.9, noNaN: true });
    await fc.assert(
      fc.asyncProperty(plans, places, cuts, async (plan, place, cut) => {
        const all = await framesBetween({ ...plan, place });
        const complete = { addresses: [ends[place].ipv4 ?? ''], timeout: 10 };
        const { violations } = judged(all.slice(Math.floor(cut * all.length)), complete);
        expect(violations).toEqual([]);
      }),
      runs(60),
    );
  }, 3_600_000);

  it('shows no violation where the network loses nothing either', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const rates = { drop: 0, duplicate: 0, reorder: 0 };
        const { violations } = judged(await framesBetween({ ...plan, rates }), {
          addresses: [],
          timeout: 10,
        });
        expect(violations).toEqual([]);
      }),
      runs(20),
    );
  }, 3_600_000);
});

describe('a responder in a complete capture', () => {
  const asked = { ackReq: true, ...bytes(16) };
  const nak = 0x60;
  const begun = (): Conversation => new Conversation().sends(4);
  const found = ({ frames }: Conversation) => judged(frames, { addresses: ['10.0.0.2'] });

  const faults: [string, string, Conversation][] = [
    [
      'no NAK of a gap',
      'rc-request-ahead',
      begun().request('SEND_ONLY', 5, asked).pause(70e6).request('SEND_ONLY', 4, asked).ack(4, 5),
    ],
    [
      'a NAK of a gap with another PSN',
      'rc-request-ahead',
      begun().request('SEND_ONLY', 5, asked).ack(5, 4, nak),
    ],
    [
      'a second NAK of the same gap',
      'rc-request-ahead-after-sequence-nak',
      begun().request('SEND_ONLY', 5, asked).ack(4, 4, nak).request('SEND_ONLY', 6, asked).ack(4, 4, nak),
    ],
    [
      'a READ that is passed over',
      'rc-read-executed',
      begun().request('RDMA_READ_REQUEST', 4, reth(16)).request('SEND_ONLY', 5, asked).ack(5, 6),
    ],
    ['a NAK without a gap', 'rc-response-unasked', begun().ack(4, 4, nak)],
    [
      'an Acknowledge that falls back',
      'rc-send-complete-asked',
      begun().request('SEND_ONLY', 4, asked).ack(4, 5).ack(3, 4),
    ],
    [
      'an Acknowledge once more behind a NAK that ends the connection',
      'rc-response-unasked',
      begun().request('SEND_ONLY', 4, asked).ack(4, 4, 0x61).ack(3, 4),
    ],
    [
      'silence for more than a second',
      'rc-send-complete-asked',
      begun().request('SEND_ONLY', 4, asked).pause(1.3e9).request('SEND_ONLY', 4, asked).ack(4, 5),
    ],
  ];
  it.each(faults)('%s breaks %s, and nothing if packets may be lost', (_, rule, conversation) => {
    expect(found(conversation).violations.map((violation) => violation.rule)).toEqual([rule]);
    expect(judged(conversation.frames).violations).toEqual([]);
    const elsewhere = judged(conversation.frames, { addresses: ['10.0.0.1'] });
    expect(elsewhere.violations.map((violation) => violation.rule)).not.toContain(rule);
  });

  it('owes no answer to an ATOMIC that comes again, if it may keep no record but that of a later one', () => {
    const add = (psn: number) => {
      const atomicEth = { va: 0x1000n, rkey: 7, swapOrAdd: 1n, compare: 0n };
      return ['FETCH_ADD', psn, { atomicEth }] as const;
    };
    const carriedOut = new Conversation().sends(4);
    for (const psn of [4, 5])
      carriedOut
        .request(...add(psn))
        .response('ATOMIC_ACKNOWLEDGE', psn, { aeth: { syndrome: 0x1f, msn: psn + 1 }, atomicOriginal: 1n });
    const again = (psn: number) =>
      found(
        carriedOut
          .copy()
          .request(...add(psn))
          .request('SEND_ONLY', 6, asked)
          .ack(6, 7),
      ).violations.map(({ rule }) => rule);
    expect(again(4)).toEqual([]);
    expect(again(5)).toEqual(['rc-duplicate-atomic']);
  });

  it('is in doubt where a QP does not answer any more', () => {
    const { violations, inconclusive } = found(
      begun().request('SEND_ONLY', 4, asked).pause(1.3e9).request('SEND_ONLY', 4, asked),
    );
    expect(violations).toEqual([]);
    expect(inconclusive).toEqual([expect.stringMatching(/no response within 1\.000 s.*or the QP is gone$/)]);
  });

  it('owes nothing at the end of a capture', () => {
    const { violations, inconclusive } = found(begun().request('SEND_ONLY', 4, asked));
    expect([violations, inconclusive]).toEqual([[], []]);
  });

  it('is in doubt where the capture lacks a packet that was acknowledged', () => {
    const { violations, inconclusive } = found(
      begun()
        .request('SEND_ONLY', 5, asked)
        .ack(4, 4, nak)
        .request('SEND_ONLY', 4, asked)
        .ack(4, 5)
        .ack(5, 6)
        .request('SEND_ONLY', 7, asked)
        .ack(7, 8)
        .ack(7, 8, nak),
    );
    expect(violations).toEqual([]);
    expect(inconclusive).toContainEqual(
      expect.stringMatching(/^--complete: the capture lacks packets, .* PSN 7, and no request has PSN 6$/),
    );
  });

  it('says of an end that it does not show', () => {
    const { inconclusive } = judged(begun().frames, { addresses: ['10.0.0.9'] });
    expect(inconclusive).toEqual([expect.stringMatching(/^--at 10\.0\.0\.9: the capture holds no request/)]);
  });
});

describe('a requester in a complete capture', () => {
  const asked = { ackReq: true, ...bytes(16) };
  const nak = 0x60;
  const begun = (): Conversation => new Conversation().sends(4);
  const pause = 700_000;
  const at = (conversation: Conversation, ...addresses: string[]) =>
    judged(conversation.frames, { addresses, timeout: 14 });
  const three = (): Conversation =>
    begun().request('SEND_ONLY', 4, asked).request('SEND_ONLY', 5, asked).request('SEND_ONLY', 6, asked);

  const faults: [string, string, Conversation][] = [
    [
      'a request again that is complete',
      'rc-request-completed-again',
      begun().pause(pause).request('SEND_ONLY', 2, asked),
    ],
    [
      'a request again that is complete, long after the NAK that called for it',
      'rc-request-completed-again',
      three().ack(4, 4, nak).ack(5, 6).pause(11e6).request('SEND_ONLY', 4, asked),
    ],
    [
      'a request again that was complete before the NAK',
      'rc-request-completed-again',
      three().ack(5, 6).pause(pause).ack(6, 6, nak).request('SEND_ONLY', 4, asked),
    ],
    [
      'a request again that nothing waits for',
      'rc-retransmission-uncaused',
      begun().request('SEND_ONLY', 4, bytes(16)).pause(pause).request('SEND_ONLY', 4, bytes(16)),
    ],
    [
      'a request again before the ACK timer',
      'rc-retransmission-uncaused',
      begun().request('SEND_ONLY', 4, asked).pause(pause).request('SEND_ONLY', 4, asked),
    ],
    [
      'a retransmission behind the packet of the NAK',
      'rc-retransmission-starts-late',
      three().ack(4, 4, nak).pause(pause).request('SEND_ONLY', 5, asked),
    ],
    [
      'a request after a fatal NAK',
      'rc-request-unposted',
      begun().request('SEND_ONLY', 4, asked).ack(4, 4, 0x61).pause(20e6).request('SEND_ONLY', 5, asked),
    ],
  ];
  it.each(faults)('%s breaks %s, and nothing if packets may be lost', (_, rule, conversation) => {
    expect(at(conversation, '10.0.0.1').violations.map((violation) => violation.rule)).toEqual([rule]);
    expect(judged(conversation.frames).violations).toEqual([]);
    const elsewhere = at(conversation, '10.0.0.2').violations;
    expect(elsewhere.map((violation) => violation.rule)).not.toContain(rule);
  });

  const armed = { ...asked, migReq: false };
  const alternate = { ...asked, srcIp: '10.0.1.1', dstIp: '10.0.1.2' };
  const sound: [string, Conversation][] = [
    [
      'a request again before the ACK timer of the path that a QP had at first, on its alternate path',
      begun()
        .request('SEND_ONLY', 4, armed)
        .pause(pause)
        .request('SEND_ONLY', 4, asked)
        .pause(pause)
        .request('SEND_ONLY', 4, asked),
    ],
    [
      'the same, where the alternate path has other addresses',
      begun()
        .request('SEND_ONLY', 4, armed)
        .pause(pause)
        .request('SEND_ONLY', 4, alternate)
        .response('ACKNOWLEDGE', 4, {
          aeth: { syndrome: 0x1f, msn: 5 },
          srcIp: '10.0.1.2',
          dstIp: '10.0.1.1',
        })
        .request('SEND_ONLY', 5, alternate)
        .pause(pause)
        .request('SEND_ONLY', 5, alternate),
    ],
    [
      'what is not acknowledged by a response to a request that was not sent',
      begun()
        .request('SEND_ONLY', 4, asked)
        .ack(5, 6)
        .request('SEND_ONLY', 5, asked)
        .pause(90e6)
        .request('SEND_ONLY', 4, asked),
    ],
    [
      'a second retransmission by the ACK timer, where nothing is known of what old answers have come between',
      new Conversation()
        .request('FETCH_ADD', 0xffffff, { atomicEth: { va: 0x1000n, rkey: 7, swapOrAdd: 1n, compare: 0n } })
        .request('SEND_ONLY', 0, asked)
        .response('ATOMIC_ACKNOWLEDGE', 0xffffff, { aeth: { syndrome: 0x1f, msn: 1 }, atomicOriginal: 5n })
        .response('RDMA_READ_RESPONSE_MIDDLE', 9_871_086, bytes(8))
        .pause(90e6)
        .request('SEND_ONLY', 0, asked)
        .pause(20e6)
        .ack(0xfffffd, 0, 0x63)
        .pause(20e6)
        .ack(0xffffff, 1)
        .pause(50e6)
        .request('SEND_ONLY', 0, asked),
    ],
    [
      'a new request after an old fatal NAK',
      begun().ack(2, 3, 0x61).pause(20e6).request('SEND_ONLY', 4, asked),
    ],
    [
      'a new request after an old NAK PSN sequence error',
      begun().ack(2, 3, nak).pause(20e6).request('SEND_ONLY', 4, asked),
    ],
    [
      'a retransmission after the time of the ACK timer',
      begun().request('SEND_ONLY', 4, asked).pause(90e6).request('SEND_ONLY', 4, asked),
    ],
    [
      'a retransmission that a NAK asks for',
      three()
        .ack(4, 4, nak)
        .pause(pause)
        .request('SEND_ONLY', 4, asked)
        .request('SEND_ONLY', 5, asked)
        .request('SEND_ONLY', 6, asked)
        .request('SEND_ONLY', 7, asked)
        .ack(7, 8),
    ],
    [
      'a retransmission that a NAK asks for, of a request that was acknowledged meanwhile',
      three()
        .ack(4, 4, nak)
        .ack(5, 6)
        .pause(pause)
        .request('SEND_ONLY', 4, asked)
        .request('SEND_ONLY', 5, asked)
        .request('SEND_ONLY', 6, asked),
    ],
    [
      'a READ again whose response is missing',
      begun()
        .request('RDMA_READ_REQUEST', 4, reth(16))
        .request('SEND_ONLY', 5, asked)
        .ack(5, 6)
        .request('RDMA_READ_REQUEST', 4, reth(16))
        .request('SEND_ONLY', 5, asked),
    ],
    [
      'requests that were on their way when a fatal NAK came',
      begun().request('SEND_ONLY', 4, asked).ack(4, 4, 0x61).request('SEND_ONLY', 5, asked),
    ],
  ];
  it('leaves the responder alone where packets of a connection have far PSNs, and it goes on', () => {
    const wild = [500_000, 5_000_000].reduce(
      (talk, psn) => talk.pause(20e6).request('SEND_ONLY', psn, asked).ack(4, 4, nak),
      begun(),
    );
    const answered = (msn: number): Conversation =>
      wild.copy().pause(20e6).request('SEND_ONLY', 4, asked).ack(4, msn);
    expect(at(answered(5), '10.0.0.2').violations).toEqual([]);
    const anew = begun().pause(20e6).request('SEND_ONLY', 500_000, asked);
    expect(at(anew.copy().ack(500_000, 1), '10.0.0.2').violations).toEqual([]);
    expect(at(anew.copy().ack(500_000, 5), '10.0.0.2').violations.map(({ rule }) => rule)).toEqual([
      'rc-msn-counts-messages',
    ]);
  });

  it('is in doubt where a responder expects the first PSN again, and counts nothing', () => {
    const anew = begun().request('SEND_ONLY', 4, asked).ack(0, 0, nak);
    const { violations, inconclusive } = at(anew, '10.0.0.2');
    expect(violations).toEqual([]);
    expect(inconclusive).toEqual([expect.stringMatching(/ is broken, or the QP has been connected anew$/)]);
    const counted = at(begun().request('SEND_ONLY', 4, asked).ack(0, 2, nak), '10.0.0.2');
    expect(counted.violations).toHaveLength(1);
  });

  it.each(sound)('%s is sound', (_, conversation) => {
    expect(at(conversation, '10.0.0.1', '10.0.1.1').violations).toEqual([]);
  });

  it('is in doubt where the capture lacks a request', () => {
    const { violations, inconclusive } = at(begun().request('SEND_ONLY', 5, asked));
    expect(violations).toEqual([]);
    expect(inconclusive).toEqual([expect.stringMatching(/^--complete: .* none with PSN 4 before it$/)]);
  });
});
