import { describe, expect, it } from 'vitest';
import { encodeSyndrome, nakCodeByName, opcodeByName } from '../../../spec/constants.ts';
import { brisk, CongestionTrace } from './trace.ts';
import { cut, half, line } from './faults.ts';
import { dut, packetFields, region } from '../trace/packets.ts';
import { Trace } from '../trace/trace.ts';

/** Nanoseconds that 1024 bytes take at half of the rate. */
const spacing = 1640;

/** What is wrong with rates; no request has called for the responses. */
function broken(trace: CongestionTrace): string[] {
  return trace.broken().filter((rule) => /^cc-(pace|bytes)/.test(rule));
}

describe('READ responses of a limited QP', () => {
  it('leave no faster than its rate', () => {
    const spaced = (gap: number): string[] => {
      const trace = cut();
      for (let n = 1; n <= 12; n++) trace.at(n * gap).answers(1024);
      return broken(trace);
    };
    expect(spaced(spacing)).toEqual([]);
    expect(new Set(spaced(spacing * 0.6))).toEqual(new Set(['cc-pace-kept-by-reads']));
  });

  it('have the rate to themselves, and so have requests', () => {
    const both = cut();
    for (let n = 1; n <= 12; n++)
      both
        .at(n * spacing)
        .sends(1024)
        .answers(1024);
    expect(broken(both)).toEqual([]);
    expect(broken(cut().answers(1024).answers(1024).sends(1024).sends(1024))).toEqual([]);
  });

  it('leave at any pace where no CNP is heeded', () => {
    const named = new CongestionTrace().cnpArrives();
    for (const trace of [new CongestionTrace(), named])
      expect(broken(trace.answers(1024).answers(1024).answers(1024))).toEqual([]);
  });

  it('may be ahead from before a cut, at the rate of then', () => {
    const trace = cut();
    for (let n = 1; n <= 8; n++) trace.at(n * spacing).answers(1024);
    trace
      .at(20_000)
      .cnpArrives()
      .rate('cnp', half)
      .rate('cut', { ...half, rate: 2.5e9, target: 5e9 });
    expect(broken(trace.at(20_000 + 2 * spacing).answers(1024))).toEqual([]);
  });

  it('may be counted in bytes or not', () => {
    const sent = (answers: number): CongestionTrace => {
      const trace = cut();
      for (let n = 1; n <= answers; n++) trace.at(n * 1600).answers(1024);
      return trace.at(24_000);
    };
    const more = { ...half, rate: 7.5e9 };
    const early = (trace: CongestionTrace): boolean =>
      broken(trace.rate('bytes', more)).includes('cc-bytes-early');
    expect(early(sent(15))).toBe(false);
    expect(early(sent(4))).toBe(true);
    expect(broken(sent(15).at(24_990).settle())).toEqual([]);
  });

  it('are waited for by nobody once the QP has failed', () => {
    const failing = (cnps: number): string[] => {
      const trace = new Trace('RC', {
        header: {
          capabilities: ['rc', 'rcm', 'dcqcn', 'rate-reports'],
          congestion: brisk,
          timing: { responseTime: 1000, jitter: 0 },
        },
        judged: /./,
        pace: { packet: 0, settle: 0 },
        attr: { path_mtu: 1024, timeout: 0, rnr_retry: 7 },
      });
      const cnp = { opcode: opcodeByName('CNP'), psn: 0, migReq: false, trafficClass: 1 };
      for (let n = 0; n < cnps; n++) {
        trace.packet('to-dut', { ...packetFields('RC', 'to-dut', 'SEND_ONLY', 0, {}), ...cnp });
        trace.add({ kind: 'rate', t: 0, record: { qp_num: dut.qp, cause: 'cnp', ...line } });
        trace.add({ kind: 'rate', t: 0, record: { qp_num: dut.qp, cause: 'cut', ...half } });
      }
      const syndrome = encodeSyndrome('nak', nakCodeByName('remote-access-error'));
      return trace
        .send()
        .from('SEND_ONLY', 0, { payload: new Uint8Array(16), ackReq: true, trafficClass: 2 })
        .to('RDMA_READ_REQUEST', 0, { reth: { va: region.addr, rkey: region.rkey, dmaLen: 3000 } })
        .from('RDMA_READ_RESPONSE_FIRST', 0, {
          payload: new Uint8Array(1024),
          aeth: { syndrome: 0x1f, msn: 1 },
          trafficClass: 2,
        })
        .to('ACKNOWLEDGE', 0, { aeth: { syndrome, msn: 0 } })
        .done(1, 'IBV_WC_REM_ACCESS_ERR')
        .settle()
        .broken();
    };
    expect(failing(0)).toEqual(['rc-read-executed']);
    expect(failing(1)).toEqual([]);
  });
});
