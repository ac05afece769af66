import { describe, expect, it } from 'vitest';
import { loadRules } from '../../../oracle/index.ts';
import { impactOf } from '../../../report/causes/impact.ts';
import { sampleRule } from '../sample.ts';

describe('the impact of a finding', () => {
  it.each([
    ['hang', 'IBV_WC_SUCCESS of work request 1', 'no completion', 'hang'],
    ['hang', 'IBV_WC_SUCCESS of work request 1', 'IBV_WC_LOC_QP_OP_ERR of work request 1', 'qp-loss'],
    ['wrong-data', 'no receive completion', 'IBV_WC_LOC_QP_OP_ERR of work request 1', 'qp-loss'],
    ['wrong-data', 'no receive completion', 'IBV_WC_SUCCESS of work request 1', 'wrong-data'],
    ['wrong-report', 'no receive completion', 'IBV_WC_LOC_QP_OP_ERR of work request 1', 'wrong-report'],
    ['hang', 'IBV_WC_RETRY_EXC_ERR for wr_id 1000', 'IBV_WC_REM_OP_ERR for wr_id 1000', 'wrong-report'],
    ['wrong-report', 'IBV_WC_RETRY_EXC_ERR for wr_id 1000', 'IBV_WC_SUCCESS for wr_id 1000', 'wrong-report'],
    ['wrong-report', 'IBV_WC_REM_OP_ERR for wr_id 1000', 'IBV_WC_SUCCESS for wr_id 1000', 'wrong-data'],
    ['wrong-report', 'no completion for wr_id 1000', 'IBV_WC_SUCCESS for wr_id 1000', 'wrong-report'],
    ['wrong-data', 'no completion after IBV_EVENT_CQ_ERR', 'IBV_WC_WR_FLUSH_ERR for wr_id 3', 'wrong-report'],
    ['wrong-data', 'no completion after IBV_EVENT_CQ_ERR', 'IBV_WC_SUCCESS for wr_id 3', 'wrong-data'],
    [
      'hang',
      'NAK Remote access error with PSN 0, or Acknowledge of PSN 0',
      'RC ACKNOWLEDGE psn 0 qp 0x7 NAK Invalid request msn 0',
      'wrong-report',
    ],
    [
      'protocol',
      'NAK Remote access error with PSN 0',
      'RC ACKNOWLEDGE psn 0 qp 0x7 NAK Invalid request msn 0',
      'wrong-report',
    ],
    [
      'hang',
      'NAK PSN sequence error with PSN 0',
      'RC ACKNOWLEDGE psn 0 qp 0x7 NAK Invalid request msn 0',
      'hang',
    ],
    [
      'wrong-data',
      'NAK Remote access error with PSN 0',
      'RC ACKNOWLEDGE psn 0 qp 0x7 NAK PSN sequence error msn 0',
      'wrong-data',
    ],
    ['hang', 'NAK Invalid request with PSN 0', 'no response', 'hang'],
    ['security', 'no receive completion', 'IBV_WC_LOC_QP_OP_ERR of work request 1', 'security'],
    ['security', 'NAK Remote access error with PSN 0', 'no response', 'hang'],
    ['security', 'no response', 'RC ACKNOWLEDGE psn 0 ACK msn 1', 'security'],
    ['security', 'NAK Remote access error with PSN 0', 'RC ACKNOWLEDGE psn 0 qp 0x7 ACK msn 1', 'security'],
    [
      'security',
      'NAK Remote access error with PSN 0',
      'RC ACKNOWLEDGE psn 0 qp 0x7 NAK Remote operational error msn 0',
      'wrong-report',
    ],
    [
      'security',
      'NAK Remote access error with PSN 0',
      'RC ACKNOWLEDGE psn 0 qp 0x7 RNR NAK timer 12 (0.64 ms) msn 0',
      'protocol',
    ],
    [
      'security',
      'NAK Remote access error with PSN 0',
      'RC ACKNOWLEDGE psn 0 qp 0x7 NAK PSN sequence error msn 0',
      'protocol',
    ],
    ['security', 'no response', 'RC ACKNOWLEDGE psn 0 qp 0x7 NAK PSN sequence error msn 0', 'security'],
    ['security', 'IBV_WC_MW_BIND_ERR', 'IBV_WC_LOC_QP_OP_ERR for wr_id 1000', 'wrong-report'],
    ['security', 'IBV_WC_MW_BIND_ERR', 'IBV_WC_SUCCESS for wr_id 1000', 'security'],
  ])('of a rule of %s is that of what is seen: %s, %s', (impact, expected, observed, shown) => {
    expect(impactOf({ expected, observed }, sampleRule({ impact }))).toBe(shown);
  });
});

describe('the impact of a rule', () => {
  const judgesIcrc = loadRules().rules.filter(
    ({ id, says }) => id === 'frame-sent-sound' || /right ICRC/.test(says),
  );

  it('is no detail where every peer drops the packet', () => {
    expect(judgesIcrc.length).toBeGreaterThan(5);
    expect(judgesIcrc.filter(({ impact }) => impact === 'header').map(({ id }) => id)).toEqual([]);
  });
});
