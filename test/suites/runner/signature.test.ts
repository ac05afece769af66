import { describe, expect, it } from 'vitest';
import type { TraceEvent, Violation } from '../../../oracle/index.ts';
import type { QpState } from '../../../spec/verbs.ts';
import { findingKey, signatureOf } from '../../../suites/runner/signature.ts';

const created: TraceEvent = {
  kind: 'call',
  t: 0,
  start: 0,
  call: 'create_qp',
  pd: 1,
  qp: 7,
  qp_num: 0x22,
  qp_type: 'IBV_QPT_RC',
  send_cq: 1,
  recv_cq: 1,
  max_recv_wr: 1,
  max_send_wr: 1,
};

function modified(state: QpState): TraceEvent {
  return { kind: 'call', t: 0, start: 0, call: 'modify_qp', qp: 7, attr: { qp_state: state } };
}

function seen(observed: string, events: readonly TraceEvent[]): string {
  const violation: Violation = {
    rule: 'r',
    event: events.length,
    t: 0,
    qp: 'qp 0x000022 at 10.0.0.2',
    expected: 'x',
    observed,
  };
  return signatureOf(violation, [...events, { kind: 'settled', t: 1 }]);
}

describe('the signature of a finding', () => {
  it.each([
    ['RC ACKNOWLEDGE psn 16777213 qp 0x70050a ACK msn 1', 'ACK'],
    ['RC ACKNOWLEDGE psn 19 qp 0x70050e NAK PSN sequence error msn 0', 'NAK PSN sequence error'],
    ['RC RDMA_READ_RESPONSE_LAST psn 14 qp 0x7004fa ACK msn 1 495 bytes', 'READ response ACK'],
    ['RC_COMPARE_SWAP with PSN 14172600', 'request'],
    ['IBV_WC_LOC_QP_OP_ERR for wr_id 1000', 'IBV_WC_LOC_QP_OP_ERR'],
    ['nothing 635 ms after the RNR NAK', 'nothing after the RNR NAK'],
    ['RC ACKNOWLEDGE psn 1 qp 0x1 RNR NAK timer 4 (0.04 ms) msn 0', 'RNR NAK timer'],
    [
      'a frame with a fault: transport (cut short within the RETH: needs 16 bytes, has 4)',
      'a frame with a fault: transport',
    ],
    ['no packet', 'no packet'],
    ['2 packets only', 'packets only'],
    ['no event', 'no event'],
    ['0x8a', 'another value'],
  ])('leaves out of "%s" what differs from case to case', (observed, signature) => {
    expect(seen(observed, [created])).toBe(signature);
  });

  it.each([
    [['RESET', 'INIT', 'RTR', 'RTS'], 'no event'],
    [['INIT', 'RTR', 'RTS', 'SQD'], 'no event, in SQD'],
    [['INIT', 'RTR', 'RTS', 'SQD', 'RTS'], 'no event, after SQD'],
    [['INIT', 'RTR', 'RTS', 'RESET', 'INIT', 'RTR'], 'no event, after RESET'],
    [['INIT', 'RTR', 'ERR'], 'no event, in ERR'],
  ] as const)('tells what software had done with the QP: %s', (states, signature) => {
    const events = states.map((state) => modified(`IBV_QPS_${state}`));
    expect(seen('no event', [created, ...events])).toBe(signature);
    expect(findingKey({ rule: 'r', signature })).toBe(`r (${signature})`);
  });

  it.each([
    ['IBV_WR_RDMA_READ', 'IBV_WC_REM_ACCESS_ERR', 'IBV_WC_SUCCESS of a READ or ATOMIC'],
    ['IBV_WR_SEND', 'no completion', 'IBV_WC_SUCCESS of a SEND or WRITE'],
    ['IBV_WR_SEND', 'IBV_WC_RNR_RETRY_EXC_ERR', 'IBV_WC_SUCCESS of a SEND or WRITE with its retries used up'],
    [
      'IBV_WR_RDMA_READ',
      'IBV_WC_RETRY_EXC_ERR',
      'IBV_WC_SUCCESS of a READ or ATOMIC with its retries used up',
    ],
  ] as const)(
    'tells an answer that came too late from one that never came: %s, %s',
    (opcode, due, signature) => {
      const wr = { wr_id: 1000, opcode, sg_list: [] };
      const posted: TraceEvent = { kind: 'call', t: 0, start: 0, call: 'post_send', qp: 7, wr };
      const wc = { wr_id: 1000, status: 'IBV_WC_SUCCESS', qp_num: 0x22 } as const;
      const violation: Violation = {
        rule: 'r',
        event: 2,
        t: 1,
        qp: 'qp 0x000022 at 10.0.0.2',
        expected: `${due} for ${opcode} wr_id 1000`,
        observed: 'IBV_WC_SUCCESS for wr_id 1000',
      };
      expect(signatureOf(violation, [created, posted, { kind: 'completion', t: 1, cq: 1, wc }])).toBe(
        signature,
      );
    },
  );

  it('looks at the QP that the violation names', () => {
    const other: TraceEvent = { ...created, qp: 8, qp_num: 0x23 };
    expect(seen('no event', [{ ...created, qp: 9 }, other, modified('IBV_QPS_SQD')])).toBe('no event');
  });
});
