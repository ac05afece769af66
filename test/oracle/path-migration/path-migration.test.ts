import { describe, expect, it } from 'vitest';
import type { MigState } from '../../../spec/verbs.ts';
import { reth, type Fields } from '../trace/packets.ts';
import { RcTrace, T } from '../trace/rc.ts';

const alternate = '10.0.0.3';

/** A QP in REARM. */
function rearmed(): RcTrace {
  const alt_ah_attr = { dgid: '00000000000000000000ffff0a000003', sgid_index: 0 };
  return new RcTrace().modify({ alt_ah_attr, alt_timeout: 14, path_mig_state: 'IBV_MIG_REARM' });
}

function write(trace: RcTrace, at: number, fields: Fields = {}): RcTrace {
  return trace.to('RDMA_WRITE_ONLY', at, reth(4), { payload: new Uint8Array(4) }, fields);
}

function answer(trace: RcTrace, at: number, msn: number, fields: Fields = {}): RcTrace {
  return trace.ack(at, msn, undefined, fields);
}

/** A QP in ARMED, at rest; its second packet comes next. */
function armed(): RcTrace {
  return answer(write(rearmed(), 0, { migReq: false }), 0, 1, { migReq: false }).settle();
}

function told(trace: RcTrace, path_mig_state: MigState): RcTrace {
  return trace.call({ call: 'query_qp', qp: 1, attr: { qp_state: 'IBV_QPS_RTS', path_mig_state } });
}

describe('a responder with an alternate path', () => {
  it('sends MigReq 1 as long as it is MIGRATED, and 0 from REARM on', () => {
    const plain = (migReq: boolean) => answer(write(new RcTrace(), 0), 0, 1, { migReq }).settle();
    expect(plain(true).broken()).toEqual([]);
    expect(plain(false).broken()).toEqual(['rc-mig-req-migrated']);
    expect(armed().broken()).toEqual([]);
    const wrong = answer(write(rearmed(), 0), 0, 1, { migReq: true }).settle();
    expect(wrong.broken()).toEqual(['rc-mig-req-armed']);
  });

  it('is armed by a packet with MigReq 0 only', () => {
    expect(told(armed(), 'IBV_MIG_ARMED').broken()).toEqual([]);
    expect(told(armed(), 'IBV_MIG_REARM').broken()).toEqual(['rc-migration-arms']);
    const waits = () => answer(write(rearmed(), 0), 0, 1, { migReq: false }).settle();
    expect(told(waits(), 'IBV_MIG_REARM').broken()).toEqual([]);
    expect(told(waits(), 'IBV_MIG_ARMED').broken()).toEqual(['rc-migration-waits']);
  });

  it('follows its peer to the alternate path, answers there and tells software', () => {
    const asked = () => write(armed(), 1, { srcIp: alternate });
    const follows = () => answer(asked(), 1, 2, { dstIp: alternate });
    expect(told(follows().event('IBV_EVENT_PATH_MIG').settle(), 'IBV_MIG_MIGRATED').broken()).toEqual([]);
    expect(told(follows().settle(), 'IBV_MIG_MIGRATED').broken()).toEqual(['rc-migration-announced']);
    const stays = answer(asked(), 1, 2).event('IBV_EVENT_PATH_MIG').settle();
    expect(stays.broken()).toEqual(['rc-response-addressee']);
    expect(asked().settle().broken()).toContain('rc-migration-announced');
    // the answer of a request that came before the packet that migrates may have been addressed already
    const both = () => write(write(armed(), 1, { migReq: false }), 2, { srcIp: alternate });
    const left = (former: Fields, later: Fields): string[] =>
      answer(answer(both(), 1, 2, former), 2, 3, later)
        .event('IBV_EVENT_PATH_MIG')
        .settle()
        .broken();
    const [old, next] = [{ migReq: false }, { dstIp: alternate }];
    expect(left(old, next)).toEqual([]);
    expect(left(next, next)).toEqual([]);
    expect(left(old, {})).toEqual(['rc-response-addressee']);
    expect(left({}, next)).not.toEqual([]);
    // what comes by the old path then comes from an address that it is not connected to
    const again = follows().event('IBV_EVENT_PATH_MIG').settle();
    expect(write(again, 2).settle().broken()).toEqual([]);
  });

  it('refuses to migrate to another path, and tells software', () => {
    const asked = () => write(armed(), 1);
    expect(told(asked().event('IBV_EVENT_PATH_MIG_ERR').settle(), 'IBV_MIG_ARMED').broken()).toEqual([]);
    expect(asked().settle().broken()).toEqual(['rc-migration-refusal-announced']);
    expect(told(asked().event('IBV_EVENT_PATH_MIG_ERR').settle(), 'IBV_MIG_MIGRATED').broken()).toEqual([
      'rc-migration-refused',
    ]);
    const heeded = answer(asked(), 1, 2, { migReq: false }).event('IBV_EVENT_PATH_MIG_ERR').settle();
    expect(heeded.broken()).not.toEqual([]);
    const twice = write(asked(), 1).event('IBV_EVENT_PATH_MIG_ERR').settle();
    expect(twice.broken()).toEqual([]);
  });

  it('goes to its alternate path when software says so', () => {
    const called = () =>
      armed().modify({ path_mig_state: 'IBV_MIG_MIGRATED' }).event('IBV_EVENT_PATH_MIG').settle();
    const goesOn = answer(write(called(), 1, { srcIp: alternate }), 1, 2, { dstIp: alternate }).settle();
    expect(goesOn.broken()).toEqual([]);
    // the event may come before the call has returned
    const early = armed().event('IBV_EVENT_PATH_MIG').modify({ path_mig_state: 'IBV_MIG_MIGRATED' }).settle();
    expect(early.broken()).toEqual([]);
    expect(told(called(), 'IBV_MIG_ARMED').broken()).toEqual(['rc-migration-called']);
  });
});

describe('a requester that sends again while its QP follows its peer', () => {
  const send = (trace: RcTrace, fields: Fields): RcTrace =>
    trace.from('SEND_ONLY', 0, { payload: new Uint8Array(16), ...fields });
  /** The only retry is spent before the QP follows. */
  const followed = (): RcTrace => {
    const alt_ah_attr = { dgid: '00000000000000000000ffff0a000003', sgid_index: 0 };
    const plain = new RcTrace({ retry_cnt: 1 });
    const waits = plain.modify({ alt_ah_attr, alt_timeout: 8, path_mig_state: 'IBV_MIG_REARM' });
    const ready = answer(write(waits, 0, { migReq: false }), 0, 1, { migReq: false }).settle();
    const first = send(ready.posts('IBV_WR_SEND'), { migReq: false }).wait(2 * T);
    const moved = write(send(first, { migReq: false }), 1, { srcIp: alternate });
    return answer(moved, 1, 2, { dstIp: alternate }).event('IBV_EVENT_PATH_MIG').settle();
  };
  const fails = (trace: RcTrace): RcTrace =>
    trace
      .wait(2 * T)
      .done(1, 'IBV_WC_RETRY_EXC_ERR')
      .settle();
  const again = (trace: RcTrace): RcTrace => send(trace.wait(1.5 * T), { dstIp: alternate });

  it('may count its retries anew, or not', () => {
    expect(fails(followed()).broken()).toEqual([]);
    expect(fails(again(followed())).broken()).toEqual([]);
    expect(again(again(followed())).broken()).toContain('rc-retry-exhausted');
  });
});

describe('a requester whose retries are spent', () => {
  const send = (trace: RcTrace, fields: Fields): RcTrace =>
    trace.from('SEND_ONLY', 0, { payload: new Uint8Array(16), ...fields });
  const spent = (): RcTrace => {
    const alt_ah_attr = { dgid: '00000000000000000000ffff0a000003', sgid_index: 0 };
    const waits = new RcTrace({ retry_cnt: 0 }).modify({
      alt_ah_attr,
      alt_timeout: 8,
      path_mig_state: 'IBV_MIG_REARM',
    });
    const ready = answer(write(waits, 0, { migReq: false }), 0, 1, { migReq: false }).settle();
    return send(ready.posts('IBV_WR_SEND'), { migReq: false }).wait(2 * T);
  };

  it('says so with the first packet that goes by the alternate path', () => {
    const told = (fields: Fields): string[] =>
      send(spent(), { dstIp: alternate, ...fields })
        .event('IBV_EVENT_PATH_MIG')
        .settle()
        .broken();
    expect(told({})).toEqual([]);
    expect(told({ migReq: false })).toEqual(['rc-mig-req-migrated']);
  });
});

describe('events of path migration', () => {
  it('may come behind the RESET that has ended the life in which it migrated, until everything has had its time', () => {
    const ended = (): RcTrace =>
      answer(write(armed(), 1, { srcIp: alternate }), 1, 2, { dstIp: alternate }).enter('RESET');
    const late = (): RcTrace => ended().event('IBV_EVENT_PATH_MIG');
    expect(ended().settle().broken()).toEqual([]);
    expect(late().settle().broken()).toEqual([]);
    for (const rested of [ended().settle(), late().settle()])
      expect(rested.event('IBV_EVENT_PATH_MIG').settle().broken()).toEqual(['rc-migration-event-undue']);
    const refused = write(armed(), 1).enter('RESET').event('IBV_EVENT_PATH_MIG_ERR');
    expect(refused.settle().broken()).toEqual([]);
  });

  it('are undue where nothing has migrated', () => {
    const plain = answer(write(new RcTrace(), 0), 0, 1);
    expect(plain.event('IBV_EVENT_PATH_MIG').settle().broken()).toEqual(['rc-migration-event-undue']);
    expect(armed().event('IBV_EVENT_PATH_MIG').settle().broken()).toEqual(['rc-migration-event-undue']);
    expect(armed().event('IBV_EVENT_PATH_MIG_ERR').settle().broken()).toEqual(['rc-migration-event-undue']);
  });
});

describe('an armed QP whose requester is busy', () => {
  it('may have migrated unseen, so that its responder is not judged', () => {
    const busy = armed().send({ sg_list: [], send_flags: [] });
    const { violations, inconclusive } = answer(write(busy, 1, { migReq: false }), 1, 2, {
      dstIp: alternate,
    }).judge();
    expect(violations.filter(({ rule }) => rule.startsWith('rc-'))).toEqual([]);
    expect(inconclusive.some((why) => why.includes('while the path may change'))).toBe(true);
  });
});
