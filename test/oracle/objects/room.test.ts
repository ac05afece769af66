import { describe, expect, it } from 'vitest';
import { VerbsTrace, type Setup } from '../verbs/trace.ts';

const asked = { max_send_wr: 4, max_recv_wr: 4, max_send_sge: 2, max_recv_sge: 2, max_inline_data: 16 };

const made = (plan: Setup = {}): VerbsTrace => new VerbsTrace({ capabilities: ['room-reports'], ...plan });

describe('room that a device has made', () => {
  it('is at least what was asked for', () => {
    const cq = (cqe: number): string[] => made().call({ call: 'create_cq', cq: 9, cqe, asked: 8 }).broken();
    expect(cq(8)).toEqual([]);
    expect(cq(9)).toEqual([]);
    expect(cq(7)).toEqual(['create-cq-room']);
    const srq = (max_wr: number, max_sge: number): string[] =>
      made()
        .call({ call: 'create_srq', pd: 1, srq: 9, max_wr, max_sge, asked: { max_wr: 8, max_sge: 2 } })
        .broken();
    expect(srq(8, 2)).toEqual([]);
    expect(srq(7, 2)).toEqual(['create-srq-room']);
    expect(srq(8, 1)).toEqual(['create-srq-room']);
  });

  it('of a QP counts for each queue', () => {
    const qp = (size: object, srq?: boolean): string[] =>
      made({ ...(srq === true && { srq }), size: { ...asked, asked, ...size } }).broken();
    expect(qp({})).toEqual([]);
    for (const key of Object.keys(asked)) expect(qp({ [key]: 1 }), key).toEqual(['create-qp-room']);
    expect(qp({ max_recv_wr: 0, max_recv_sge: 0 }, true)).toEqual([]);
    expect(qp({ max_send_wr: 1 }, true)).toEqual(['create-qp-room']);
  });
});
