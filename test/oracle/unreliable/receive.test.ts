import { describe, expect, it } from 'vitest';
import { bytes, mtu, reth } from '../trace/packets.ts';
import type { Plan } from '../trace/setup.ts';
import type { Trace } from '../trace/trace.ts';
import { uc } from './setup.ts';

const full = { payload: bytes(mtu) };
const some = { payload: bytes(8) };
const judged = (trace: Trace): string[] => trace.settle().broken();

describe('a UC message', () => {
  const long = (): Trace =>
    uc().recv(1024).to('SEND_FIRST', 0, full).to('SEND_MIDDLE', 1, full).to('SEND_LAST', 2, some);

  it('of several packets completes one receive WQE', () => {
    expect(judged(long().received(1, 520))).toEqual([]);
    expect(judged(long())).toEqual(['uc-receive-completes']);
    expect(judged(long().received(1, 519))).toEqual(['uc-receive-length']);
    expect(judged(long().received(1, 520).received(1, 520))).toEqual(['unreliable-receive-undue']);
    expect(judged(long().received(1, 520, { imm_data: 1 }))).toEqual(['unreliable-receive-immediate']);
    expect(judged(long().recv(8).received(2, 520))).toEqual(['unreliable-receive-order']);
  });

  const limited = (most: number): Trace => {
    const attr = { state: 'IBV_PORT_ACTIVE', max_msg_sz: most, active_mtu: mtu } as const;
    return uc().call({ call: 'query_port', attr });
  };

  it('that is a SEND longer than max_msg_sz of the port is received, dropped or refused', () => {
    const sent = (most: number): Trace =>
      limited(most)
        .recv(1024)
        .recv(1024)
        .to('SEND_FIRST', 0, full)
        .to('SEND_MIDDLE', 1, full)
        .to('SEND_LAST', 2, some);
    const refused = { status: 'IBV_WC_LOC_LEN_ERR' } as const;
    expect(judged(sent(512).received(1, 520))).toEqual([]);
    expect(judged(sent(512))).toEqual([]);
    expect(
      judged(sent(512).received(1, 0, refused).received(2, 0, { status: 'IBV_WC_WR_FLUSH_ERR' })),
    ).toEqual([]);
    expect(judged(sent(512).received(1, 519))).toEqual(['uc-receive-length']);
    expect(judged(sent(512).received(1, 0, { status: 'IBV_WC_LOC_PROT_ERR' }))).not.toEqual([]);
    expect(judged(sent(520))).toEqual(['uc-receive-completes']);
    expect(judged(sent(520).received(1, 0, refused))).not.toEqual([]);
    // what is behind it is judged
    const next = (trace: Trace): Trace => trace.settle().to('SEND_ONLY', 3, some);
    expect(judged(next(sent(512)).received(1, 8))).toEqual([]);
    expect(judged(next(sent(512).received(1, 520)))).toEqual(['uc-receive-completes']);
  });

  it('that is an RDMA WRITE longer than that is carried out or not', () => {
    const opcode = 'IBV_WC_RECV_RDMA_WITH_IMM';
    const written = (most: number): Trace =>
      limited(most)
        .recv(8)
        .to('RDMA_WRITE_FIRST', 0, { ...full, ...reth(264) })
        .to('RDMA_WRITE_LAST_WITH_IMMEDIATE', 1, { ...some, immediate: 7 });
    const whole = { opcode, imm_data: 7 } as const;
    expect(judged(written(256).received(1, 264, whole))).toEqual([]);
    expect(judged(written(256))).toEqual([]);
    expect(judged(written(256).received(1, 0, { opcode, status: 'IBV_WC_LOC_LEN_ERR' }))).toEqual([]);
    expect(judged(written(264))).toEqual(['uc-receive-completes']);
    const after = (value: number): Trace => written(256).settle().memory(0, bytes(264, value));
    expect(judged(after(0xab))).toEqual([]);
    expect(judged(after(0))).toEqual([]);
    expect(judged(written(256).received(1, 264, whole).settle().memory(0, bytes(264, 0)))).toEqual([
      'unreliable-memory-written',
    ]);
  });

  it('too long for a receive buffer that is faulty as well is refused for either', () => {
    const refused = (
      status: 'IBV_WC_LOC_LEN_ERR' | 'IBV_WC_LOC_PROT_ERR' | 'IBV_WC_LOC_QP_OP_ERR',
    ): Trace => {
      const wr = { wr_id: 1, sg_list: [{ addr: 0n, length: 4, lkey: 999 }] };
      return uc().call({ call: 'post_recv', qp: 1, wr }).to('SEND_ONLY', 0, some).received(1, 0, { status });
    };
    expect(judged(refused('IBV_WC_LOC_LEN_ERR'))).toEqual([]);
    expect(judged(refused('IBV_WC_LOC_PROT_ERR'))).toEqual([]);
    expect(judged(refused('IBV_WC_LOC_QP_OP_ERR'))).not.toEqual([]);
  });

  it('is in memory when it is whole', () => {
    const read = (value: number): Trace => long().received(1, 520).settle().memory(4096, bytes(520, value));
    expect(judged(read(0xab))).toEqual([]);
    expect(judged(read(0))).toEqual(['unreliable-memory-written']);
    expect(
      judged(
        long()
          .received(1, 520)
          .settle()
          .memory(4096 + 519, bytes(2)),
      ),
    ).toEqual(['unreliable-memory-unnamed']);
  });

  it('that is an RDMA WRITE takes no receive WQE', () => {
    const write = (): Trace =>
      uc()
        .recv(8)
        .to('RDMA_WRITE_ONLY', 0, { ...some, ...reth(8) });
    expect(judged(write().settle().memory(0, bytes(8)))).toEqual([]);
    expect(judged(write().settle().memory(0, bytes(8, 0)))).toEqual(['unreliable-memory-written']);
    expect(judged(write().received(1, 8))).toEqual(['unreliable-receive-undue']);
  });

  it('that is an RDMA WRITE with immediate takes one at its end', () => {
    const write = (): Trace =>
      uc()
        .recv(0)
        .to('RDMA_WRITE_FIRST', 0, { ...full, ...reth(264) })
        .to('RDMA_WRITE_LAST_WITH_IMMEDIATE', 1, { ...some, immediate: 7 });
    const opcode = 'IBV_WC_RECV_RDMA_WITH_IMM';
    expect(judged(write().received(1, 264, { opcode, imm_data: 7 }))).toEqual([]);
    expect(judged(write().received(1, 264, { imm_data: 7 }))).toEqual(['unreliable-receive-immediate']);
    expect(judged(write().received(1, 264, { opcode, imm_data: 8 }))).toEqual([
      'unreliable-receive-immediate',
    ]);
  });

  it('draws no response', () => {
    expect(
      judged(
        uc()
          .recv(8)
          .to('SEND_ONLY', 0, some)
          .received(1, 8)
          .from('SEND_ONLY', 0, {
            opcode: 0x11,
            aeth: { syndrome: 0x1f, msn: 1 },
          }),
      ),
    ).toEqual(['uc-never-answers']);
  });
});

describe('a UC message that lost a packet', () => {
  const lossy = (): Trace => uc().recv(1024).recv(1024).to('SEND_FIRST', 0, full).to('SEND_LAST', 2, some);
  const next = (trace: Trace): Trace => trace.to('SEND_ONLY', 3, some);

  it('is given up, and its WQE used for the next', () => {
    expect(judged(next(lossy()).received(1, 8))).toEqual([]);
    expect(judged(lossy().received(1, 264))).toEqual(['uc-message-lost-packet']);
    expect(judged(next(lossy()).received(2, 8))).toEqual(['uc-receive-reused']);
    expect(judged(next(lossy()))).toEqual(['uc-restarts-after-loss']);
    expect(judged(lossy().done(1, 'IBV_WC_REM_ABORT_ERR'))).toEqual(['uc-message-lost-packet']);
    expect(judged(lossy().settle().state('IBV_QPS_ERR'))).toEqual(['unreliable-state-kept']);
    expect(judged(lossy().settle().state('IBV_QPS_RTS'))).toEqual([]);
  });

  it('ends where a new one begins, whatever its PSN', () => {
    const cut = (offset: number): Trace =>
      uc().recv(64).to('SEND_ONLY', 0, some).received(1, 8).recv(1024).to('SEND_ONLY', offset, some);
    for (const offset of [1, 5, -3, 0]) expect(judged(cut(offset).received(2, 8))).toEqual([]);
    expect(judged(cut(5))).toEqual(['uc-restarts-after-loss']);
    expect(judged(cut(1))).toEqual(['uc-receive-completes']);
    const within = (): Trace => uc().recv(1024).to('SEND_FIRST', 0, full).to('SEND_ONLY', 1, some);
    expect(judged(within().received(1, 8))).toEqual([]);
    expect(judged(within())).toEqual(['uc-restarts-in-message']);
  });

  it('which another one cuts short does not fail by a packet that is not for the QP', () => {
    const failed = (trace: Trace): string[] => judged(trace.done(1, 'IBV_WC_REM_INV_REQ_ERR'));
    const begun = (): Trace => uc({ srq: true }).recv(1024).recv(1024).to('SEND_FIRST', 0, full);
    const foreign = { ...some, srcIp: '10.0.0.9' };
    expect(failed(begun().to('SEND_LAST', 2, foreign).to('SEND_FIRST', 1, full))).toEqual([
      'uc-restarts-in-message',
    ]);
    expect(failed(begun().to('SEND_FIRST', 1, full).to('SEND_LAST', 2, foreign))).toEqual([
      'uc-restarts-in-message',
    ]);
    expect(failed(begun().to('SEND_LAST', 1, foreign))).toEqual(['uc-drop-foreign-source']);
    expect(failed(begun().to('SEND_FIRST', 1, full).to('RDMA_WRITE_LAST', 2, some))).toEqual([
      'uc-message-mixed',
    ]);
  });

  it('leaves Middle and Last packets without a message', () => {
    const rest = (): Trace => uc().recv(1024).to('SEND_LAST', 0, some);
    expect(judged(rest())).toEqual([]);
    expect(judged(rest().received(1, 8))).toEqual(['uc-no-message']);
    expect(
      judged(
        uc()
          .recv(1024)
          .to('SEND_FIRST', 0, full)
          .to('RDMA_WRITE_LAST', 1, some)
          .to('SEND_LAST', 2, some)
          .received(1, 264),
      ),
    ).toEqual(['uc-message-mixed']);
  });

  it('may leave a part of an RDMA WRITE, but nothing of what came after the loss', () => {
    const write = (): Trace =>
      uc()
        .to('RDMA_WRITE_FIRST', 0, { ...full, ...reth(1024) })
        .to('RDMA_WRITE_MIDDLE', 2, full)
        .to('RDMA_WRITE_LAST', 3, full)
        .settle();
    expect(judged(write().memory(0, bytes(256)).memory(256, bytes(512, 0)))).toEqual([]);
    expect(judged(write().memory(0, bytes(256, 0)))).toEqual([]);
    expect(judged(write().memory(256, bytes(1)))).toEqual([
      'uc-message-lost-packet',
      'unreliable-memory-refused',
    ]);
  });

  it('aborts the WQE of an SRQ only where the device cannot give it back', () => {
    const shared = (capabilities: string[]): Trace =>
      uc({ srq: true, capabilities })
        .recv(1024)
        .recv(1024)
        .to('SEND_FIRST', 0, full)
        .to('SEND_LAST', 2, some);
    expect(judged(next(shared([])).received(1, 8))).toEqual([]);
    const cannot = shared(['srq-abort']).done(1, 'IBV_WC_REM_ABORT_ERR');
    expect(judged(next(cannot).received(2, 8).settle().state('IBV_QPS_RTS'))).toEqual([]);
    expect(judged(next(shared(['srq-abort'])).received(1, 8))).toEqual(['uc-shared-receive-aborted']);
    expect(judged(shared(['srq-abort']))).toEqual(['uc-shared-receive-aborted']);
    expect(judged(shared([]).done(1, 'IBV_WC_REM_ABORT_ERR'))).toEqual(['uc-message-lost-packet']);
  });
});

describe('a UC packet that cannot be carried out', () => {
  it('for lack of a receive WQE goes with its message', () => {
    const bare = (): Trace => uc().to('SEND_FIRST', 0, full).settle().recv(1024).to('SEND_LAST', 1, some);
    expect(judged(bare())).toEqual([]);
    expect(judged(bare().received(1, 264))).toEqual(['uc-no-receive']);
  });

  it('may find a WQE that is posted while it is under way', () => {
    const racing = (): Trace => uc().to('SEND_FIRST', 0, full).recv(1024).to('SEND_LAST', 1, some);
    expect(judged(racing())).toEqual([]);
    expect(judged(racing().received(1, 264).settle().memory(4096, bytes(264)))).toEqual([]);
    const two = (): Trace => uc().to('SEND_ONLY', 0, some).to('SEND_ONLY', 1, full).recv(1024);
    expect(judged(two())).toEqual([]);
    expect(judged(two().received(1, 8))).toEqual([]);
    expect(judged(two().received(1, 256))).toEqual([]);
    expect(two().received(1, 9).settle().broken()).not.toEqual([]);
    expect(two().received(1, 8).received(1, 256).settle().broken()).not.toEqual([]);
  });

  it('for its R_Key touches nothing', () => {
    const bad = (): Trace =>
      uc()
        .recv(8)
        .to('RDMA_WRITE_ONLY', 0, { ...some, ...reth(8, 0, 0x55) });
    expect(judged(bad().settle().memory(0, bytes(8, 0)).state('IBV_QPS_RTS'))).toEqual([]);
    const outside = (): Trace => uc().to('RDMA_WRITE_ONLY', 0, { ...some, ...reth(8, 8190) });
    expect(judged(outside().settle().memory(8190, bytes(2)))).toEqual([
      'uc-access-denied',
      'unreliable-memory-refused',
    ]);
    expect(judged(bad().settle().state('IBV_QPS_ERR'))).toEqual(['unreliable-state-kept']);
    expect(judged(uc().to('RDMA_WRITE_ONLY', 0, { reth: { va: 0n, rkey: 0x55, dmaLen: 0 } }))).toEqual([]);
  });

  it('with immediate may tell of it by its receive WQE', () => {
    const bad = (plan?: Plan): Trace =>
      uc(plan)
        .recv(8)
        .recv(8)
        .to('RDMA_WRITE_ONLY_WITH_IMMEDIATE', 0, { ...some, ...reth(8, 0, 0x55), immediate: 1 });
    expect(judged(bad())).toEqual([]);
    expect(
      judged(
        bad().done(1, 'IBV_WC_LOC_ACCESS_ERR').done(2, 'IBV_WC_WR_FLUSH_ERR').settle().state('IBV_QPS_ERR'),
      ),
    ).toEqual([]);
    expect(judged(bad().done(1, 'IBV_WC_LOC_PROT_ERR'))).toEqual(['uc-fault-access']);
    expect(judged(bad().done(1, 'IBV_WC_WR_FLUSH_ERR'))).toEqual(['uc-fault-access']);
    expect(
      judged(bad({ srq: true }).done(1, 'IBV_WC_LOC_ACCESS_ERR').to('SEND_ONLY', 1, some).received(2, 8)),
    ).toEqual([]);
  });

  it.each([
    ['uc-fault-unbound', 'RDMA_WRITE_ONLY', reth(8, 0, 0x55)],
    ['uc-fault-access', 'RDMA_WRITE_ONLY_WITH_IMMEDIATE', reth(8, 0, 0x55)],
    ['uc-fault-length', 'RDMA_WRITE_ONLY_WITH_IMMEDIATE', reth(9)],
  ])('is reported by no event: %s', (rule, operation, fields) => {
    const trace = uc()
      .recv(8)
      .to(operation, 0, { ...some, ...fields });
    const event = { event_type: 'IBV_EVENT_QP_ACCESS_ERR', qp_num: 0x11 } as const;
    trace.events.push({ kind: 'async', t: 1000, event });
    expect(judged(trace)).toEqual([rule]);
  });

  it('without the right of the QP touches nothing', () => {
    const write = (): Trace =>
      uc({ access: [] })
        .to('RDMA_WRITE_ONLY', 0, { ...some, ...reth(8) })
        .settle();
    expect(judged(write().memory(0, bytes(8, 0)))).toEqual([]);
    expect(judged(write().memory(0, bytes(8)))).toEqual(['uc-write-disabled', 'unreliable-memory-refused']);
  });

  it('since it is too long is dropped, or fails the WQE and the QP', () => {
    const long = (plan?: Plan): Trace => uc(plan).recv(4).recv(64).to('SEND_ONLY', 0, some);
    expect(
      judged(
        long()
          .to('SEND_ONLY', 1, { payload: bytes(4) })
          .received(1, 4),
      ),
    ).toEqual([]);
    expect(
      judged(long().done(1, 'IBV_WC_LOC_LEN_ERR').done(2, 'IBV_WC_WR_FLUSH_ERR').to('SEND_ONLY', 1, some)),
    ).toEqual([]);
    expect(judged(long().received(1, 8))).toEqual(['uc-send-too-long']);
    expect(judged(long().done(1, 'IBV_WC_LOC_LEN_ERR').to('SEND_ONLY', 1, some).received(2, 8))).toEqual([
      'uc-fault-too-long',
    ]);
    expect(
      judged(long({ srq: true }).done(1, 'IBV_WC_LOC_LEN_ERR').to('SEND_ONLY', 1, some).received(2, 8)),
    ).toEqual([]);
  });

  it('since its length is wrong goes with its message', () => {
    const first = (): Trace => uc().recv(1024).to('SEND_FIRST', 0, some).to('SEND_LAST', 1, some);
    expect(judged(first())).toEqual([]);
    expect(judged(first().received(1, 16))).toEqual(['uc-length-wrong']);
    const short = (): Trace => uc().to('RDMA_WRITE_ONLY', 0, { ...some, ...reth(9) });
    expect(judged(short())).toEqual([]);
  });

  it('since the memory of its WQE is faulty fails the QP', () => {
    const bad = (): Trace => uc().recv(64, 4096, { lkey: 1 }).recv(64).to('SEND_ONLY', 0, some);
    // a byte beyond its region, which only the last packet may come to
    const beyond = (): Trace =>
      uc()
        .recv(264, 8192 - 263)
        .to('SEND_FIRST', 0, full);
    const failed = (trace: Trace): Trace => trace.done(1, 'IBV_WC_LOC_PROT_ERR');
    expect(judged(beyond())).toEqual([]);
    expect(judged(failed(beyond()))).toEqual([]);
    expect(judged(failed(beyond().settle().to('SEND_LAST', 1, some)))).toEqual([]);
    expect(
      judged(
        beyond()
          .to('SEND_LAST', 1, { payload: bytes(7) })
          .received(1, 263),
      ),
    ).toEqual(['uc-fault-local-memory']);
    expect(judged(beyond().to('SEND_LAST', 1, some))).toEqual(['uc-fault-local-memory']);
    expect(
      judged(
        bad().done(1, 'IBV_WC_LOC_PROT_ERR').done(2, 'IBV_WC_WR_FLUSH_ERR').settle().state('IBV_QPS_ERR'),
      ),
    ).toEqual([]);
    expect(judged(bad())).toEqual(['uc-fault-local-memory']);
    expect(judged(bad().done(1, 'IBV_WC_LOC_LEN_ERR'))).toEqual(['uc-fault-local-memory']);
    expect(judged(bad().received(1, 8))).toEqual(['uc-fault-local-memory']);
  });
});
