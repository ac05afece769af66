import { describe, expect, it } from 'vitest';
import { seenText } from '../../../report/causes/occasion.ts';
import { sampleFailure } from '../sample.ts';

describe('the occasion of a cause', () => {
  const seen = (more: Partial<typeof sampleFailure>): string =>
    seenText({ name: 'x', findings: [{ ...sampleFailure, ...more }] });

  it('stands by itself', () => {
    const nak = 'RC ACKNOWLEDGE psn 7 qp 0x000022 NAK Invalid request msn 0';
    const request = { t: 0, kind: 'to-dut' as const, text: 'RC SEND_ONLY psn 7 qp 0x000011 0 bytes' };
    const answer = { t: 1, kind: 'from-dut' as const, text: nak, guilty: true };
    expect(seen({ observed: nak, ladder: [request, answer] })).toBe('in answer to RC SEND_ONLY');
    const sent = { ...answer, text: 'RC SEND_ONLY psn 7 qp 0x000022 0 bytes' };
    expect(seen({ observed: 'RC_SEND_ONLY', ladder: [sent], signature: 'request, after SQD' })).toBe(
      'RC SEND_ONLY, after SQD',
    );
  });

  it('is the request with the PSN that the answer should have had, where it has another', () => {
    const line = (text: string) => ({ t: 0, kind: 'to-dut' as const, text });
    const ack = (psn: number): string => `RC ACKNOWLEDGE psn ${psn} qp 0x000022 ACK msn 2`;
    const ladder = (psn: number) => [
      line('RC COMPARE_SWAP psn 6 qp 0x000011'),
      line('RC RDMA_READ_REQUEST psn 7 qp 0x000011'),
      line('RC SEND_MIDDLE psn 7 qp 0x000011 512 bytes'),
      { t: 1, kind: 'from-dut' as const, text: ack(psn), guilty: true },
    ];
    const answered = (psn: number, expected: string): string =>
      seen({ expected, observed: ack(psn), ladder: ladder(psn) });
    expect(answered(6, 'Acknowledge of PSN 7 to 8')).toBe('in answer to RC SEND_MIDDLE');
    expect(answered(6, 'Acknowledge of PSN 6 to 8')).toBe('in answer to RC COMPARE_SWAP');
    expect(answered(6, 'Acknowledge of PSN 16777215 to 8')).toBe('in answer to RC COMPARE_SWAP');
  });

  it('is that of what may have written, where memory is wrong', () => {
    const line = (text: string) => ({ t: 0, kind: 'to-dut' as const, text });
    const ladder = [
      line('RC RDMA_WRITE_ONLY psn 0 qp 0x000011 8 bytes'),
      line('RC SEND_ONLY psn 1 qp 0x000011 0 bytes'),
      { t: 1, kind: 'note' as const, text: 'memory of MR 1 read back', guilty: true },
    ];
    expect(seen({ expected: 'byte 8 of region 1 = 0x02', observed: '0x01', ladder })).toBe(
      'after RC RDMA_WRITE_ONLY',
    );
    expect(seen({ expected: 'IBV_EVENT_QP_REQ_ERR', observed: 'no event', ladder })).toBe(
      'after RC SEND_ONLY',
    );
  });

  it('is what the peer refused, where that is what came last', () => {
    const called = { t: 0, kind: 'verbs' as const, text: 'ibv_modify_qp IBV_QPS_SQD' };
    const answer = (text: string) => ({
      t: 1,
      kind: 'to-dut' as const,
      text: `RC ACKNOWLEDGE psn 7 qp 0x000011 ${text} msn 0`,
      guilty: true,
    });
    const owed = { expected: 'packets from PSN 7 on sent again', observed: 'nothing sent again' };
    const after = (text: string): string => seen({ ...owed, ladder: [called, answer(text)] });
    expect(after('NAK PSN sequence error')).toBe('after NAK PSN sequence error');
    expect(after('RNR NAK timer 8 (0.16 ms)')).toBe('after RNR NAK');
    expect(after('NAK Invalid request')).toBe('after NAK Invalid request');
    const value = { expected: 'max_rd_atomic 15', observed: 'max_rd_atomic 16' };
    expect(seen({ ...value, ladder: [called, answer('RNR NAK')] })).toBe('after ibv_modify_qp IBV_QPS_SQD');
    // an answer without a fault is no occasion
    expect(after('ACK')).toBe('after ibv_modify_qp IBV_QPS_SQD');
  });

  it('is nothing where no line says it', () => {
    expect(seen({ ladder: [] })).toBe('');
    expect(seenText({ name: 'x', findings: [] })).toBe('');
  });
});
