import { describe, expect, it } from 'vitest';
import { bytes, Conversation, reth } from './conversation.ts';
import { judged } from './point.ts';

const full = bytes(1024);
const found = (conversation: Conversation): string[] => [
  ...new Set(judged(conversation.frames).violations.map(({ rule }) => rule)),
];
const begun = (): Conversation => new Conversation().sends(4);
const atomicEth = { va: 0x1000n, rkey: 7, swapOrAdd: 1n, compare: 0n };
/** RNR NAK of 0.64 ms, and the refused SEND once more. */
const refused = (before: number, waited: number): Conversation =>
  new Conversation()
    .sends(before)
    .request('SEND_ONLY', before, { ackReq: true, ...bytes(16) })
    .ack(before, before, 0x20 | 12)
    .pause(waited)
    .request('SEND_ONLY', before, { ackReq: true, ...bytes(16) })
    .ack(before, before + 1);

describe('a requester in a capture', () => {
  const faults: [string, string, Conversation][] = [
    ['a MIDDLE without a FIRST', 'rc-request-opcode', begun().request('SEND_MIDDLE', 4, full)],
    [
      'a FIRST within a message',
      'rc-request-opcode',
      begun().request('SEND_FIRST', 4, full).request('SEND_FIRST', 5, full),
    ],
    [
      'another operation within a message',
      'rc-request-opcode',
      begun().request('SEND_FIRST', 4, full).request('RDMA_WRITE_LAST', 5, full),
    ],
    [
      'a packet beyond its path MTU',
      'rc-request-payload',
      begun().request('SEND_FIRST', 4, full).request('SEND_LAST', 5, bytes(1028)),
    ],
    [
      'a MIDDLE that is not full',
      'rc-request-payload',
      begun().request('SEND_FIRST', 4, full).request('SEND_MIDDLE', 5, bytes(512)),
    ],
    ['an empty LAST', 'rc-request-payload', begun().request('SEND_FIRST', 4, full).request('SEND_LAST', 5)],
    [
      'a WRITE longer than its RETH',
      'rc-request-payload',
      begun()
        .request('RDMA_WRITE_FIRST', 4, { ...reth(1500), ...full })
        .request('RDMA_WRITE_MIDDLE', 5, full)
        .request('RDMA_WRITE_LAST', 6, bytes(500)),
    ],
    [
      'a WRITE shorter than its RETH',
      'rc-request-payload',
      begun()
        .request('RDMA_WRITE_FIRST', 4, { ...reth(4000), ...full })
        .request('RDMA_WRITE_LAST', 5, bytes(500)),
    ],
    [
      'a WRITE of one packet that differs from its RETH',
      'rc-request-payload',
      begun().request('RDMA_WRITE_ONLY', 4, { ...reth(100), ...bytes(96) }),
    ],
    [
      'a PSN used twice',
      'rc-repeat-same',
      begun().request('SEND_ONLY', 4, bytes(16)).request('SEND_ONLY', 4, bytes(32)),
    ],
    [
      'a repetition with another RETH',
      'rc-repeat-same',
      begun()
        .request('RDMA_WRITE_ONLY', 4, { ...reth(16), ...bytes(16) })
        .request('RDMA_WRITE_ONLY', 4, { ...reth(16, 0x2000n), ...bytes(16) }),
    ],
    [
      'a request among the PSNs of a READ',
      'rc-request-opcode',
      begun()
        .request('SEND_FIRST', 4, full)
        .request('SEND_LAST', 5, full)
        .request('RDMA_READ_REQUEST', 6, reth(4096))
        .request('SEND_ONLY', 7, bytes(16)),
    ],
    [
      'a shortened READ at another place',
      'rc-request-target',
      begun()
        .request('SEND_FIRST', 4, full)
        .request('SEND_LAST', 5, full)
        .request('RDMA_READ_REQUEST', 6, reth(4096))
        .request('RDMA_READ_REQUEST', 8, reth(2048, 0x1400n)),
    ],
    ['TVer 1', 'rc-request-header', begun().request('SEND_ONLY', 4, { tver: 1, ...bytes(16) })],
    ['a retry before the time of its RNR NAK', 'rc-rnr-wait', refused(300, 60_000)],
  ];
  it.each(faults)('%s breaks %s', (_, rule, conversation) => {
    expect(found(conversation)).toEqual([rule]);
  });

  const sound: [string, Conversation][] = [
    ['a retry after that time', refused(300, 640_000)],
    [
      'a READ that is repeated from its middle on',
      begun()
        .request('SEND_FIRST', 4, full)
        .request('SEND_LAST', 5, full)
        .request('RDMA_READ_REQUEST', 6, reth(4096))
        .request('RDMA_READ_REQUEST', 8, reth(2048, 0x1800n))
        .request('SEND_ONLY', 10, bytes(16)),
    ],
    [
      'a new connection with the PSNs of the last one',
      begun()
        .pause(2e6)
        .request('RDMA_WRITE_ONLY', 0, { ...reth(16), ...bytes(16) })
        .request('SEND_FIRST', 1, bytes(512)),
    ],
    [
      'a new connection with the PSNs of the last one, of which the first packet is missing',
      begun()
        .pause(2e6)
        .request('SEND_MIDDLE', 1, full)
        .request('SEND_LAST', 2, bytes(8))
        .request('RDMA_WRITE_ONLY', 3, { ...reth(16), ...bytes(16) }),
    ],
    [
      'a message of which packets are missing',
      begun()
        .request('RDMA_WRITE_FIRST', 4, { ...reth(5000), ...full })
        .request('RDMA_WRITE_LAST', 8, bytes(904))
        .request('SEND_ONLY', 9),
    ],
    [
      'packets in another order',
      begun().request('SEND_FIRST', 4, full).request('SEND_LAST', 6, full).request('SEND_MIDDLE', 5, full),
    ],
  ];
  it.each(sound)('%s is sound', (_, conversation) => {
    expect(found(conversation)).toEqual([]);
  });

  // of the same number, by software that needs less than a millisecond
  const anew: [string, RegExp, Conversation][] = [
    [
      'another request with the first PSN',
      /rc-repeat-same is broken, or the QP has been connected anew$/,
      begun()
        .request('RDMA_WRITE_ONLY', 0, { ...reth(16), ...bytes(16), ackReq: true })
        .ack(0, 1),
    ],
    [
      'the first request again before the time of its RNR NAK',
      /rc-rnr-wait is broken, or the QP has been connected anew$/,
      refused(0, 60_000),
    ],
  ];
  it.each(anew)('%s: in doubt', (_, why, conversation) => {
    const { violations, inconclusive } = judged(conversation.frames);
    expect(violations).toEqual([]);
    expect(inconclusive).toEqual([expect.stringMatching(why)]);
  });

  it('is the same connection where an Acknowledge names a packet that has not come yet', () => {
    const conversation = begun()
      .request('SEND_ONLY', 0, { ackReq: true, ...bytes(16) })
      .ack(3, 4)
      .request('SEND_ONLY', 1, { ackReq: true, ...bytes(32) });
    expect(found(conversation)).toEqual(['rc-repeat-same']);
  });

  it('is in doubt where a packet that came too early may be a copy', () => {
    const { violations, inconclusive } = judged(refused(20, 60_000).frames);
    expect(violations).toEqual([]);
    expect(inconclusive).toEqual([
      expect.stringMatching(/^qp 0x000011 at 10\.0\.0\.1: PSN 20 once more .* rc-rnr-wait/),
    ]);
  });
});

describe('responses in a capture', () => {
  const read = (dmaLen: number): Conversation =>
    begun()
      .request('SEND_FIRST', 4, full)
      .request('SEND_LAST', 5, { ...full, ackReq: true })
      .ack(5, 5)
      .request('RDMA_READ_REQUEST', 6, reth(dmaLen));
  const aeth = { syndrome: 0x1f, msn: 6 };
  const faults: [string, string, Conversation][] = [
    [
      'a READ response Last before the end',
      'rc-read-executed',
      read(3072)
        .response('RDMA_READ_RESPONSE_FIRST', 6, { aeth, ...full })
        .response('RDMA_READ_RESPONSE_LAST', 7, { aeth, ...full }),
    ],
    [
      'a READ response that is too short',
      'rc-read-executed',
      read(2048)
        .response('RDMA_READ_RESPONSE_FIRST', 6, { aeth, ...full })
        .response('RDMA_READ_RESPONSE_LAST', 7, { aeth, ...bytes(512) }),
    ],
    [
      'a READ response to a SEND',
      'rc-response-unasked',
      begun()
        .request('SEND_ONLY', 4, { ackReq: true, ...bytes(8) })
        .response('RDMA_READ_RESPONSE_ONLY', 4, { aeth, ...bytes(8) }),
    ],
    [
      'an ATOMIC answered with another value the second time',
      'rc-atomic-data',
      begun()
        .request('FETCH_ADD', 4, { atomicEth })
        .response('ATOMIC_ACKNOWLEDGE', 4, { aeth: { syndrome: 0x1f, msn: 5 }, atomicOriginal: 5n })
        .request('FETCH_ADD', 4, { atomicEth })
        .response('ATOMIC_ACKNOWLEDGE', 4, { aeth: { syndrome: 0x1f, msn: 5 }, atomicOriginal: 6n }),
    ],
  ];
  it.each(faults)('%s breaks %s', (_, rule, conversation) => {
    expect(found(conversation)).toEqual([rule]);
  });

  const atomic = begun()
    .request('FETCH_ADD', 4, { atomicEth })
    .response('ATOMIC_ACKNOWLEDGE', 4, { aeth: { syndrome: 0x1f, msn: 5 }, atomicOriginal: 5n });

  it('that nothing waited for are in doubt behind a pause: a request of another connection may be missing', () => {
    const again = { aeth: { syndrome: 0x1f, msn: 5 }, atomicOriginal: 6n };
    const { violations, inconclusive } = judged(
      atomic.copy().pause(2e6).response('ATOMIC_ACKNOWLEDGE', 4, again).frames,
    );
    expect(violations).toEqual([]);
    expect(inconclusive).toEqual([
      expect.stringMatching(/rc-atomic-data is broken, or the QP has been connected anew$/),
    ]);
    expect(found(atomic.copy().response('ATOMIC_ACKNOWLEDGE', 4, again))).toEqual(['rc-atomic-data']);
  });

  it('that were waited for are judged behind a pause', () => {
    const late = atomic.copy().request('SEND_ONLY', 5, { ackReq: true }).pause(2e6).ack(5, 9);
    expect(found(late)).toEqual(['rc-msn-counts-messages']);
  });

  it('are not from a QP of which nobody asked for such a thing, where there are several', () => {
    const wrong = (before: Conversation, destQp = 0x11): Conversation =>
      before
        .request('SEND_ONLY', 4, { ackReq: true })
        .response('RDMA_READ_RESPONSE_FIRST', 4, { aeth, ...full, destQp });
    // which was told apart before, since its responses go to another QP
    const beside = new Conversation()
      .request('FETCH_ADD', 7, { atomicEth, destQp: 0x23 })
      .response('ATOMIC_ACKNOWLEDGE', 7, { aeth, atomicOriginal: 5n });
    expect(found(wrong(beside, 0x12))).toEqual([]);
    // the capture may lack the requests that the first responses answer
    expect(found(wrong(new Conversation()))).toEqual([]);
    expect(found(wrong(begun()))).toEqual(['rc-response-unasked']);
  });

  // the responder may have taken either
  const disputed: [string, string[], Conversation][] = [
    [
      'a SEND and a READ with the same PSN',
      ['rc-request-target'],
      begun()
        .request('SEND_ONLY', 4, { ackReq: true, ...bytes(8) })
        .ack(4, 4, 0x34)
        .request('RDMA_READ_REQUEST', 4, reth(8))
        .response('RDMA_READ_RESPONSE_ONLY', 4, { aeth: { syndrome: 0x1f, msn: 5 }, ...bytes(8) }),
    ],
    [
      'a READ again for its beginning only',
      ['rc-request-target'],
      read(2048)
        .request('RDMA_READ_REQUEST', 6, reth(1024))
        .response('RDMA_READ_RESPONSE_ONLY', 6, { aeth, ...full }),
    ],
    [
      'requests of two partitions',
      [],
      new Conversation()
        .request('SEND_ONLY', 0, { pkey: 0x1234, ackReq: true, ...bytes(8) })
        .request('SEND_ONLY', 0, { ackReq: true, ...bytes(8) })
        .ack(0, 1),
    ],
  ];
  it.each(disputed)('to %s break no rule by what the other calls for', (_, rules, conversation) => {
    expect(found(conversation)).toEqual(rules);
  });
});
