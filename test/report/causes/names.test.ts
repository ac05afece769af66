import { describe, expect, it } from 'vitest';
import { recordedRuns } from '../../../scripts/findings/runs.ts';
import { causesOf } from '../../../report/causes/causes.ts';
import type { RunResult } from '../../../report/results.ts';
import { sampleFailure, sampleRule, sampleRun } from '../sample.ts';

interface Part {
  rule: string;
  expected: string;
  observed: string;
}

const runOf = (parts: readonly Part[]): RunResult =>
  sampleRun({
    rules: parts.map(({ rule: id }) => sampleRule({ id, verdict: 'fail', violations: 1 })),
    failures: parts.map((part) => ({ ...sampleFailure, ...part, signature: 's', also: [] })),
  });

describe('names of causes', () => {
  it('say of a completion that it comes after one was lost', () => {
    const expected = 'no completion after IBV_EVENT_CQ_ERR';
    const [cause] = causesOf(runOf([{ rule: 'a', expected, observed: 'IBV_WC_WR_FLUSH_ERR for wr_id 3' }]));
    expect(cause?.name).toBe('completion after IBV_EVENT_CQ_ERR');
  });

  it('are words', () => {
    const names = causesOf(
      runOf([
        {
          rule: 'a',
          expected: 'NAK Invalid request with PSN 8388606',
          observed: 'RC ACKNOWLEDGE psn 8388606 qp 0x70 NAK Remote operational error msn 0',
        },
        {
          rule: 'b',
          expected: 'no response',
          observed: 'RC ACKNOWLEDGE psn 19 qp 0x70050e NAK PSN sequence error msn 0',
        },
        { rule: 'c', expected: 'IBV_EVENT_COMM_EST', observed: 'no event' },
        {
          rule: 'd',
          expected: 'NAK PSN sequence error with PSN 0',
          observed: 'RC ACKNOWLEDGE psn 1 qp 0x700001 NAK PSN sequence error msn 0',
        },
      ]),
    ).map(({ name }) => name);
    expect(names).toEqual([
      'NAK Remote operational error instead of NAK Invalid request',
      'unexpected NAK PSN sequence error',
      'missing IBV_EVENT_COMM_EST',
      'NAK PSN sequence error with another PSN',
    ]);
  });

  it.each([
    ['byte 512 of region 17588 = 0x19', '0x8a', 'another byte of memory'],
    ['payload byte 0 = 168', '112', 'another byte of payload'],
    [
      'NAK Remote access error with PSN 7, or Acknowledge of PSN 7 or 8',
      'RC ACKNOWLEDGE psn 7 qp 0x700001 NAK Invalid request msn 0',
      'NAK Invalid request instead of NAK Remote access error',
    ],
    [
      'at 0x1000000000, rkey 0x1172, operands 0, 5',
      'at 0x1000000008, rkey 0x1172, operands 0, 5',
      'another place in memory, R_Key or operands',
    ],
    ['packets from PSN 5 on sent again', 'nothing 640 ms after the RNR NAK', 'missing retransmission'],
    [
      'the next packet of the QP at 2.5 Gb/s within 21.094 us',
      'none within 22 us',
      'missing the next packet of the QP',
    ],
    ['a cut for the CNP within 20.000 us', 'none within 46 us', 'missing cut for the CNP'],
    ['an increase after 16384 bytes', 'none within 46 us', 'missing increase'],
    ['1 packet of work request 1002', 'no packet', 'missing packet'],
    ['3 packets of work request 1002', 'no packet', 'missing packet'],
    ['PSN 7 sent, or the failure of its work request', 'nothing more was sent', 'missing packet'],
    ['state RTS: nothing says that it has failed', 'state ERR', 'state ERR instead of state RTS'],
    ['retry_cnt of 0..7', 'retry_cnt 255', 'retry_cnt beyond 0..7'],
    ['max_rd_atomic 123', 'max_rd_atomic 128', 'another max_rd_atomic'],
    ['MigReq 1 in MIGRATED', 'MigReq 0', 'MigReq 0 instead of MigReq 1'],
    ['MSN 1', 'MSN 0', 'another MSN'],
    ['PSN 16777215 or 0', 'ORC ACKNOWLEDGE psn 1 qp 0x11 ACK msn 1 trigger 0', 'another PSN'],
    ['addressed to qp 7 at fd00::2', 'addressed to qp 17 at fd00::2', 'addressed to another QP'],
    ['addressed to qp 7 at fd00::2', 'addressed to qp 7 at 10.0.0.2', 'addressed to another address'],
    ['RNR NAK timer 12 (0.64 ms) with PSN 0', 'no response', 'missing RNR NAK'],
    [
      'all 1 packet of work request 1000 before its completion',
      'no packet',
      'missing all packets before its completion',
    ],
    ['no bytes yet', 'bytes, rate 82.5625 Gb/s, target 100 Gb/s, alpha 1', 'unexpected bytes'],
    ['at most 3 READs unanswered', 'IBV_WR_RDMA_READ while 3 are', 'more READs unanswered than allowed'],
    [
      'ibv_modify_qp in RTS with timeout 11, sq_psn 1 fails',
      'it succeeds',
      'ibv_modify_qp without a state accepted',
    ],
    ['completion of receive wr_id 1 with IBV_WC_X', 'wr_id 1 with IBV_WC_Y', 'IBV_WC_Y instead of IBV_WC_X'],
    ['wr_id 1002 fails', 'no completion', 'missing failure of the work request'],
    [
      'a status that a UC responder may report',
      'IBV_WC_X_ERR at a UC responder',
      'IBV_WC_X_ERR at a UC responder',
    ],
    ['no request', 'RC_COMPARE_SWAP with PSN 14172600', 'unexpected request'],
    [
      'the next new packet (PSN 22), or nothing',
      'RC_SEND_FIRST with PSN 21',
      'unexpected request sent again',
    ],
    [
      'PSN 3 sent again within 4 T, or its work request failed',
      'PSN 3 sent again 1.0048 ms after the timer began',
      'a request sent again too late',
    ],
    ['UC_SEND_FIRST', 'UC_SEND_ONLY', 'request with another opcode'],
    [
      'no response',
      'RC ATOMIC_ACKNOWLEDGE psn 0 qp 0x70 ACK msn 1 original 1',
      'unexpected ATOMIC Acknowledge',
    ],
    ['Acknowledge of PSN 7', 'RC ACKNOWLEDGE psn 8 qp 0x70 ACK msn 0', 'Acknowledge with another PSN'],
    [
      'READ responses from PSN 1 (response 1 of 1, 495 bytes in all)',
      'RC RDMA_READ_RESPONSE_LAST psn 1 qp 0x70 ACK msn 1 495 bytes',
      'another READ response',
    ],
    [
      'RDMA_READ_RESPONSE_ONLY with PSN 1 (response 1 of 1, 495 bytes in all)',
      'RC RDMA_READ_RESPONSE_LAST psn 1 qp 0x70 ACK msn 1 495 bytes',
      'READ response with another opcode',
    ],
    [
      'RDMA_READ_RESPONSE_LAST with PSN 2 (response 2 of 2, 495 bytes in all)',
      'RC RDMA_READ_RESPONSE_LAST psn 3 qp 0x70 ACK msn 1 239 bytes',
      'READ response with another PSN',
    ],
    [
      'RDMA_READ_RESPONSE_LAST with PSN 2 (response 2 of 2, 495 bytes in all)',
      'RC RDMA_READ_RESPONSE_LAST psn 2 qp 0x70 ACK msn 1 238 bytes',
      'another READ response',
    ],
    [
      'RDMA_READ_RESPONSE_ONLY with PSN 1 (response 1 of 1, 8 bytes in all)',
      'no response',
      'missing READ response',
    ],
    [
      'RDMA_READ_RESPONSE_ONLY with PSN 1 (response 1 of 1, 8 bytes in all)',
      'RC ACKNOWLEDGE psn 1 qp 0x70 NAK Remote access error msn 0',
      'NAK Remote access error instead of READ response',
    ],
    [
      'NAK Remote access error with PSN 0',
      'RC RDMA_READ_RESPONSE_ONLY psn 0 qp 0x70 ACK msn 1 8 bytes',
      'READ response instead of NAK Remote access error',
    ],
    ['IBV_WC_SUCCESS for IBV_WR_SEND wr_id 1000', 'no completion', 'missing IBV_WC_SUCCESS'],
    ['invalidated R_Key 0x8000117', 'no invalidated R_Key', 'missing invalidated R_Key'],
    ['ibv_modify_qp of a UD QP from RTS to RTS succeeds', 'it fails with errno 22', 'ibv_modify_qp refused'],
    ['ibv_post_send in INIT fails', 'it succeeds', 'ibv_post_send in INIT accepted'],
    [
      'a device that goes on working',
      'its kernel panics: kernel NULL pointer dereference, address: 0000000000000104 in f+0x49/0x1a0',
      'kernel panics, NULL pointer dereference in f',
    ],
    ['wr_id 1 first', 'wr_id 2 completes before it', 'a completion out of order'],
    [
      'a completion of a work request that is outstanding',
      'IBV_WC_SUCCESS for wr_id 1000 of qp_num 17',
      'IBV_WC_SUCCESS of no work request that is outstanding',
    ],
    ['an event that may come here', 'IBV_EVENT_QP_REQ_ERR of a UC QP', 'unexpected IBV_EVENT_QP_REQ_ERR'],
    ['IBV_EVENT_CQ_ERR', '3 completions in a CQ of 2 entries', 'missing IBV_EVENT_CQ_ERR'],
    ['an error, or room for 40', 'room for 39', 'less room than was asked for'],
    ['a packet beyond PSN 1 which has arrived', 'PSN 1', 'PSN of a packet that has not come'],
    [
      'byte 768 of region 2, which has 768 bytes, = 0x00',
      '0x51',
      'another byte beyond the memory of the region',
    ],
    ['the next packet, PSN 1', 'UC SEND_LAST psn 2 qp 0x70', 'request with another PSN'],
    ['imm_data 4096', 'imm_data undefined', 'missing imm_data'],
    ['imm_data 4096', 'imm_data 7', 'another imm_data'],
    ['cut: rate 55 Gb/s', 'rate 4 Gb/s, target 100 Gb/s, alpha 1', 'another rate of the reaction point'],
    ['a CNP for the marked packet within 20.000 us', 'a CNP 126.000 us after it', 'a CNP too late'],
    [
      'with 8808 bytes in the queue, a packet of 314 forwarded',
      'dropped',
      'a packet dropped instead of forwarded',
    ],
  ])('are called the same in every run: %s, %s', (expected, observed, name) => {
    expect(causesOf(runOf([{ rule: 'a', expected, observed }])).map((cause) => cause.name)).toEqual([name]);
  });

  it('of the runs that are checked in have no number of one run in their names', () => {
    const names = recordedRuns().flatMap(({ result }) => causesOf(result).map(({ name }) => name));
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name) => /0x|\b\d{2}/.test(name.replaceAll(/\d+\.\.\d+/g, '')))).toEqual([]);
  });
});
