import { describe, expect, it, vi } from 'vitest';
import { Judge, loadRules } from '../../../oracle/index.ts';
import { ResponderState } from '../../../oracle/rc-responder/state.ts';
import { decode } from '../../../wire/index.ts';
import { bytes, Conversation, reth } from './conversation.ts';
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

  it('costs little more where nothing was lost', () => {
    const conversation = new Conversation();
    const messages = 1500;
    // what nobody has to acknowledge may be, so that more than one way is open
    for (let i = 0; i < messages; i++) {
      const psn = 5 * i;
      conversation.request('RDMA_WRITE_FIRST', psn, { ...reth(1032), ...bytes(256) });
      for (const middle of [1, 2, 3]) conversation.request('RDMA_WRITE_MIDDLE', psn + middle, bytes(256));
      conversation.request('RDMA_WRITE_LAST', psn + 4, { ackReq: true, ...bytes(8) }).ack(psn + 4, i + 1);
    }
    const clones = vi.spyOn(ResponderState.prototype, 'clone');
    const work = (complete?: { addresses: string[] }): number => {
      clones.mockClear();
      const { exercised } = judged(conversation.frames, complete);
      expect(exercised.get('rc-msn-counts-messages')).toBeGreaterThan(messages / 2);
      return clones.mock.calls.length;
    };
    expect(work({ addresses: [] })).toBeLessThan(4 * work());
    clones.mockRestore();
  });

  it('leaves the packets of the trace as they are', () => {
    const conversation = new Conversation();
    for (let psn = 0; psn < 3000; psn++) {
      conversation.request('SEND_ONLY', psn, { ackReq: true, ...bytes(64) });
      if (psn % 2000 === 0) conversation.ack(psn, psn + 1);
    }
    const judge = new Judge({ sight: { packets: 'mid-path', verbs: false }, clock: 'recorded' }, loadRules());
    const packets = conversation.frames.map(({ t, frame }) => {
      const decoded = decode(frame);
      if (decoded.kind !== 'packet') throw new Error(decoded.reason);
      judge.push({ kind: 'packet', t, direction: 'unknown', packet: decoded.packet, number: 0 });
      return decoded.packet;
    });
    judge.finish();
    expect(packets.map(({ frame }) => frame.length)).toEqual(
      conversation.frames.map(({ frame }) => frame.length),
    );
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
