import { describe, expect, it } from 'vitest';
import type { QpAttr } from '../../../spec/verbs.ts';
import { peer } from '../trace/packets.ts';
import { RcTrace } from '../trace/rc.ts';
import { Trace } from '../trace/trace.ts';

const set = {
  timeout: 14,
  retry_cnt: 7,
  rnr_retry: 6,
  min_rnr_timer: 12,
  max_rd_atomic: 1,
  max_dest_rd_atomic: 4,
  path_mtu: 256,
} as const;

/** A QP in RTS with these attributes, and calls on it. */
class Calls extends RcTrace {
  constructor() {
    super(set, { judged: /\/(?!rc-)/ });
  }

  query(attr: QpAttr = {}): this {
    const told = { qp_state: 'IBV_QPS_RTS', dest_qp_num: peer.qp, ...set, ...attr } as const;
    return this.call({ call: 'query_qp', qp: 1, attr: told });
  }

  limits(max_qp_rd_atom: number, max_qp_init_rd_atom: number, local_ca_ack_delay = 4): this {
    const attr = { max_qp: 64, max_qp_rd_atom, max_qp_init_rd_atom, local_ca_ack_delay };
    return this.call({ call: 'query_device', attr });
  }
}

const sqd: QpAttr = { qp_state: 'IBV_QPS_SQD' };

describe('ibv_modify_qp', () => {
  it('without fault breaks nothing', () => {
    const calls = new Calls().modify({ min_rnr_timer: 0 }).query({ min_rnr_timer: 0 });
    expect(calls.modify(sqd).settle().modify({ timeout: 31, retry_cnt: 0 }).broken()).toEqual([]);
  });

  it.each<[string, QpAttr, string]>([
    ['a state that cannot follow', { qp_state: 'IBV_QPS_RTR' }, 'qp-modify-no-transition'],
    ['a parameter of the requester', { retry_cnt: 3 }, 'qp-modify-foreign-requester-attribute'],
    ['a parameter of the responder', { rq_psn: 3 }, 'qp-modify-foreign-responder-attribute'],
    ['another attribute', { path_mtu: 512 }, 'qp-modify-foreign-attribute'],
    [
      'min_rnr_timer on the way to ERR',
      { qp_state: 'IBV_QPS_ERR', min_rnr_timer: 1 },
      'qp-modify-foreign-min-rnr-timer',
    ],
  ])('with %s must fail, and should with EINVAL', (_, attr, rule) => {
    expect(new Calls().modify(attr).broken()).toEqual([rule]);
    expect(new Calls().modify(attr, 95).broken()).toEqual(['qp-modify-refused-errno']);
    expect(new Calls().modify(attr, 22).query().broken()).toEqual([]);
  });

  it('that is right must not fail', () => {
    expect(new Calls().modify({ min_rnr_timer: 5 }, 22).broken()).toEqual([
      'qp-responder-parameters-accepted',
    ]);
    expect(new Calls().modify({ min_rnr_timer: 31 }, 22).broken()).toEqual([
      'qp-min-rnr-timer-bounds-accepted',
    ]);
    expect(new Calls().modify(sqd, 22).broken()).toEqual(['qp-modify-to-sqd-accepted']);
    const reset = { qp_state: 'IBV_QPS_RESET' } as const;
    expect(new Calls().modify(reset, 22).broken()).toEqual(['qp-modify-plain-accepted']);
    expect(new Calls().modify({}, 22).modify({}).broken()).toEqual([]);
  });

  it('says what it expected and saw', () => {
    const [violation] = new Calls().modify({ qp_state: 'IBV_QPS_RTR', rq_psn: 5 }).judge().violations;
    expect(violation).toMatchObject({
      expected: 'ibv_modify_qp in RTS with qp_state RTR, rq_psn 5 fails',
      observed: 'it succeeds',
    });
  });

  it('in SQD may fail until the QP is known to have drained', () => {
    const change = { retry_cnt: 3 };
    expect(new Calls().modify(sqd).modify(change, 22).broken()).toEqual([]);
    expect(new Calls().modify(sqd).settle().modify(change, 22).broken()).toEqual([
      'qp-requester-parameters-accepted',
    ]);
    const told: QpAttr = { ...sqd, en_sqd_async_notify: true };
    expect(new Calls().modify(told).event('IBV_EVENT_SQ_DRAINED').modify(change, 22).broken()).toEqual([
      'qp-requester-parameters-accepted',
    ]);
  });

  it('in SQD may fail where the QP drained while the call was under way', () => {
    const told: QpAttr = { ...sqd, en_sqd_async_notify: true };
    const drained = (): Calls => new Calls().modify(told).event('IBV_EVENT_SQ_DRAINED');
    const back = { call: 'modify_qp', qp: 1, attr: { qp_state: 'IBV_QPS_RTS' } } as const;
    const refused = (calls: Calls, start: number): string[] => {
      const attempted = { kind: 'call-failed', call: back.call, errno: 22, attempted: back } as const;
      return calls.add({ ...attempted, t: calls.t + 100, start }).broken();
    };
    const before = drained();
    expect(refused(before, before.t - 10)).toEqual([]);
    const behind = drained().wait(10);
    expect(refused(behind, behind.t)).toEqual(['qp-modify-plain-accepted']);
  });

  it('in SQD may fail however long one waits, where posted work may be under way', () => {
    const calls = new Calls().send({ sg_list: [], send_flags: [] }).modify(sqd);
    calls.settle().query({ qp_state: 'IBV_QPS_SQD' });
    expect(calls.modify({ retry_cnt: 3 }, 22).broken()).toEqual([]);
  });

  it('that names a state is told, not judged, where the QP is in another', () => {
    const attr = { qp_state: 'IBV_QPS_RTS', cur_qp_state: 'IBV_QPS_SQD' } as const;
    const { violations, observed } = new Calls().modify(attr).modify(attr, 22).judge();
    expect(violations).toEqual([]);
    expect(Object.fromEntries(observed.get('qp-modify-named-state-wrong') ?? [])).toEqual({
      accepted: 1,
      refused: 1,
    });
  });

  it('is not judged once packets may have put the QP into ERR, until a query tells its state', () => {
    const calls = new Calls().to('SEND_ONLY', 0);
    expect(calls.modify({ qp_state: 'IBV_QPS_RTR' }, 1).broken()).toEqual([]);
    expect(calls.query().modify({ qp_state: 'IBV_QPS_RTR' }).broken()).toEqual(['qp-modify-no-transition']);
  });
});

describe('depths', () => {
  const change = (attr: QpAttr, errno?: number): Calls =>
    new Calls().limits(4, 8).modify(sqd).settle().modify(attr, errno);
  it('up to the limits of the device are taken, others refused', () => {
    expect(change({ max_dest_rd_atomic: 4, max_rd_atomic: 8 }).broken()).toEqual([]);
    expect(change({ max_dest_rd_atomic: 4 }, 22).broken()).toEqual(['qp-responder-parameters-accepted']);
    expect(change({ max_dest_rd_atomic: 5 }).broken()).toEqual(['qp-max-dest-rd-atomic-beyond-limit']);
    expect(change({ max_rd_atomic: 9 }).broken()).toEqual(['qp-max-rd-atomic-beyond-limit']);
  });
  it('are not judged where the limits are not known', () => {
    const calls = new Calls().modify(sqd).settle();
    expect(calls.modify({ max_rd_atomic: 9 }).modify({ max_rd_atomic: 9 }, 22).broken()).toEqual([]);
  });
});

describe('ibv_query_qp', () => {
  it.each<[string, QpAttr, string]>([
    ['timeout', { timeout: 15 }, 'qp-query-timeout'],
    ['retry_cnt', { retry_cnt: 6 }, 'qp-query-retry-cnt'],
    ['rnr_retry', { rnr_retry: 7 }, 'qp-query-rnr-retry'],
    ['min_rnr_timer', { min_rnr_timer: 11 }, 'qp-query-min-rnr-timer'],
    ['max_rd_atomic', { max_rd_atomic: 2 }, 'qp-query-max-rd-atomic'],
    ['max_dest_rd_atomic', { max_dest_rd_atomic: 3 }, 'qp-query-max-dest-rd-atomic'],
    ['dest_qp_num', { dest_qp_num: 1 }, 'qp-query-other'],
  ])('gives the %s that was set', (_, attr, rule) => {
    expect(new Calls().query(attr).broken()).toEqual([rule]);
  });
  const init = { qp_state: 'IBV_QPS_INIT', port_num: 1, pkey_index: 0 } as const;
  const rtr = { qp_state: 'IBV_QPS_RTR', rq_psn: 5, dest_qp_num: peer.qp, max_dest_rd_atomic: 1 } as const;
  const anew = (rights: QpAttr['qp_access_flags'] = []): Calls =>
    new Calls()
      .modify({ qp_state: 'IBV_QPS_RESET' })
      .modify({ ...init, qp_access_flags: rights })
      .modify({ ...rtr, path_mtu: 256, min_rnr_timer: 12 });
  const told = (attr: QpAttr, calls = anew(['IBV_ACCESS_REMOTE_READ'])): string[] =>
    calls
      .call({ call: 'query_qp', qp: 1, attr: { ...rtr, path_mtu: 256, min_rnr_timer: 12, ...attr } })
      .broken()
      .filter((rule) => rule.startsWith('qp-query-'));

  it('gives the first PSN until a packet has come', () => {
    expect(told({ rq_psn: 5 })).toEqual([]);
    expect(told({ rq_psn: 6 })).toEqual(['qp-query-psn']);
    expect(told({ rq_psn: 6 }, anew().to('SEND_ONLY', 5))).toEqual([]);
  });

  it('gives port, P_Key and the rights of the far end', () => {
    expect(told({ port_num: 1, pkey_index: 0, qp_access_flags: ['IBV_ACCESS_REMOTE_READ'] })).toEqual([]);
    expect(told({ port_num: 0 })).toEqual(['qp-query-port']);
    expect(told({ pkey_index: 1 })).toEqual(['qp-query-port']);
    expect(told({ qp_access_flags: [] })).toEqual(['qp-query-rights']);
    // what the far end may do is asked for, and not what software may
    expect(told({ qp_access_flags: ['IBV_ACCESS_REMOTE_READ', 'IBV_ACCESS_LOCAL_WRITE'] })).toEqual([]);
  });

  it('may give a larger max_dest_rd_atomic', () => {
    expect(new Calls().query({ max_dest_rd_atomic: 8 }).broken()).toEqual([]);
  });
  it('may give a timeout raised to the minimum of the device', () => {
    const raised = (minTimeout: number): string[] => {
      const calls = new Calls().query({ timeout: 16 });
      calls.header.limits = { maxDestRdAtomic: 16, minTimeout };
      return calls.judge().violations.map(({ rule }) => rule);
    };
    expect(raised(16)).toEqual([]);
    expect(raised(1)).toEqual(['qp-query-timeout']);
  });
  it('gives nothing that is too wide, whatever the call took', () => {
    const taken = (): Calls => new Calls().modify(sqd).settle().modify({ retry_cnt: 8 });
    expect(taken().query({ qp_state: 'IBV_QPS_SQD', retry_cnt: 8 }).broken()).toEqual([
      'qp-query-retry-cnt-beyond-range',
    ]);
    expect(taken().query({ qp_state: 'IBV_QPS_SQD', retry_cnt: 0 }).broken()).toEqual([]);
  });
  it('may give the timeout of the alternate path, to which the QP may have migrated', () => {
    const ah = { dgid: '00000000000000000000ffff0a000003', sgid_index: 0 };
    const calls = new Calls().modify({ alt_ah_attr: ah, alt_timeout: 17, path_mig_state: 'IBV_MIG_REARM' });
    expect(calls.query({ timeout: 17 }).query().broken()).toEqual([]);
    expect(calls.query({ timeout: 18 }).broken()).toEqual(['qp-query-timeout']);
  });
  it('after RESET is not held to what was set before', () => {
    const calls = new Calls().modify({ qp_state: 'IBV_QPS_RESET' });
    expect(calls.query({ qp_state: 'IBV_QPS_RESET', timeout: 0, retry_cnt: 0 }).broken()).toEqual([]);
  });
});

describe('ibv_query_device', () => {
  it('gives a local_ca_ack_delay of five bits', () => {
    expect(new Calls().limits(4, 4, 31).broken()).toEqual([]);
    expect(new Calls().limits(4, 4, 32).broken()).toEqual(['device-local-ca-ack-delay']);
  });
});

describe('ibv_query_qp of a UC or UD QP', () => {
  const gives = (service: 'UC' | 'UD', told: QpAttr, state?: 'INIT' | 'RTR' | 'RTS'): string[] => {
    const trace = new Trace(service, { judged: /^attributes\//, ...(state && { state }) });
    const attr: QpAttr = { qp_state: `IBV_QPS_${state ?? 'RTS'}`, ...told };
    return trace.call({ call: 'query_qp', qp: 1, attr }).broken();
  };
  const ofUc = {
    path_mtu: 256,
    dest_qp_num: peer.qp,
    rq_psn: 100,
    sq_psn: 100,
    port_num: 1,
    pkey_index: 0,
  } as const;
  const ofUd = { qkey: 0x1111, sq_psn: 100, port_num: 1, pkey_index: 0 } as const;

  it('gives what was set, and may give what the service has no use for', () => {
    expect(gives('UC', { ...ofUc, timeout: 3, max_rd_atomic: 9, qkey: 5 })).toEqual([]);
    expect(gives('UD', { ...ofUd, path_mtu: 4096, dest_qp_num: 5, rq_psn: 7 })).toEqual([]);
    for (const state of ['INIT', 'RTR'] as const) {
      expect(
        gives('UC', { port_num: 1, pkey_index: 0, path_mtu: state === 'INIT' ? 4096 : 256 }, state),
      ).toEqual([]);
      expect(gives('UD', { qkey: 0x1111 }, state)).toEqual([]);
    }
  });

  it.each<['UC' | 'UD', QpAttr, string]>([
    ['UC', { path_mtu: 512 }, 'qp-query-other'],
    ['UC', { dest_qp_num: 1 }, 'qp-query-other'],
    ['UC', { rq_psn: 101 }, 'qp-query-psn'],
    ['UC', { sq_psn: 101 }, 'qp-query-psn'],
    ['UC', { port_num: 2 }, 'qp-query-port'],
    ['UC', { qp_access_flags: ['IBV_ACCESS_REMOTE_READ'] }, 'qp-query-rights'],
    ['UD', { qkey: 0x1112 }, 'qp-query-qkey'],
    ['UD', { sq_psn: 101 }, 'qp-query-psn'],
    ['UD', { pkey_index: 3 }, 'qp-query-port'],
  ])('of %s that gives %o gives something else', (service, told, rule) => {
    expect(gives(service, told)).toEqual([rule]);
  });
});
