import { describe, expect, it } from 'vitest';
import { judgeTrace, loadRules } from '../../../oracle/index.ts';
import type { Judgement, VerbsCall } from '../../../oracle/index.ts';
import type { MigState } from '../../../spec/verbs.ts';
import type { PacketFields } from '../../../wire/index.ts';
import { regionAddress, regionKey, TraceBuilder } from '../trace-builder.ts';

const rules = loadRules();
const alternate = '10.0.0.3';
const judged = (trace: TraceBuilder): Judgement => judgeTrace(trace.header, trace.events, rules);
const violated = (trace: TraceBuilder): string[] =>
  judged(trace)
    .violations.map(({ rule }) => rule)
    .filter((rule) => !rule.startsWith('qp-'));

function call(trace: TraceBuilder, made: VerbsCall): TraceBuilder {
  const t = trace.events.at(-1)?.t ?? 0;
  trace.events.push({ kind: 'call', t, start: t, ...made });
  return trace;
}

function modify(trace: TraceBuilder, path_mig_state: MigState): TraceBuilder {
  return call(trace, { call: 'modify_qp', qp: 1, attr: { path_mig_state } });
}

/** A QP in REARM. */
function rearmed(): TraceBuilder {
  return call(new TraceBuilder(), {
    call: 'modify_qp',
    qp: 1,
    attr: {
      alt_ah_attr: { dgid: '00000000000000000000ffff0a000003', sgid_index: 0 },
      alt_timeout: 14,
      path_mig_state: 'IBV_MIG_REARM',
    },
  });
}

function write(trace: TraceBuilder, psn: number, fields: Partial<PacketFields>): TraceBuilder {
  const reth = { va: regionAddress, rkey: regionKey, dmaLen: 4 };
  return trace.request('RDMA_WRITE_ONLY', psn, { reth, payload: new Uint8Array(4), ...fields });
}

function answer(trace: TraceBuilder, psn: number, msn: number, fields: Partial<PacketFields>): TraceBuilder {
  return trace.response('ACKNOWLEDGE', psn, { aeth: { syndrome: 0x1f, msn }, ...fields });
}

/** A QP in ARMED, at rest; PSN 101 comes next. */
function armed(): TraceBuilder {
  return answer(write(rearmed(), 100, { migReq: false }), 100, 1, { migReq: false }).settle();
}

function told(trace: TraceBuilder, path_mig_state: MigState): TraceBuilder {
  return call(trace, { call: 'query_qp', qp: 1, attr: { qp_state: 'IBV_QPS_RTS', path_mig_state } });
}

describe('a responder with an alternate path', () => {
  it('sends MigReq 1 as long as it is MIGRATED, and 0 from REARM on', () => {
    const plain = (migReq: boolean) =>
      answer(write(new TraceBuilder(), 100, {}), 100, 1, { migReq }).settle();
    expect(violated(plain(true))).toEqual([]);
    expect(violated(plain(false))).toEqual(['rc-mig-req-migrated']);
    expect(violated(armed())).toEqual([]);
    const wrong = answer(write(rearmed(), 100, {}), 100, 1, { migReq: true }).settle();
    expect(violated(wrong)).toEqual(['rc-mig-req-armed']);
  });

  it('is armed by a packet with MigReq 0 only', () => {
    expect(violated(told(armed(), 'IBV_MIG_ARMED'))).toEqual([]);
    expect(violated(told(armed(), 'IBV_MIG_REARM'))).toEqual(['rc-migration-arms']);
    const waits = () => answer(write(rearmed(), 100, {}), 100, 1, { migReq: false }).settle();
    expect(violated(told(waits(), 'IBV_MIG_REARM'))).toEqual([]);
    expect(violated(told(waits(), 'IBV_MIG_ARMED'))).toEqual(['rc-migration-waits']);
  });

  it('follows its peer to the alternate path, answers there and tells software', () => {
    const asked = () => write(armed(), 101, { srcIp: alternate });
    const follows = () => answer(asked(), 101, 2, { dstIp: alternate });
    expect(violated(told(follows().event('IBV_EVENT_PATH_MIG').settle(), 'IBV_MIG_MIGRATED'))).toEqual([]);
    expect(violated(told(follows().settle(), 'IBV_MIG_MIGRATED'))).toEqual(['rc-migration-announced']);
    const stays = answer(asked(), 101, 2, {}).event('IBV_EVENT_PATH_MIG').settle();
    expect(violated(stays)).toEqual(['rc-response-addressee']);
    expect(violated(asked().settle())).toContain('rc-migration-announced');
    // what comes by the old path then comes from an address that it is not connected to
    const again = follows().event('IBV_EVENT_PATH_MIG').settle();
    expect(violated(write(again, 102, {}).settle())).toEqual([]);
  });

  it('refuses to migrate to another path, and tells software', () => {
    const asked = () => write(armed(), 101, {});
    expect(violated(told(asked().event('IBV_EVENT_PATH_MIG_ERR').settle(), 'IBV_MIG_ARMED'))).toEqual([]);
    expect(violated(asked().settle())).toEqual(['rc-migration-refusal-announced']);
    expect(violated(told(asked().event('IBV_EVENT_PATH_MIG_ERR').settle(), 'IBV_MIG_MIGRATED'))).toEqual([
      'rc-migration-refused',
    ]);
    const heeded = answer(asked(), 101, 2, { migReq: false }).event('IBV_EVENT_PATH_MIG_ERR').settle();
    expect(violated(heeded)).not.toEqual([]);
    const twice = write(asked(), 101, {}).event('IBV_EVENT_PATH_MIG_ERR').settle();
    expect(violated(twice)).toEqual([]);
  });

  it('goes to its alternate path when software says so', () => {
    const called = () => modify(armed(), 'IBV_MIG_MIGRATED').event('IBV_EVENT_PATH_MIG').settle();
    const goesOn = answer(write(called(), 101, { srcIp: alternate }), 101, 2, { dstIp: alternate }).settle();
    expect(violated(goesOn)).toEqual([]);
    // the event may come before the call has returned
    const early = modify(armed().event('IBV_EVENT_PATH_MIG'), 'IBV_MIG_MIGRATED').settle();
    expect(violated(early)).toEqual([]);
    expect(violated(told(called(), 'IBV_MIG_ARMED'))).toEqual(['rc-migration-called']);
  });
});

describe('events of path migration', () => {
  it('are undue where nothing has migrated', () => {
    const plain = answer(write(new TraceBuilder(), 100, {}), 100, 1, {});
    expect(violated(plain.event('IBV_EVENT_PATH_MIG').settle())).toEqual(['rc-migration-event-undue']);
    expect(violated(armed().event('IBV_EVENT_PATH_MIG').settle())).toEqual(['rc-migration-event-undue']);
    expect(violated(armed().event('IBV_EVENT_PATH_MIG_ERR').settle())).toEqual(['rc-migration-event-undue']);
  });
});

describe('an armed QP whose requester is busy', () => {
  it('may have migrated unseen, so that its responder is not judged', () => {
    const wr = { wr_id: 9, opcode: 'IBV_WR_SEND' as const, sg_list: [], send_flags: [] };
    const busy = call(armed(), { call: 'post_send', qp: 1, wr });
    const { violations, inconclusive } = judged(
      answer(write(busy, 101, { migReq: false }), 101, 2, { dstIp: alternate }),
    );
    expect(violations.filter(({ rule }) => rule.startsWith('rc-'))).toEqual([]);
    expect(inconclusive.some((why) => why.includes('while the path may change'))).toBe(true);
  });
});
