import { describe, expect, it } from 'vitest';
import type { PacketFields } from '../../../wire/packet.ts';
import { bytes, mtu, qkey, region } from '../trace/packets.ts';
import type { Trace } from '../trace/trace.ts';
import { uc, ud } from './setup.ts';

const some = { payload: bytes(16, 0) };
const full = { payload: bytes(mtu, 0) };

const judged = (trace: Trace): string[] => trace.settle().broken();

describe.each([
  ['UC', uc],
  ['UD', ud],
] as const)('%s work requests', (_, make) => {
  const one = (fields: Partial<PacketFields> = {}): Trace =>
    make()
      .send()
      .from('SEND_ONLY', 0, { ...some, ...fields })
      .sent(1);

  it.each([{ resv6: 1 }, { resv7: 0x40 }])('set no reserved bit of the BTH: %j', (bits) => {
    expect(judged(one(bits))).toEqual(['unreliable-request-header']);
  });

  it('are sent and succeed, without waiting for anything', () => {
    expect(judged(one())).toEqual([]);
    expect(judged(make().send())).toEqual(['unreliable-send-owed']);
    expect(judged(make().send().sent(1))).toEqual(['unreliable-send-unsent']);
    expect(judged(make().send().from('SEND_ONLY', 0, some))).toEqual(['unreliable-send-completes']);
    expect(judged(make().send().from('SEND_ONLY', 0, some).sent(1, { opcode: 'IBV_WC_RDMA_WRITE' }))).toEqual(
      ['unreliable-send-describes'],
    );
  });

  it('that ask for no completion get none', () => {
    const quiet = (): Trace => make().send({ send_flags: [] }).from('SEND_ONLY', 0, some);
    expect(judged(quiet())).toEqual([]);
    expect(judged(quiet().sent(1))).toEqual(['unreliable-send-unasked']);
  });

  it('are sent once, in order', () => {
    const two = (): Trace => make().send().send().from('SEND_ONLY', 0, some).sent(1);
    expect(judged(two().from('SEND_ONLY', 1, some).sent(2))).toEqual([]);
    expect(judged(two().from('SEND_ONLY', 0, some))).toEqual(['unreliable-sent-once']);
    expect(judged(two().from('SEND_ONLY', 2, some))).toEqual(['unreliable-sent-without-gap']);
    expect(judged(two().from('SEND_ONLY', 0, { payload: bytes(16, 1) }))).toEqual([
      'unreliable-sent-without-gap',
    ]);
    expect(judged(one().from('SEND_ONLY', 1, some))).toEqual(['unreliable-sent-unposted']);
    expect(judged(one().settle().from('SEND_ONLY', 0, some))).toEqual(['unreliable-sent-once']);
  });

  it.each<[string, Partial<PacketFields>]>([
    ['unreliable-request-header', { icrcXor: 1 }],
    ['unreliable-request-header', { tver: 2 }],
    ['unreliable-request-header', { pkey: 0x8001 }],
    ['unreliable-request-length', { payload: bytes(15, 0) }],
    ['unreliable-request-payload', { payload: bytes(16, 1) }],
    ['unreliable-request-solicited', { solicited: true }],
  ])('leave in packets as asked for: %s', (rule, fields) => expect(judged(one(fields))).toEqual([rule]));

  it('may ask for anything that a receiver ignores', () => expect(judged(one({ ackReq: true }))).toEqual([]));

  it('with immediate carry it', () => {
    const immediate = (value: number): Trace =>
      make()
        .send({
          opcode: 'IBV_WR_SEND_WITH_IMM',
          imm_data: 5,
          send_flags: ['IBV_SEND_SIGNALED', 'IBV_SEND_SOLICITED'],
        })
        .from('SEND_ONLY_WITH_IMMEDIATE', 0, { ...some, immediate: value, solicited: value === 5 })
        .sent(1);
    expect(judged(immediate(5))).toEqual([]);
    expect(judged(immediate(6))).toEqual(['unreliable-request-immediate', 'unreliable-request-solicited']);
    expect(
      judged(make().send({ opcode: 'IBV_WR_SEND_WITH_IMM' }).from('SEND_ONLY', 0, some).sent(1)),
    ).toEqual(['unreliable-request-opcode']);
  });

  it('carry what stood in memory when they were posted, if inline', () => {
    const write = { call: 'write_memory', mr: 1, offset: 0, bytes: bytes(16, 9) } as const;
    const inline = (value: number): Trace =>
      make()
        .send({ send_flags: ['IBV_SEND_SIGNALED', 'IBV_SEND_INLINE'] })
        .call(write)
        .from('SEND_ONLY', 0, { payload: bytes(16, value) })
        .sent(1);
    expect(judged(inline(0))).toEqual([]);
    expect(judged(inline(9))).toEqual(['unreliable-request-payload']);
    expect(
      judged(
        make()
          .send()
          .call(write)
          .from('SEND_ONLY', 0, { payload: bytes(16, 9) })
          .sent(1),
      ),
    ).toEqual([]);
    expect(
      judged(
        make()
          .call(write)
          .send()
          .from('SEND_ONLY', 0, { payload: bytes(16, 9) })
          .sent(1),
      ),
    ).toEqual([]);
  });

  it.each([-32, -8, 0])('that are inline may name memory %i bytes from their region', (offset) => {
    const sg_list = [{ addr: region.addr + BigInt(offset), length: 16, lkey: region.lkey }];
    const inline = make().send({ sg_list, send_flags: ['IBV_SEND_SIGNALED', 'IBV_SEND_INLINE'] });
    expect(judged(inline)).toEqual(['unreliable-send-owed']);
  });

  it('that are inline may be from memory that is no region', () => {
    const sg_list = [
      { addr: region.addr, length: 8, lkey: region.lkey },
      { addr: 0x99990000n, length: 8, lkey: 0 },
    ];
    const inline = (payload: Uint8Array): string[] =>
      judged(
        make()
          .send({ sg_list, send_flags: ['IBV_SEND_SIGNALED', 'IBV_SEND_INLINE'] })
          .from('SEND_ONLY', 0, { payload })
          .sent(1),
      );
    expect(inline(Uint8Array.from([...bytes(8, 0), ...bytes(8, 9)]))).toEqual([]);
    expect(inline(bytes(16, 9))).toEqual(['unreliable-request-payload']);
  });

  it('with an lkey of no region bring nothing onto the wire', () => {
    const sg_list = [{ addr: region.addr, length: 16, lkey: 0x999 }];
    const failed = make().send({ sg_list });
    failed.from('SEND_ONLY', 0, { payload: bytes(16, 0) }).done(1, 'IBV_WC_LOC_PROT_ERR');
    expect(judged(failed)).toContain('unreliable-request-payload');
  });

  it('wait while the QP is in SQD', () => {
    const held = (): Trace => make().enter('SQD').settle().send().settle();
    expect(judged(held().enter('RTS').from('SEND_ONLY', 0, some).sent(1))).toEqual([]);
    expect(judged(held().from('SEND_ONLY', 0, some))).toEqual(['unreliable-sent-stopped']);
    expect(judged(held().enter('RTS'))).toEqual(['unreliable-send-owed']);
  });

  it('that fail stop the send queue until software starts it again', () => {
    const failed = (): Trace =>
      make()
        .send()
        .send({ sg_list: [{ addr: region.addr, length: 16, lkey: 1 }] })
        .send()
        .from('SEND_ONLY', 0, some)
        .sent(1)
        .done(2, 'IBV_WC_LOC_PROT_ERR');
    expect(judged(failed().done(3, 'IBV_WC_WR_FLUSH_ERR'))).toEqual([]);
    expect(judged(failed().from('SEND_ONLY', 1, some))).toEqual(['unreliable-sent-stopped']);
    const again = (): Trace => failed().done(3, 'IBV_WC_WR_FLUSH_ERR').settle().enter('RTS').send();
    expect(judged(again().from('SEND_ONLY', 2, some).sent(4))).toEqual([]);
    expect(judged(again())).toEqual(['unreliable-send-owed']);
  });

  it('may end or wait where the link is down', () => {
    const down = make();
    down.events.push({ kind: 'link', t: 0, start: 0, up: false });
    const { violations, inconclusive } = down.send().sent(1).settle().judge();
    expect(violations.filter(({ rule }) => rule.startsWith('unreliable'))).toEqual([]);
    expect(inconclusive).toEqual([]);
  });
});

describe('UC messages', () => {
  const write = (fields: Partial<PacketFields> = {}, last: Partial<PacketFields> = {}): Trace =>
    uc()
      .send({ opcode: 'IBV_WR_RDMA_WRITE', length: 2 * mtu + 16 })
      .from('RDMA_WRITE_FIRST', 0, { ...full, reth: { va: 0x4000n, rkey: 9, dmaLen: 528 }, ...fields })
      .from('RDMA_WRITE_MIDDLE', 1, full)
      .from('RDMA_WRITE_LAST', 2, { ...some, ...last })
      .done(1, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_RDMA_WRITE' });

  it('are cut into packets of the path MTU', () => {
    expect(judged(write())).toEqual([]);
    expect(judged(write({ payload: bytes(255, 0) }))).toEqual(['unreliable-request-length']);
    expect(judged(write({}, { payload: bytes(17, 0) }))).toEqual(['unreliable-request-length']);
    expect(
      judged(uc().send({ length: 512 }).from('SEND_FIRST', 0, full).from('SEND_MIDDLE', 1, full).sent(1)),
    ).toEqual(['unreliable-request-opcode']);
    expect(judged(uc().send({ length: 512 }).from('SEND_FIRST', 0, full).sent(1))).toEqual([
      'unreliable-send-unsent',
    ]);
  });

  it('name the remote memory', () => {
    expect(judged(write({ reth: { va: 0x4000n, rkey: 9, dmaLen: mtu } }))).toEqual(['uc-write-target']);
    expect(judged(write({ reth: { va: 0x4000n, rkey: 8, dmaLen: 528 } }))).toEqual(['uc-write-target']);
    expect(judged(write({ reth: { va: 0x4001n, rkey: 9, dmaLen: 528 } }))).toEqual(['uc-write-target']);
  });

  it('go to the far end', () => {
    expect(judged(write({ destQp: 0x23 }))).toEqual(['uc-request-addressee']);
    expect(judged(write({ dstIp: '10.0.0.3' }))).toEqual(['uc-request-addressee']);
  });
});

describe('UD messages', () => {
  const one = (fields: Partial<PacketFields>, remote_qkey = qkey): Trace =>
    ud()
      .send({ remote_qkey })
      .from('SEND_ONLY', 0, { ...some, ...fields })
      .sent(1);

  it('go to the QP of the work request and the address of its handle', () => {
    expect(judged(one({ destQp: 0x23 }))).toEqual(['ud-request-addressee']);
    expect(judged(one({ dstIp: '10.0.0.3' }))).toEqual(['ud-request-addressee']);
  });

  it('carry the Q_Key asked for and the number of the QP', () => {
    expect(judged(one({ deth: { qkey: 1, srcQp: 0x11 } }))).toEqual(['ud-request-qkey']);
    expect(judged(one({ deth: { qkey, srcQp: 0x11 } }, 0x80000000))).toEqual([]);
    expect(judged(one({ deth: { qkey: 0x80000000, srcQp: 0x11 } }, 0x80000000))).toEqual(['ud-request-qkey']);
    expect(judged(one({ deth: { qkey, srcQp: 0x12 } }))).toEqual(['ud-request-source']);
  });

  it('that are too long for one packet vanish', () => {
    const long = (): Trace => ud().send({ length: 5000 }).sent(1).send();
    expect(judged(long().from('SEND_ONLY', 0, some).sent(2))).toEqual([]);
    expect(judged(long().from('SEND_ONLY', 1, some).sent(2))).toEqual([]);
  });
});

describe('a UC QP', () => {
  const alt_ah_attr = { dgid: '00000000000000000000ffff0a000003', sgid_index: 0 };
  const sent = (trace: Trace, fields: Partial<PacketFields>): string[] =>
    judged(
      trace
        .send()
        .from('SEND_ONLY', 0, { ...some, ...fields })
        .sent(1),
    );

  it('sends MigReq 1, to the far end of its only path', () => {
    expect(sent(uc(), { migReq: false })).toEqual(['uc-mig-req']);
    expect(sent(ud(), { migReq: false })).toEqual([]);
    expect(sent(uc(), { dstIp: '10.0.0.3' })).toEqual(['uc-request-addressee']);
  });

  it('may do otherwise where it has an alternate path', () => {
    const armed = (): Trace => uc({ doubts: [] }).modify({ alt_ah_attr, path_mig_state: 'IBV_MIG_REARM' });
    expect(sent(armed(), { migReq: false })).toEqual([]);
    expect(sent(armed(), { dstIp: '10.0.0.3' })).toEqual([]);
  });
});

describe('UC work requests', () => {
  it('that are longer than any message are not owed: they have to fail', () => {
    expect(judged(uc().send({ length: 2 ** 31 + 32, send_flags: [] }))).toEqual([]);
    expect(judged(uc().send({ length: 2 ** 12, send_flags: [] }))).toEqual(['unreliable-send-owed']);
  });

  it('that should have failed may be passed by where software has had the queue go on', () => {
    const faulty = { sg_list: [{ addr: region.addr, length: 24, lkey: 0x999 }], send_flags: [] };
    const silent = (again: boolean): Trace => {
      const trace = uc().send(faulty).settle();
      if (again) trace.enter('RTS');
      return trace
        .send()
        .from('SEND_ONLY', 0, { payload: bytes(16, 0), ackReq: false })
        .sent(2);
    };
    expect(judged(silent(false))).toContain('unreliable-sent-stopped');
    expect(judged(silent(true))).not.toContain('unreliable-sent-stopped');
    // what SQD has held back has not had its time
    const held = uc().enter('SQD').send(faulty).settle().enter('RTS').settle();
    const failed = held.done(1, 'IBV_WC_LOC_PROT_ERR').settle().state('IBV_QPS_SQE');
    expect(judged(failed)).toEqual([]);
  });
});
