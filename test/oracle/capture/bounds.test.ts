import { describe, expect, it } from 'vitest';
import { Conversation } from './conversation.ts';
import { judged } from './point.ts';

describe('what is outstanding in a capture', () => {
  it('is bounded for one QP, which is said', () => {
    const conversation = new Conversation();
    const count = 20_000;
    for (let psn = 0; psn < count; psn++) conversation.request('SEND_ONLY', psn, { ackReq: true });
    // what is too old is no longer tied to a request, and the newest still is
    conversation.ack(10, 11).ack(count - 1, count);
    const { violations, notJudged, inconclusive, exercised } = judged(conversation.frames);
    expect([violations, inconclusive]).toEqual([[], []]);
    expect(Object.fromEntries(notJudged)).toEqual({
      'requests that are not answered before 4096 others have come': 3 * 4096,
      'responses to requests that the capture does not hold': 1,
    });
    expect(exercised.get('rc-msn-counts-messages')).toBe(1);
  });

  it('is bounded in QPs, which is said', () => {
    const conversation = new Conversation();
    const open = 16_384;
    for (let i = 0; i <= open; i++)
      conversation.request('SEND_ONLY', 7 * i, { destQp: 0x100 + i, ackReq: true });
    const { violations, notJudged } = judged(conversation.frames);
    expect(violations).toEqual([]);
    const [closed] = [...notJudged].filter(([why]) => why.startsWith('connections that were quiet'));
    expect(closed?.[1]).toBeGreaterThan(open / 2 - 2);
  });
});
