import { describe, expect, it } from 'vitest';
import { bytes } from '../trace/packets.ts';
import { RcTrace } from '../trace/rc.ts';

const some = { payload: bytes(16, 0), ackReq: true };

/** A SEND is sent to a port without a link. */
function lost(header = {}): RcTrace {
  const trace = new RcTrace({}, { judged: /^rc-responder\//, doubts: ['notJudged'], header });
  return trace.recv().settle().link(false).to('SEND_ONLY', 0, some);
}

describe('requests that are sent to a port without a link', () => {
  it('never come', () => {
    expect(lost().settle().broken()).toEqual([]);
    expect(lost().received(1, 16).settle().broken()).toEqual(['rc-receive-undue']);
  });

  it('leave the expected PSN as it was', () => {
    const again = (): RcTrace => lost().settle().link(true).settle().to('SEND_ONLY', 0, some);
    expect(again().ack(0, 1).received(1, 16).settle().broken()).toEqual([]);
    expect(again().ack(0, 0).settle().broken()).not.toEqual([]);
    const ahead = lost().settle().link(true).settle().to('SEND_ONLY', 1, some);
    expect(ahead.settle().broken()).toEqual(['rc-request-ahead']);
  });

  it('may have come where times are not exact', () => {
    const given = ['a QP that a packet was sent to while the link was down'];
    expect(lost({ clock: 'real' }).received(1, 16).settle().broken()).toEqual(given);
  });
});
