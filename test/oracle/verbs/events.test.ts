import { describe, expect, it } from 'vitest';
import { flips } from '../../../oracle/compile/table/flips.ts';
import { withOutcomes } from '../../../oracle/compile/variant.ts';
import type { RuleSet } from '../../../oracle/index.ts';
import { nakCodeByName, type NakCode } from '../../../spec/constants.ts';
import type { EventType, WcStatus } from '../../../spec/verbs.ts';
import { dut, region } from '../trace/packets.ts';
import { rules } from '../trace/trace.ts';
import { VerbsTrace, type Setup } from './trace.ts';

const traced = (setup: Setup = {}): VerbsTrace => new VerbsTrace(setup);
const notify = { en_sqd_async_notify: true };

describe('flushes', () => {
  it('must come when software puts the QP into ERR, in order', () => {
    const failed = (): VerbsTrace =>
      traced().enter('SQD').posts(1).posts(2).receives(8).receives(9).enter('ERR');
    expect(failed().flush(1, 2, 8, 9).settle().broken()).toEqual([]);
    expect(failed().flush(1, 2, 8).settle().broken()).toEqual(['flush-receive-in-error']);
    expect(failed().flush(2, 1, 8, 9).broken()).toContain('completion-in-order');
  });

  it('must have a cause', () => {
    expect(traced().receives(9).flush(9).settle().broken()).toEqual(['flush-uncaused']);
    expect(traced().receives(9).flush(9).event('IBV_EVENT_QP_FATAL').settle().broken()).toEqual([]);
  });

  it('are not owed by a QP that has failed for good', () => {
    for (const service of ['RC', 'UC', 'UD'] as const) {
      const fatal = (): VerbsTrace =>
        traced({ service }).enter('SQD').posts(1).receives(8).receives(9).event('IBV_EVENT_QP_FATAL');
      expect(fatal().settle().broken()).toEqual([]);
      expect(fatal().flush(1, 8).settle().broken()).toEqual([]);
      expect(fatal().settle().receives(10).settle().broken()).toEqual([]);
      // of a status that says the same, no document takes back the guarantee
      const status = traced({ service }).receives(9).posts(1).done(1, 'IBV_WC_FATAL_ERR').settle();
      expect(status.broken()).toEqual(['flush-receive-in-error']);
    }
  });

  it('have one where the device has refused a request for good, though no event says so', () => {
    const answered = (nak: NakCode): string[] => {
      const aeth = { syndrome: 0x60 | nakCodeByName(nak), msn: 0 };
      const trace = traced({ service: 'RC' }).receives(9).from('ACKNOWLEDGE', 0, { aeth });
      return trace.flush(9).settle().broken();
    };
    expect(answered('invalid-request')).toEqual([]);
    expect(answered('psn-sequence-error')).toEqual(['flush-uncaused']);
  });

  it('are none that RESET brings about', () => {
    const reset = (service: 'RC' | 'UC' | 'UD'): VerbsTrace =>
      traced({ service }).posts(1000).receives(9).enter('RESET');
    for (const service of ['RC', 'UC', 'UD'] as const) {
      expect(reset(service).settle().broken()).toEqual([]);
      expect(reset(service).flush(1000).settle().broken()).toEqual(['flush-uncaused']);
      expect(reset(service).flush(9).settle().broken()).toEqual(['flush-uncaused']);
      // it had failed before, as it turns out
      const failed = reset(service).done(1000, 'IBV_WC_LOC_PROT_ERR').flush(9).settle();
      expect(failed.broken()).toEqual([]);
      expect(reset(service).flush(9).event('IBV_EVENT_QP_FATAL').settle().broken()).not.toContain(
        'flush-uncaused',
      );
    }
    const fails = traced({ service: 'RC' }).receives(9).enter('ERR').enter('RESET');
    expect(fails.flush(9).settle().broken()).toEqual([]);
  });

  it('leave an SRQ alone', () => {
    const failed = (): VerbsTrace => traced({ srq: true }).shares(1).shares(2).enter('ERR');
    expect(failed().settle().broken()).toEqual([]);
    expect(failed().flush(1, 2).settle().broken()).toEqual(['flush-shared-receive']);
  });

  it('are not owed where the event of a failure comes behind the RESET that ends it', () => {
    const overtaken = (state: 'RESET' | 'INIT'): VerbsTrace => {
      const trace = traced({ service: 'RC' }).enter('RESET');
      return (state === 'INIT' ? trace.enter(state) : trace).event('IBV_EVENT_QP_REQ_ERR');
    };
    expect(overtaken('RESET').receives(9, 22).state('IBV_QPS_RESET').settle().broken()).toEqual([]);
    expect(overtaken('INIT').receives(9).settle().state('IBV_QPS_INIT').broken()).toEqual([]);
    // of either life: nobody knows
    const anew = (rest: boolean): VerbsTrace => {
      const trace = traced({ service: 'RC' }).restart(0);
      return (rest ? trace.settle() : trace).receives(9).event('IBV_EVENT_QP_REQ_ERR').settle();
    };
    expect(anew(false).broken()).toEqual([]);
    expect(anew(true).broken()).toEqual(['flush-receive-in-error']);
  });

  it('are not owed by a QP in RESET whose CQ has failed: whether it goes to ERR is open', () => {
    const failed = (): VerbsTrace =>
      traced({ service: 'UC' })
        .enter('RESET')
        .settle()
        .event('IBV_EVENT_CQ_ERR', { cq: 1 })
        .event('IBV_EVENT_QP_FATAL')
        .settle();
    for (const state of ['IBV_QPS_RESET', 'IBV_QPS_ERR'] as const)
      expect(failed().state(state).broken()).toEqual([]);
    expect(failed().enter('INIT', {}, 22).broken()).toEqual([]);
  });

  it('are not owed after RESET', () => {
    expect(traced().enter('SQD').posts(1).receives(9).enter('RESET').settle().broken()).toEqual([]);
    expect(traced().enter('ERR').receives(9).enter('RESET').flush(9).settle().broken()).toEqual([]);
  });
});

describe('a completion', () => {
  it.each<[WcStatus, 'RC' | 'UC' | 'UD', 'send' | 'receive', string]>([
    ['IBV_WC_LOC_ACCESS_ERR', 'RC', 'send', 'status-local-access-requester'],
    ['IBV_WC_LOC_ACCESS_ERR', 'UD', 'receive', 'status-local-access-datagram'],
    ['IBV_WC_RETRY_EXC_ERR', 'UC', 'send', 'status-remote-unreliable-requester'],
    ['IBV_WC_REM_OP_ERR', 'RC', 'receive', 'status-remote-responder'],
    ['IBV_WC_REM_INV_REQ_ERR', 'UC', 'receive', 'status-remote-responder'],
    ['IBV_WC_REM_ABORT_ERR', 'UC', 'send', 'status-abort-requester'],
    ['IBV_WC_REM_ABORT_ERR', 'RC', 'receive', 'status-abort-reliable'],
    ['IBV_WC_INV_EECN_ERR', 'RC', 'send', 'status-of-rd'],
    ['IBV_WC_RESP_TIMEOUT_ERR', 'RC', 'send', 'status-response-timeout'],
    ['IBV_WC_ANYTHING', 'RC', 'send', 'status-known'],
  ])('with %s has no place at %s, %s', (status, service, side, rule) => {
    const trace = traced({ service });
    if (side === 'send') trace.posts(1);
    else trace.receives(1);
    expect(trace.done(1, status).broken()).toEqual([rule]);
  });

  it('names a work request of the QP that it names', () => {
    expect(
      traced().posts(1).done(1, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_SEND', qp_num: 0x99 }).broken(),
    ).toEqual(['completion-attributed']);
    expect(traced({ packets: 'none' }).posts(1).done(7).broken()).toEqual(['completion-attributed']);
  });

  it('of an aborted receive leaves the QP as it is', () => {
    const aborted = traced({ service: 'UC', srq: true, capabilities: ['srq-abort'] }).shares(1);
    expect(aborted.done(1, 'IBV_WC_REM_ABORT_ERR').settle().state('IBV_QPS_ERR').broken()).toEqual([
      'state-after-abort',
    ]);
  });
});

describe('an event', () => {
  it.each<[EventType, object, string]>([
    ['IBV_EVENT_QP_FATAL', {}, 'event-of-qp'],
    ['IBV_EVENT_QP_REQ_ERR', { qp_num: 0x11 }, 'event-of-reliable-elsewhere'],
    ['IBV_EVENT_PATH_MIG', { qp_num: 0x11 }, 'event-of-connected-elsewhere'],
    ['IBV_EVENT_COMM_EST', {}, 'event-established'],
    ['IBV_EVENT_CQ_ERR', {}, 'event-of-cq'],
    ['IBV_EVENT_SRQ_LIMIT_REACHED', {}, 'event-of-srq'],
    ['IBV_EVENT_PORT_ERR', { qp_num: 0x11 }, 'event-of-port'],
    ['IBV_EVENT_SOMETHING', {}, 'event-known'],
  ])('%s that names %o is out of place', (type, names, rule) => {
    expect(traced().event(type, names).settle().broken()).toContain(rule);
  });

  it('of path migration comes from a UC QP only where there is another path', () => {
    const alt_ah_attr = { dgid: '00000000000000000000ffff0a000003', sgid_index: 0 };
    const plain = traced({ service: 'UC' }).event('IBV_EVENT_PATH_MIG');
    expect(plain.settle().broken()).toEqual(['event-of-unreliable-only-path']);
    const other = traced({ service: 'UC' }).modify({ alt_ah_attr }).event('IBV_EVENT_PATH_MIG');
    expect(other.settle().broken()).toEqual([]);
  });

  it('names a QP that the device has, or has had', () => {
    const named = (setup: Setup, qp_num: number): VerbsTrace =>
      traced(setup).event('IBV_EVENT_QP_FATAL', { qp_num });
    expect(named({}, 0x99).settle().broken()).toEqual(['event-names-known-qp']);
    // on a real clock others may have QPs
    expect(
      named({ header: { clock: 'real' } }, 0x99)
        .settle()
        .broken(),
    ).toEqual([]);
    const gone = traced().call({ call: 'destroy_qp', qp: 1 }).event('IBV_EVENT_QP_FATAL');
    expect(gone.settle().broken()).not.toContain('event-names-known-qp');
  });

  it('may be of a type that is newer than the list', () => {
    expect(traced().event('IBV_EVENT_UNKNOWN_20').settle().broken()).toEqual([]);
    expect(traced().event('IBV_EVENT_UNKNOWN_19').settle().broken()).toEqual(['event-known']);
  });

  it('of the device that says that it is dead ends what it owes', () => {
    const drains = (): VerbsTrace => traced({ service: 'RC' }).enter('SQD', notify);
    expect(drains().settle().broken()).toEqual(['drained']);
    expect(drains().event('IBV_EVENT_DEVICE_FATAL', {}).settle().broken()).toEqual([]);
  });

  it('of an object that the trace does not know is nobody’s', () => {
    expect(traced().event('IBV_EVENT_CQ_ERR', { cq: 77 }).settle().broken()).toEqual([]);
  });
});

describe('IBV_EVENT_SQ_DRAINED', () => {
  const drained = (trace: VerbsTrace): VerbsTrace => trace.event('IBV_EVENT_SQ_DRAINED');

  it('comes if asked for, once', () => {
    const rc = (): VerbsTrace => traced({ service: 'RC' });
    expect(drained(rc().enter('SQD', notify)).settle().broken()).toEqual([]);
    expect(rc().enter('SQD', notify).settle().broken()).toEqual(['drained']);
    expect(drained(rc().enter('SQD')).broken()).toEqual(['drained-undue']);
    // it may be seen late
    for (const state of ['RTS', 'ERR'] as const) {
      const left = (): VerbsTrace => rc().enter('SQD', notify).enter(state);
      expect(drained(left()).settle().broken()).toEqual([]);
      expect(drained(drained(left())).settle().broken()).toEqual(['drained-undue']);
      expect(drained(left().settle()).broken()).toEqual(['drained-undue']);
    }
    const again = rc().enter('SQD', notify).enter('RTS').enter('SQD', notify);
    expect(drained(drained(again)).settle().broken()).toEqual([]);
    expect(drained(drained(rc().enter('SQD', notify)).settle()).broken()).toEqual(['drained-again']);
    expect(
      drained(drained(rc().enter('SQD', notify)).enter('RTS').enter('SQD', notify))
        .settle()
        .broken(),
    ).toEqual([]);
  });

  it('noted while the call was on its way belongs to the call', () => {
    const trace = traced({ service: 'RC' });
    const t = ++trace.t;
    trace.event('IBV_EVENT_SQ_DRAINED');
    const attr = { qp_state: 'IBV_QPS_SQD', ...notify } as const;
    trace.add({ kind: 'call', t: ++trace.t, start: t, call: 'modify_qp', qp: 1, attr });
    expect(trace.settle().broken()).toEqual([]);
  });

  it('need not come of UC and UD', () => {
    expect(traced().enter('SQD', notify).settle().broken()).toEqual([]);
  });
});

describe('IBV_EVENT_QP_LAST_WQE_REACHED', () => {
  const last = (trace: VerbsTrace): VerbsTrace => trace.event('IBV_EVENT_QP_LAST_WQE_REACHED');
  const received = (posted: number): VerbsTrace => {
    const trace = traced({ srq: true });
    for (let n = 1; n <= posted; n++) trace.shares(n);
    return trace.done(1, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_RECV' });
  };

  it('comes once the QP is in ERR', () => {
    expect(last(received(2).enter('ERR')).settle().broken()).toEqual([]);
    expect(received(2).enter('ERR').settle().broken()).toEqual(['last-wqe-completed']);
    expect(received(1).enter('ERR').settle().broken()).toEqual(['last-wqe-srq-empty']);
    expect(
      last(last(received(2).enter('ERR')))
        .settle()
        .broken(),
    ).toEqual(['last-wqe-again']);
    expect(last(received(2)).settle().broken()).toEqual(['last-wqe-undue']);
    expect(last(traced().enter('ERR')).settle().broken()).toEqual(['last-wqe-undue']);
  });

  it('is not undue of a QP that is in ERR, though nothing else tells of its failure', () => {
    const early = () => last(received(2)).settle();
    expect(early().state('IBV_QPS_ERR').broken()).toEqual(['state-kept-by-verbs']);
    expect(early().state('IBV_QPS_RTS').broken()).toEqual(['last-wqe-undue']);
    // software's own call does not make it due afterwards
    expect(early().enter('ERR').state('IBV_QPS_ERR').broken()).toContain('last-wqe-undue');
  });

  it('has come for a QP of UC that a receive may have failed before software asked for ERR', () => {
    const failed = (): VerbsTrace => {
      const trace = traced({ service: 'UC', srq: true }).shares(1).shares(2).shares(3);
      const taken = trace.done(1, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_RECV' });
      return last(taken).done(2, 'IBV_WC_LOC_PROT_ERR').settle();
    };
    expect(failed().enter('ERR').settle().broken()).toEqual([]);
    expect(last(failed().enter('ERR')).settle().broken()).toEqual(['last-wqe-again']);
  });

  it('stands behind the last receive completion of the QP, as far as software has looked', () => {
    const polled = (trace: VerbsTrace, by = 0): VerbsTrace => {
      const event = { event_type: 'IBV_EVENT_QP_LAST_WQE_REACHED', qp_num: dut.qp } as const;
      return trace.add({ kind: 'async', t: trace.t, event, polled: trace.t + by });
    };
    const flushed = (trace: VerbsTrace): string[] =>
      trace
        .at(trace.t + 100)
        .done(2, 'IBV_WC_WR_FLUSH_ERR')
        .settle()
        .broken();
    const broken = 'completion-behind-last-wqe';
    const failed = (): VerbsTrace => received(3).enter('ERR');
    expect(flushed(polled(failed(), 1000))).toEqual([]);
    expect(flushed(polled(failed()))).toEqual([broken]);
    expect(flushed(last(failed()))).toEqual([]);
    // the next life has an event of its own, which may fail to come
    const fails = (trace: VerbsTrace): VerbsTrace =>
      trace.enter('RESET').enter('INIT').enter('RTR').enter('RTS').enter('ERR');
    expect(flushed(fails(polled(failed()).settle()))).not.toContain(broken);
    // and this one may be of the life before
    expect(flushed(polled(fails(failed())))).not.toContain(broken);
  });

  it('may be of the life that RESET has just ended, though nothing has reported its failure', () => {
    const reset = (): VerbsTrace => received(4).enter('RESET');
    const connected = (trace: VerbsTrace): VerbsTrace => trace.enter('INIT').enter('RTR');
    expect(last(connected(reset())).settle().broken()).not.toContain('last-wqe-undue');
    expect(last(connected(reset().settle())).settle().broken()).toContain('last-wqe-undue');
    // the failure of this life may be told of after its event
    const failsAfter = (trace: VerbsTrace): string[] =>
      trace
        .done(2, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_RECV' })
        .done(3, 'IBV_WC_LOC_QP_OP_ERR')
        .settle()
        .broken();
    const absent = 'last-wqe-completed';
    expect(failsAfter(connected(reset()))).toContain(absent);
    expect(failsAfter(last(connected(reset())))).not.toContain(absent);
    // once everything has been at rest, it was of the life before
    expect(failsAfter(last(connected(reset())).settle())).toContain(absent);
    // this one may have been of the life before, and the next of this one
    expect(failsAfter(last(last(connected(reset()))))).not.toContain('last-wqe-again');
  });

  it('need not come of a QP that has never received', () => {
    expect(traced({ srq: true }).enter('ERR').settle().broken()).toEqual([]);
  });
});

describe('IBV_EVENT_COMM_EST of a UC QP', () => {
  const received = (): VerbsTrace =>
    traced({ service: 'UC', state: 'RTR' }).receives(1).done(1, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_RECV' });

  it('comes with the first message in RTR, once', () => {
    expect(received().settle().broken()).toEqual(['established-unreliable']);
    expect(received().event('IBV_EVENT_COMM_EST').event('IBV_EVENT_COMM_EST').settle().broken()).toContain(
      'established-unreliable-undue',
    );
    expect(traced({ service: 'UC', state: 'RTR' }).event('IBV_EVENT_COMM_EST').broken()).toEqual([
      'established-unreliable-undue',
    ]);
  });
});

describe('guard bytes', () => {
  it('are zero', () => {
    const read = (offset: number, value: number): string[] =>
      traced()
        .memory(offset, Uint8Array.of(0, value, 0, 0))
        .broken();
    expect(read(-4, 0)).toEqual([]);
    expect(read(-4, 1)).toEqual(['guard-untouched']);
    expect(read(region.length, 1)).toEqual(['guard-untouched']);
    expect(read(region.length - 4, 1)).toEqual([]);
    expect(read(region.length - 1, 1)).toEqual(['guard-untouched']);
  });
});

describe('one word changed in the YAML', () => {
  const changed = (rule: string, key: string, to: string): RuleSet => {
    const flip = flips(rules).find((f) => f.rule === rule && f.key === key && f.to === to);
    if (flip === undefined) throw new Error(`no flip of ${rule} sets ${key} to ${to}`);
    return withOutcomes(rules, flip);
  };
  const found = (trace: VerbsTrace, set: RuleSet): string[] =>
    trace.judge(set).violations.map(({ rule }) => rule);

  it('changes what is judged', () => {
    const early = (): VerbsTrace => traced({ state: 'RTR' }).posts(1, {}, 22);
    expect(found(early(), rules)).toEqual([]);
    expect(found(early(), changed('post-send-too-early', 'result', 'accepted'))).toEqual([
      'post-send-too-early',
    ]);
    const failed = (): VerbsTrace =>
      traced().posts(1, { raw_opcode: 99 }).done(1, 'IBV_WC_LOC_QP_OP_ERR').settle().state('IBV_QPS_SQE');
    const others = changed('state-after-failed-send', 'stateAfter', 'ERR');
    expect(found(failed(), rules)).not.toContain('state-after-failed-send');
    expect(found(failed(), others)).toContain('state-after-failed-send');
    // of RC, other rules miss attributes of the calls that these traces leave out
    const silent = traced({ service: 'RC' }).enter('SQD', notify).settle();
    expect(found(silent, changed('drained', 'mustRaise', 'may'))).not.toContain('drained');
  });
});
