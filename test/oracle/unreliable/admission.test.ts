import { describe, expect, it } from 'vitest';
import { bytes, qkey } from '../trace/packets.ts';
import type { Trace } from '../trace/trace.ts';
import { uc, ud } from './setup.ts';

const some = { payload: bytes(8) };
const judged = (trace: Trace): string[] => trace.settle().broken();

describe('a packet that is not for the QP', () => {
  it.each([
    ['uc-drop-bad-icrc', { icrcXor: 1 }],
    ['uc-drop-transport-version', { tver: 1 }],
    ['uc-drop-unknown-qp', { destQp: 0x99 }],
    ['uc-drop-service-mismatch', { opcode: 0x04 }],
    ['uc-drop-foreign-source', { srcIp: '10.0.0.9' }],
    ['uc-drop-foreign-destination', { dstIp: '10.0.0.9' }],
    ['uc-drop-pkey', { pkey: 0x8001 }],
  ])('is dropped by UC silently: %s', (rule, fields) => {
    const trace = (): Trace =>
      uc()
        .recv(64)
        .to('SEND_ONLY', 0, { ...some, ...fields });
    expect(judged(trace())).toEqual([]);
    expect(judged(trace().received(1, 8))).toEqual([rule]);
    expect(judged(trace().done(1, 'IBV_WC_WR_FLUSH_ERR'))).toEqual([rule]);
  });

  it.each([
    ['ud-drop-bad-icrc', { icrcXor: 1 }],
    ['ud-drop-transport-version', { tver: 1 }],
    ['ud-drop-unknown-qp', { destQp: 0x99 }],
    ['ud-drop-service-mismatch', { opcode: 0x04 }],
    ['ud-drop-pkey', { pkey: 0x8001 }],
    ['ud-drop-foreign-destination', { dstIp: '10.0.0.9' }],
    ['ud-drop-qkey', { deth: { qkey: qkey + 1, srcQp: 1 } }],
  ])('is dropped by UD silently: %s', (rule, fields) => {
    const trace = (): Trace =>
      ud()
        .recv(64)
        .to('SEND_ONLY', 0, { ...some, ...fields });
    expect(judged(trace())).toEqual([]);
    expect(judged(trace().received(1, 48, { src_qp: 1 }))).toEqual([rule]);
  });

  it('is dropped in INIT and ERR', () => {
    for (const trace of [uc, ud]) {
      const error = trace().enter('ERR').to('SEND_ONLY', 0, some);
      expect(error.settle().broken()).toEqual([]);
      expect([...error.judge().exercised.keys()]).toContain(trace === uc ? 'uc-drop-state' : 'ud-drop-state');
    }
  });

  it('may come with anything that a receiver ignores', () => {
    expect(
      judged(
        uc()
          .recv(64)
          .to('SEND_ONLY', 0, { ...some, resv6: 3, fecn: true, ackReq: true, migReq: false })
          .received(1, 8),
      ),
    ).toEqual([]);
  });
});

describe('a UD message', () => {
  const message = (): Trace => ud().recv(64).to('SEND_ONLY', 0, some);

  it('completes a receive WQE and tells of the GRH', () => {
    expect(judged(message().received(1, 48))).toEqual([]);
    expect(judged(message())).toEqual(['ud-receive-completes']);
    expect(judged(message().received(1, 8))).toEqual(['ud-receive-length']);
    expect(judged(message().received(1, 48, { src_qp: 1 }))).toEqual(['ud-receive-source']);
    expect(judged(message().received(1, 48, { grh: false }))).toEqual(['ud-receive-grh']);
    expect(judged(message().received(1, 48).from('SEND_ONLY', 0, { opcode: 0x11 }))).toEqual([
      'ud-never-answers',
    ]);
  });

  it('stands behind 40 bytes in its buffer', () => {
    expect(judged(message().received(1, 48).settle().memory(4136, bytes(8)))).toEqual([]);
    expect(judged(message().received(1, 48).settle().memory(4136, bytes(8, 1)))).toEqual([
      'unreliable-memory-written',
    ]);
    expect(judged(message().received(1, 48).settle().memory(4144, bytes(1)))).toEqual([
      'unreliable-memory-unnamed',
    ]);
  });

  it('may have any PSN', () => {
    expect(
      judged(
        ud()
          .recv(64)
          .recv(64)
          .to('SEND_ONLY', 7, some)
          .received(1, 48)
          .to('SEND_ONLY', 7, some)
          .received(2, 48),
      ),
    ).toEqual([]);
  });

  it('that does not fit, or finds no WQE, is dropped and takes none', () => {
    const long = (): Trace => ud().recv(47).to('SEND_ONLY', 0, some);
    expect(
      judged(
        long()
          .to('SEND_ONLY', 1, { payload: bytes(7) })
          .received(1, 47),
      ),
    ).toEqual([]);
    expect(judged(long().received(1, 48))).toEqual(['ud-too-long']);
    expect(judged(long().done(1, 'IBV_WC_LOC_LEN_ERR'))).toEqual(['ud-too-long']);
    const bare = (): Trace => ud().to('SEND_ONLY', 0, some).settle().recv(64);
    expect(judged(bare())).toEqual([]);
    expect(judged(bare().received(1, 48))).toEqual(['unreliable-receive-undue']);
    expect(judged(ud().to('SEND_ONLY', 0, some).recv(64).received(1, 48))).toEqual([]);
  });

  it('whose WQE names unusable memory fails the QP', () => {
    const bad = (): Trace => ud().recv(64, 4096, { lkey: 1 }).to('SEND_ONLY', 0, some);
    expect(judged(bad().done(1, 'IBV_WC_LOC_PROT_ERR').settle().state('IBV_QPS_ERR'))).toEqual([]);
    expect(judged(bad())).toEqual(['ud-fault-local-memory']);
  });

  it('may fail the QP behind a call that comes while it is on its way', () => {
    const bad = ud().recv(64, 4096, { lkey: 1 }).recv(64).to('SEND_ONLY', 0, some).enter('SQD');
    const failed = bad.done(1, 'IBV_WC_LOC_PROT_ERR').done(2, 'IBV_WC_WR_FLUSH_ERR').settle();
    expect(judged(failed.state('IBV_QPS_ERR'))).toEqual([]);
  });
});

describe('a QP whose send queue has failed', () => {
  it('goes on receiving', () => {
    for (const trace of [uc, ud]) {
      const failed = (): Trace =>
        trace()
          .recv(64)
          .send({ sg_list: [{ addr: 0n, length: 4, lkey: 1 }] })
          .done(2, 'IBV_WC_LOC_PROT_ERR')
          .settle()
          .to('SEND_ONLY', 0, some);
      const length = trace === uc ? 8 : 48;
      expect(judged(failed().received(1, length))).toEqual([]);
      expect(judged(failed())).toEqual([trace === uc ? 'uc-admit-sqe' : 'ud-admit-sqe']);
      // other rules say that nothing may be flushed there
      expect(judged(failed().done(1, 'IBV_WC_WR_FLUSH_ERR').state('IBV_QPS_ERR'))).toEqual([]);
    }
  });
});
