import { describe, expect, it } from 'vitest';
import { judgeTrace, loadRules } from '../../../oracle/index.ts';
import { RequesterState } from '../../../oracle/rc-requester/state.ts';
import { RequesterTrace, T } from './requester-trace.ts';

const rules = loadRules();
const judged = ({ header, events }: RequesterTrace) => judgeTrace(header, events, rules);
// what the traces leave out of verbs calls is no matter here
const violated = (trace: RequesterTrace): string[] =>
  judged(trace)
    .violations.map((v) => v.rule)
    .filter((rule) => !rule.startsWith('qp-'));

const S = 'IBV_WR_SEND';
const R = 'IBV_WR_RDMA_READ';
const sequenceNak = 0x60;
// 10 us
const rnrNak = 0x21;
const two = (attr = {}): RequesterTrace => new RequesterTrace(attr).post(S, S).send(0, 1);

describe('what a conformant requester may do', () => {
  const sound: Record<string, () => RequesterTrace> = {
    'send, and complete by one Acknowledge': () => two().ack(1).done(1).done(2).settle(),
    'go back at a NAK': () => two().ack(1, sequenceNak).send(1).done(1).ack(1).done(2).settle(),
    'send again between T and 4 T': () =>
      two()
        .wait(T)
        .send(0, 1)
        .wait(4 * T)
        .send(0, 1)
        .settle(),
    'stand still before T': () =>
      two()
        .wait(T / 2)
        .settle(),
    'wait for ever with timeout 0': () =>
      two({ timeout: 0 })
        .wait(1000 * T)
        .settle(),
    'wait where an RNR NAK comes on top of a sequence NAK': () =>
      two().ack(0, sequenceNak).ack(0, rnrNak).settle().send(0, 1).settle(),
    'send again after an RNR wait': () => two().ack(0, rnrNak).wait(10_000).send(0, 1).settle(),
    'wait with a NAK for an RNR wait': () => two().ack(0, 0x2e).ack(0, sequenceNak).settle(),
    'look at a NAK late, when what it names has been sent': () =>
      new RequesterTrace().post(S).ack(0, rnrNak).send(0).settle().wait(10_000).send(0).settle(),
    'look at a READ response late, or not in time': () =>
      new RequesterTrace().post(S, R).send(0).data(1).ack(0).read(1).done(1).settle(),
    'fail when its retries are used up': () =>
      two({ retry_cnt: 0 }).wait(T).done(1, 'IBV_WC_RETRY_EXC_ERR').done(2, 'IBV_WC_WR_FLUSH_ERR').settle(),
    'stop in a retransmission for an answer': () => two().ack(0, sequenceNak).send(0).settle(),
    'send a READ again that later responses pass over': () =>
      new RequesterTrace().post(R, S).read(0).send(1).ack(1).read(0).send(1).settle(),
  };
  it.each(Object.entries(sound))('%s', (_, trace) => {
    expect(violated(trace())).toEqual([]);
    expect(judged(trace()).inconclusive).toEqual([]);
  });
});

describe('what a requester must not do', () => {
  const unsound: readonly [rule: string, trace: () => RequesterTrace][] = [
    ['rc-sequence-nak-retransmits', () => two().ack(0, sequenceNak).settle()],
    ['rc-retransmission-starts-late', () => two().ack(0, sequenceNak).send(1).settle()],
    ['rc-retransmission-uncaused', () => two().send(1).settle()],
    [
      'rc-timeout-early',
      () =>
        two()
          .wait(T / 2)
          .send(0),
    ],
    ['rc-timeout-disabled', () => two({ timeout: 0 }).wait(T).send(0)],
    [
      'rc-timeout-overdue',
      () =>
        two()
          .wait(4 * T + 1000)
          .settle(),
    ],
    ['rc-timeout-nothing-outstanding', () => new RequesterTrace().post(S).done(1, 'IBV_WC_RETRY_EXC_ERR')],
    ['rc-request-skipped', () => new RequesterTrace().post(S, S).send(1)],
    ['rc-request-unposted', () => two().send(2)],
    ['rc-request-completed-again', () => two().ack(0).done(1).settle().send(0)],
    ['rc-rnr-wait', () => two().ack(0, rnrNak).wait(5000).send(0)],
    ['rc-rnr-wait-endless', () => two().ack(0, rnrNak).settle().wait(200_000).settle()],
    ['rc-rnr-wait-endless', () => two().ack(0, sequenceNak).ack(0, rnrNak).settle().wait(200_000).settle()],
    ['rc-implied-nak', () => new RequesterTrace().post(R, S).read(0).send(1).ack(1).settle()],
    ['rc-retransmission-completed', () => two().ack(0, sequenceNak).send(0).ack(0).done(1).settle()],
    ['rc-send-queue-goes-on', () => new RequesterTrace().post(S).settle()],
    ['rc-send-completes', () => two().ack(1).done(1).settle()],
    ['rc-send-completes-in-order', () => two().ack(1).done(2)],
    ['rc-send-completed-again', () => two().ack(0).done(1).done(1)],
    ['rc-send-unacknowledged', () => two().ack(0).done(1).done(2)],
    ['rc-retry-exhausted', () => two({ retry_cnt: 0 }).wait(T).send(0)],
    ['rc-retry-exhausted-nak', () => two({ retry_cnt: 0 }).ack(0, sequenceNak).settle()],
    ['rc-rnr-retry-exhausted', () => two({ rnr_retry: 0 }).ack(0, rnrNak).settle()],
    ['rc-nak-access-error-fails', () => two().ack(0, 0x62).settle()],
    ['rc-send-failed', () => two().ack(0, 0x62).done(1, 'IBV_WC_REM_OP_ERR')],
    ['rc-send-flushed', () => two().ack(0, 0x62).done(1, 'IBV_WC_REM_ACCESS_ERR').settle()],
    ['rc-reads-outstanding', () => new RequesterTrace().post(R, R).read(0).read(1)],
  ];

  it.each(unsound)('%s', (rule, trace) => {
    expect(violated(trace())).toContain(rule);
  });
});

it('a cloned state has every field of the original', () => {
  const state = new RequesterState();
  let value = 1;
  for (const key of Object.keys(state)) Object.assign(state, { [key]: value++ });
  expect(Object.entries(state.clone())).toEqual(Object.entries(state));
});
