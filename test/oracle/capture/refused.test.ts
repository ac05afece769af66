import { describe, expect, it } from 'vitest';
import { Conversation } from './conversation.ts';
import { judged } from './point.ts';

const rnr = 0x20 | 12;

describe('an RNR NAK at the beginning of a capture', () => {
  it('tells the expected PSN, also where the request that it refused comes again unseen', () => {
    const conversation = new Conversation();
    const asked = { ackReq: true, payload: new Uint8Array(16) };
    conversation.request('SEND_ONLY', 7, asked).request('SEND_ONLY', 8, asked).ack(7, 0, rnr);
    // PSN 7 has come once more, and the capture lacks it
    conversation.pause(1e6).request('SEND_ONLY', 8, asked).ack(7, 1).ack(8, 2);
    expect(judged(conversation.frames).violations).toEqual([]);
  });
});
