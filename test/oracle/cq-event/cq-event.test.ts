import { describe, expect, it } from 'vitest';
import { VerbsTrace } from '../verbs/trace.ts';

class Notified extends VerbsTrace {
  constructor(capabilities = ['cq-events']) {
    super({ service: 'UC', room: 8, capabilities });
    for (let wr = 1; wr <= 4; wr++) this.receives(wr);
    this.settle();
  }

  arm(solicited_only = false): this {
    return this.call({ call: 'req_notify_cq', cq: 1, solicited_only });
  }

  /** A message comes, and software takes its completion. */
  message(wrId: number, at: number, solicited = false): this {
    return this.to('SEND_ONLY', at, { payload: Buffer.alloc(8), solicited }).received(wrId, 8);
  }

  told(): this {
    return this.add({ kind: 'cq-event', t: this.t, cq: 1 });
  }
}

const traced = (): Notified => new Notified();

describe('a completion event', () => {
  it('comes for the next completion, once', () => {
    expect(traced().arm().message(1, 0).told().settle().broken()).toEqual([]);
    expect(traced().arm().message(1, 0).settle().broken()).toEqual(['cq-event-due']);
    expect(traced().arm().message(1, 0).told().message(2, 1).told().settle().broken()).toEqual([
      'cq-event-once',
    ]);
    expect(traced().arm().settle().message(1, 0).settle().broken()).toEqual(['cq-event-due']);
    expect(traced().arm().message(1, 0).told().settle().message(2, 1).settle().broken()).toEqual([]);
    const again = (): Notified => traced().arm().message(1, 0).told().settle().arm();
    expect(again().message(2, 1).settle().broken()).toEqual(['cq-event-due']);
    expect(again().message(2, 1).told().settle().broken()).toEqual([]);
  });

  it('comes once where software asks twice before anything comes', () => {
    const twice = (): Notified => traced().arm().arm().message(1, 0).told();
    expect(twice().settle().broken()).toEqual([]);
    expect(twice().message(2, 1).told().settle().broken()).toEqual(['cq-event-once']);
    // the completion may have come between the calls
    const between = traced()
      .arm()
      .to('SEND_ONLY', 0, { payload: Buffer.alloc(8) });
    expect(between.arm().received(1, 8).told().message(2, 1).told().settle().broken()).toEqual([]);
  });

  it('comes for a solicited message behind others', () => {
    const both = (): Notified => traced().arm(true).message(1, 0).message(2, 1, true);
    expect(both().settle().broken()).toEqual(['cq-event-due-solicited']);
    expect(both().told().settle().broken()).toEqual([]);
    // of two messages one was dropped: nobody knows which
    const dropped = traced().arm(true).message(1, 0).to('SEND_ONLY', 5, { solicited: true });
    expect(dropped.settle().broken()).toEqual([]);
    expect(traced().message(1, 0).arm(true).message(2, 1, true).settle().broken()).toEqual([]);
  });

  it('comes only where software has asked for it', () => {
    expect(traced().message(1, 0).told().settle().broken()).toEqual(['cq-event-unasked']);
    expect(traced().message(1, 0).settle().judge().exercised.get('cq-event-unasked')).toBe(1);
  });

  it('comes for new completions', () => {
    expect(traced().message(1, 0).settle().arm().told().settle().broken()).toEqual(['cq-event-new']);
    expect(traced().arm().told().settle().broken()).toEqual(['cq-event-new']);
  });

  it('may come where nobody knows whether the completion came before the call', () => {
    const open = (): Notified =>
      traced()
        .to('SEND_ONLY', 0, { payload: Buffer.alloc(8) })
        .arm()
        .received(1, 8);
    expect(open().settle().broken()).toEqual([]);
    expect(open().told().settle().broken()).toEqual([]);
    expect(open().settle().message(2, 1).settle().broken()).toEqual(['cq-event-due']);
    // a work request that was posted behind the call completes behind it
    const later = open().posts(9).sent(9);
    expect(later.settle().broken()).toEqual(['cq-event-due']);
  });

  it('comes for solicited completions alone where software says so', () => {
    expect(traced().arm(true).message(1, 0).settle().broken()).toEqual([]);
    expect(traced().arm(true).message(1, 0).told().settle().broken()).toEqual(['cq-event-solicited-only']);
    expect(traced().arm(true).message(1, 0, true).settle().broken()).toEqual(['cq-event-due-solicited']);
    expect(traced().arm(true).message(1, 0, true).told().settle().broken()).toEqual([]);
    expect(traced().arm(true).posts(9).sent(9).told().settle().broken()).toEqual(['cq-event-solicited-only']);
    // a message of each kind: which of them brought the event, nobody knows
    const mixed = (): Notified => traced().arm(true).message(1, 0).message(2, 1, true);
    expect(mixed().told().settle().broken()).toEqual([]);
    expect(mixed().settle().broken()).toEqual(['cq-event-due-solicited']);
  });

  it('comes for errors in any case', () => {
    const failed = (): Notified => traced().arm(true).enter('ERR').flush(1, 2, 3, 4);
    expect(failed().told().settle().broken()).toEqual([]);
    expect(failed().settle().broken()).toEqual(['cq-event-due-error']);
  });

  it('is judged of a device alone that declares it', () => {
    const other = (): Notified => new Notified([]);
    expect(other().arm().message(1, 0).settle().broken()).toEqual([]);
    expect(other().told().settle().broken()).toEqual([]);
  });
});
