import { describe, expect, it } from 'vitest';
import { bytes } from '../trace/packets.ts';
import { RcTrace } from '../trace/rc.ts';
import { VerbsTrace } from './trace.ts';

describe('IBV_EVENT_SQ_DRAINED before the Acknowledge', () => {
  const drains = (): RcTrace =>
    new RcTrace().posts('IBV_WR_SEND').sends(0).enter('SQD', { en_sqd_async_notify: true });

  it('is too early, though nothing but packets comes until both have come', () => {
    const early = drains().event('IBV_EVENT_SQ_DRAINED').acked(0).sent(1).settle();
    expect(early.broken()).toEqual(['drained-too-early']);
    const late = drains().acked(0).event('IBV_EVENT_SQ_DRAINED').sent(1).settle();
    expect(late.broken()).toEqual([]);
  });

  it('may have been behind it where the recorder stood still', () => {
    const either = drains().stall(5000).event('IBV_EVENT_SQ_DRAINED').acked(0).sent(1).settle();
    expect(either.broken()).toEqual([]);
  });

  it('may be of the drain before, where the QP sends again', () => {
    const again = drains().acked(0).sent(1).enter('RTS').posts('IBV_WR_SEND').sends(1);
    expect(again.event('IBV_EVENT_SQ_DRAINED').acked(1).sent(2).settle().broken()).toEqual([]);
  });
});

describe('IBV_EVENT_COMM_EST of a UC QP before its first packet', () => {
  const waits = (): VerbsTrace => new VerbsTrace({ service: 'UC', state: 'RTR' }).recv();
  const sent = (trace: VerbsTrace): VerbsTrace => trace.to('SEND_ONLY', 0, { payload: bytes(8) });

  it('is too early', () => {
    const early = sent(waits().event('IBV_EVENT_COMM_EST')).received(1, 8).settle();
    expect(early.broken()).toEqual(['established-unreliable-undue']);
    const late = sent(waits()).event('IBV_EVENT_COMM_EST').received(1, 8).settle();
    expect(late.broken()).toEqual([]);
  });
});
