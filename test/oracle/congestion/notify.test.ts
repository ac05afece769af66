import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { opcodeByName } from '../../../spec/constants.ts';
import type { PacketFields } from '../../../wire/packet.ts';
import { dut, peer } from '../trace/packets.ts';
import { brisk, CongestionTrace, responseTime } from './trace.ts';

const { interval } = brisk.cnp;

describe('a marked packet', () => {
  it.each(['RC', 'UC', 'UD'] as const)('of %s is told of by a CNP', (service) => {
    const told = new CongestionTrace({ service }).at(10).arrives(3).cnp().at(5000).settle();
    expect(told.broken()).toEqual([]);
    const silent = new CongestionTrace({ service }).at(10).arrives(3).at(5000).settle();
    expect(silent.broken()).toEqual(['cc-cnp-due']);
  });

  it('draws a CNP as a response as well', () => {
    const ack = {
      opcode: opcodeByName('RC_ACKNOWLEDGE'),
      aeth: { syndrome: 0x1f, msn: 0 },
      payload: new Uint8Array(),
    };
    expect(new CongestionTrace().arrives(3, ack).at(5000).settle().broken()).toEqual(['cc-cnp-due']);
    expect(new CongestionTrace().arrives(3, ack).cnp().at(5000).settle().broken()).toEqual([]);
  });

  it('owes nothing where the device declares no RCM', () => {
    const trace = new CongestionTrace({ capabilities: ['rc'] }).arrives(3).at(5000).settle();
    expect(trace.broken()).toEqual([]);
  });

  it('may stay untold for an interval after the link has changed: a CNP may have left unseen', () => {
    const back = (after: number): CongestionTrace =>
      new CongestionTrace()
        .at(10)
        .link(false)
        .link(true)
        .at(10 + after)
        .arrives(3)
        .at(10 * interval)
        .settle();
    expect(back(interval - 1).broken()).toEqual([]);
    expect(back(interval + 1).broken()).toEqual(['cc-cnp-due']);
  });

  it('of a QP that fails at once may stay untold', () => {
    const trace = new CongestionTrace().at(10).arrives(3).at(20);
    trace.event('IBV_EVENT_QP_ACCESS_ERR').at(5000).settle();
    expect(trace.broken()).toEqual([]);
  });

  it('is told of at once where the pacer is free', () => {
    const late = new CongestionTrace()
      .at(10)
      .arrives(3)
      .at(11 + responseTime)
      .cnp()
      .settle();
    expect(late.broken()).toEqual(['cc-cnp-prompt']);
  });
});

describe('no CNP is drawn', () => {
  it.each([
    ['cc-no-cnp-unmarked', (t: CongestionTrace) => t.arrives(2)],
    ['cc-no-cnp-unmarked', (t: CongestionTrace) => t.arrives(0)],
    ['cc-no-cnp-for-fecn', (t: CongestionTrace) => t.arrives(2, { fecn: true })],
    ['cc-no-cnp-for-broken', (t: CongestionTrace) => t.arrives(3, { icrcXor: 1 })],
    ['cc-no-cnp-for-broken', (t: CongestionTrace) => t.arrives(3, { destQp: 0x99 })],
    ['cc-no-cnp-for-foreign', (t: CongestionTrace) => t.frame(3)],
  ] as const)('%s', (rule, draw) => {
    expect(draw(new CongestionTrace()).at(5000).settle().broken()).toEqual([]);
    expect(draw(new CongestionTrace()).at(100).cnp().settle().broken()).toEqual([rule]);
  });

  it('by a CNP that met congestion', () => {
    const told = { rate: brisk.lineRate, target: brisk.lineRate, alpha: 1 };
    const arrived = (): CongestionTrace =>
      new CongestionTrace().cnpArrives({ trafficClass: 3 }).rate('cnp', told);
    expect(arrived().at(5000).settle().broken()).toEqual([]);
    expect(arrived().at(100).cnp().settle().broken()).toEqual(['cc-no-cnp-for-cnp']);
  });

  it('by packets that have been told of', () => {
    const trace = new CongestionTrace().arrives(3).cnp().at(5000).settle().at(interval).cnp().settle();
    expect(trace.broken()).toEqual(['cc-cnp-combined']);
  });
});

describe('CNPs of one pacer', () => {
  it('keep the interval, to the nanosecond', () => {
    const spaced = (gap: number): string[] =>
      new CongestionTrace().arrives(3).cnp().at(gap).arrives(3).cnp().settle().broken();
    expect(spaced(interval - 1)).toEqual(['cc-cnp-spaced']);
    expect(spaced(interval)).toEqual([]);
  });

  it('may make up for what came within it, or not', () => {
    const within = (): CongestionTrace =>
      new CongestionTrace().arrives(3).cnp().at(4000).arrives(3).at(6000).settle();
    expect(within().broken()).toEqual([]);
    expect(within().at(interval).cnp().settle().broken()).toEqual([]);
  });

  it.each([
    ['qp', 0],
    ['source', 1],
    ['port', 1],
  ] as const)('serve what the scope says: %s', (scope, wrong) => {
    const profile = { ...brisk, cnp: { interval, scope } };
    const trace = new CongestionTrace({ profile }).qp({ qp: 2, number: 0x12, peer: 0x23 });
    trace.arrives(3).cnp().arrives(3, { destQp: 0x12 }).cnp({ destQp: 0x23 }).settle();
    expect(trace.broken()).toHaveLength(wrong);
  });

  it('are one per interval however packets come', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 40 }), (gaps) => {
        // a notification point of another make: at once, or when the interval is over
        const trace = new CongestionTrace();
        let [t, last, waits] = [0, -interval, false];
        for (const gap of gaps) {
          if (waits && last + interval <= t + gap) {
            last += interval;
            trace.at(last).cnp();
            waits = false;
          }
          t += gap;
          trace.at(t).arrives(3);
          if (t - last >= interval) {
            last = t;
            trace.cnp();
          } else waits = true;
        }
        expect(
          trace
            .at(t + 2000)
            .settle()
            .broken(),
        ).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the format of a CNP', () => {
  it.each([
    ['cc-cnp-header', { solicited: true }],
    ['cc-cnp-header', { migReq: true }],
    ['cc-cnp-header', { fecn: true }],
    ['cc-cnp-header', { ackReq: true }],
    ['cc-cnp-header', { psn: 5 }],
    ['cc-cnp-header', { tver: 1 }],
    ['cc-cnp-header', { resv6: 1 }],
    ['cc-cnp-header', { resv7: 1 }],
    ['cc-cnp-becn', { becn: false }],
    ['cc-cnp-pkey', { pkey: 0x7fff }],
    ['cc-cnp-qp', { destQp: 0x23 }],
    ['cc-cnp-address', { dstIp: '10.0.0.3' }],
    ['cc-cnp-body', { payload: new Uint8Array(16).fill(1) }],
    ['cc-cnp-body', { payload: new Uint8Array(12) }],
    ['cc-cnp-icrc', { icrcXor: 1 }],
    ['cc-cnp-ect', { trafficClass: 0 }],
  ] as [string, Partial<PacketFields>][])('%s: %j', (rule, fields) => {
    expect(new CongestionTrace().arrives(3).cnp(fields).at(5000).settle().broken()).toEqual([rule]);
  });

  it('has the P_Key of a marked packet that names a limited member, or that of its QP', () => {
    const answered = (pkey: number): string[] =>
      new CongestionTrace().arrives(3, { pkey: 0x7fff }).cnp({ pkey }).at(5000).settle().broken();
    expect(answered(0x7fff)).toEqual([]);
    expect(answered(0xffff)).toEqual([]);
    expect(answered(0x1234)).toEqual(['cc-cnp-pkey']);
  });

  it('says nothing of congestion that it met', () => {
    const trace = new CongestionTrace().arrives(3).cnp({ trafficClass: 3 }).at(5000).settle();
    expect(trace.broken()).toEqual(['cc-cnp-not-ce', 'cc-cnp-ect']);
  });

  it('is judged in a capture as far as it does not change on the way', () => {
    const judged = (fields: Partial<PacketFields>): string[] => {
      const { events, header } = new CongestionTrace().cnp(fields);
      const captured = new CongestionTrace();
      captured.events.splice(0, Infinity, ...events.filter(({ kind }) => kind === 'packet'));
      Object.assign(captured.header, { sight: { packets: 'mid-path', verbs: false }, clock: 'recorded' });
      delete captured.header.dut;
      delete captured.header.capabilities;
      expect(header.dut).toBeDefined();
      return captured.broken();
    };
    expect(judged({ trafficClass: 3, dstIp: '10.0.0.9' })).toEqual([]);
    expect(judged({ becn: false })).toEqual(['cc-cnp-becn']);
  });
});

describe('what the device sends', () => {
  it('is ECT(0), acknowledgements aside, which are not CE', () => {
    const ack = {
      opcode: opcodeByName('RC_ACKNOWLEDGE'),
      aeth: { syndrome: 0x1f, msn: 0 },
      payload: new Uint8Array(),
    };
    expect(new CongestionTrace().sends(8).broken()).toEqual([]);
    for (const trafficClass of [0, 1, 3])
      expect(new CongestionTrace().sends(8, { trafficClass }).broken()).toEqual(['cc-ect0-sent']);
    expect(new CongestionTrace().sends(0, { ...ack, trafficClass: 0 }).broken()).toEqual([]);
    expect(new CongestionTrace().sends(0, { ...ack, trafficClass: 3 }).broken()).toEqual(['cc-ce-not-sent']);
  });
});

describe('CNPs and the transport services', () => {
  const line = { rate: brisk.lineRate, target: brisk.lineRate, alpha: 1 };
  it('do not meet', () => {
    const trace = new CongestionTrace().arrives(2, { psn: 0, ackReq: true }).arrives(3, { psn: 1 });
    const { violations, inconclusive } = trace.cnp().cnpArrives().rate('cnp', line).judge();
    expect(violations).toEqual([]);
    expect(inconclusive).toEqual([]);
  });

  it('meet where a CNP is answered like a packet', () => {
    const ack = {
      opcode: opcodeByName('RC_ACKNOWLEDGE'),
      aeth: { syndrome: 0x60, msn: 0 },
      payload: new Uint8Array(),
    };
    const trace = new CongestionTrace()
      .cnpArrives()
      .rate('cnp', line)
      .at(10)
      .sends(0, { ...ack, psn: 0 });
    expect(trace.broken()).toEqual(['cc-cnp-consumed']);
  });

  it('of a device without RCM take one for a foreign packet', () => {
    const trace = new CongestionTrace({ capabilities: ['rc'] }).cnpArrives().at(5000).settle();
    expect(trace.judge().violations).toEqual([]);
    expect(peer.qp).not.toBe(dut.qp);
  });
});
