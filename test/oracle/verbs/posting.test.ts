import { describe, expect, it } from 'vitest';
import type { SendWr } from '../../../spec/verbs.ts';
import { readable, region } from '../trace/packets.ts';
import { foreign, VerbsTrace, type Setup } from './trace.ts';

const traced = (setup: Setup = {}): VerbsTrace => new VerbsTrace(setup);

describe('ibv_post_send', () => {
  it.each(['RESET', 'INIT', 'RTR'] as const)('in %s must fail', (state) => {
    expect(traced({ state }).posts(1).broken()).toEqual(['post-send-too-early']);
    expect(traced({ state }).posts(1, {}, 22).broken()).toEqual([]);
  });

  it('in RTS and SQD must succeed', () => {
    expect(traced().posts(1, {}, 22).broken()).toEqual(['post-send-accepted']);
    expect(traced().enter('SQD').posts(1, {}, 22).broken()).toEqual(['post-send-held']);
  });

  it('in ERR must succeed, and flush', () => {
    expect(traced().enter('ERR').posts(1, {}, 22).broken()).toEqual(['post-send-flushed']);
    expect(traced().enter('ERR').posts(1).flush(1).settle().broken()).toEqual([]);
    expect(traced().enter('ERR').posts(1).settle().broken()).toEqual([
      'flush-send-in-error',
      'post-send-flushed',
    ]);
    expect(traced().enter('ERR').posts(1).done(1).settle().broken()).toEqual(['flush-send-in-error']);
  });

  it('to a full queue must fail, with ENOMEM', () => {
    const full = (): VerbsTrace => traced({ room: 2 }).enter('SQD').posts(1).posts(2);
    expect(full().posts(3).broken()).toEqual(['post-send-queue-full']);
    expect(full().posts(3, {}, 12).broken()).toEqual([]);
    expect(full().posts(3, {}, 22).broken()).toEqual(['post-full-errno']);
  });

  it('may fail where the queue may be full, and must not where it cannot be', () => {
    const sent = traced({ room: 2 }).posts(1).posts(2);
    expect(sent.posts(3, {}, 12).broken()).toEqual([]);
    const polled = traced({ room: 2 }).posts(1).posts(2).sent(1);
    expect(polled.posts(3, {}, 12).broken()).toEqual(['post-send-accepted']);
  });

  it('may fail for a work request that is malformed', () => {
    const sge = { addr: region.addr, length: 8, lkey: region.lkey };
    const odd: Partial<SendWr>[] = [
      { sg_list: [sge, sge, sge] },
      { opcode: 'IBV_WR_RDMA_READ' },
      { raw_opcode: 99 },
    ];
    for (const wr of odd) expect(traced().posts(1, wr, 22).broken()).toEqual([]);
  });

  it('may fail for an ATOMIC on an address that is no multiple of 8', () => {
    const atomic = (remote_addr: bigint): VerbsTrace =>
      traced({ service: 'RC', capabilities: ['atomic'] }).posts(
        1,
        { opcode: 'IBV_WR_ATOMIC_FETCH_AND_ADD', remote_addr },
        22,
      );
    expect(atomic(0x1004n).broken()).toEqual([]);
    expect(atomic(0x1008n).broken()).toEqual(['post-send-accepted']);
  });

  it('in SQD holds the work request', () => {
    const held = (): VerbsTrace => traced().enter('SQD').posts(1);
    expect(held().sent(1).broken()).toEqual(['completion-held']);
    expect(held().enter('RTS').sent(1).broken()).toEqual([]);
  });
});

describe('ibv_post_recv', () => {
  it('in RESET must fail, elsewhere succeed', () => {
    expect(traced({ state: 'RESET' }).receives(1).broken()).toEqual(['post-receive-too-early']);
    for (const state of ['INIT', 'RTR', 'RTS'] as const)
      expect(traced({ state }).receives(1, 12).broken()).toEqual(['post-receive-accepted']);
    expect(traced().enter('ERR').receives(1, 22).broken()).toEqual(['post-receive-flushed']);
  });

  it('to a full queue must fail', () => {
    const full = (): VerbsTrace => traced({ room: 1, state: 'INIT' }).receives(1);
    expect(full().receives(2).broken()).toEqual(['post-receive-queue-full']);
    expect(full().receives(2, 12).broken()).toEqual([]);
  });

  it('may fail where what should have been flushed may still fill the queue', () => {
    const stuck = traced({ room: 1 }).enter('ERR').receives(1).settle().receives(2, 12);
    expect(stuck.broken()).toEqual(['flush-receive-in-error', 'post-receive-flushed']);
    expect(stuck.judge().violations.map(({ observed }) => observed)).not.toContain('it fails with errno 12');
  });

  it('to an SRQ must succeed while it has room', () => {
    expect(traced({ srq: true }).shares(1, 12).broken()).toEqual(['post-shared-receive-accepted']);
    const full = traced({ srq: true });
    for (let n = 0; n < 8; n++) full.shares(n);
    expect(full.shares(9).broken()).toEqual(['post-shared-receive-queue-full']);
  });
});

describe('a post', () => {
  it('changes no state, whether refused or flushed', () => {
    expect(traced({ state: 'RTR' }).posts(1, {}, 22).state('IBV_QPS_ERR').broken()).toEqual([
      'state-after-refused-post',
    ]);
    expect(traced().enter('ERR').posts(1).flush(1).settle().state('IBV_QPS_RTS').broken()).toEqual([
      'state-after-flushed-post',
    ]);
  });
});

describe('a send work request that is wrong in itself', () => {
  const at = (more: object): Partial<SendWr> => ({
    sg_list: [{ addr: region.addr, length: 8, lkey: region.lkey, ...more }],
  });

  it.each<[string, Partial<SendWr>]>([
    ['send-key-unregistered', at({ lkey: 77 })],
    ['send-out-of-bounds', at({ addr: region.addr + 8188n })],
    ['send-out-of-bounds', at({ addr: region.addr - 2n })],
    ['send-foreign-domain', at({ addr: foreign.addr, lkey: foreign.lkey })],
  ])('%s: fails with IBV_WC_LOC_PROT_ERR alone', (rule, wr) => {
    const sent = (): VerbsTrace => traced().posts(1, wr);
    expect(sent().done(1, 'IBV_WC_LOC_PROT_ERR').settle().broken()).toEqual([]);
    expect(sent().done(1, 'IBV_WC_LOC_QP_OP_ERR').broken()).toEqual([rule]);
    expect(sent().sent(1).broken()).toEqual([rule]);
    expect(sent().settle().broken()).toEqual([rule]);
  });

  it('may wait for answers where what is wrong lies behind the first packet of an RC message', () => {
    const beyond = (service: 'RC' | 'UC', back: number): VerbsTrace =>
      traced({ service }).posts(1, {
        sg_list: [{ addr: region.addr + 8192n - BigInt(back), length: back + 8, lkey: region.lkey }],
      });
    const rule = ['send-out-of-bounds'];
    expect(beyond('RC', 4096).settle().broken()).toEqual([]);
    expect(beyond('RC', 4096).sent(1).broken()).toEqual(rule);
    expect(beyond('RC', 4096).done(1, 'IBV_WC_LOC_PROT_ERR').settle().broken()).toEqual([]);
    expect(beyond('UC', 4096).settle().broken()).toEqual(rule);
    expect(beyond('RC', 8).settle().broken()).toEqual(rule);
  });

  it('of which the region was deregistered before', () => {
    const gone = traced().call({ call: 'dereg_mr', mr: 1 }).posts(1);
    expect(gone.sent(1).broken()).toEqual(['send-region-deregistered']);
    const race = traced().posts(1).call({ call: 'dereg_mr', mr: 1 });
    expect(race.done(1, 'IBV_WC_LOC_PROT_ERR').settle().broken()).toEqual([]);
  });

  it('that places data without the right', () => {
    const read: Partial<SendWr> = {
      opcode: 'IBV_WR_RDMA_READ',
      ...at({ addr: readable.addr, lkey: readable.lkey }),
    };
    const sent = traced({ service: 'RC' }).posts(1, read);
    expect(sent.done(1, 'IBV_WC_SUCCESS', { opcode: 'IBV_WC_RDMA_READ' }).broken()).toEqual([
      'send-without-right',
    ]);
  });

  it('with an opcode that nobody knows, or more than max_msg_sz', () => {
    expect(traced().posts(1, { raw_opcode: 99 }).done(1, 'IBV_WC_LOC_PROT_ERR').broken()).toEqual([
      'send-opcode-invalid',
    ]);
    const port = { state: 'IBV_PORT_ACTIVE', max_msg_sz: 4096, active_mtu: 4096 } as const;
    const elements = Array.from({ length: 2 }, () => ({ addr: 0x1000n, length: 4096, lkey: 4 }));
    const long = (): VerbsTrace =>
      traced({ service: 'UC' })
        .call({ call: 'query_port', attr: port })
        .call({ call: 'reg_mr', pd: 1, mr: 4, lkey: 4, rkey: 4, addr: 0x1000n, length: 4096, access: [] })
        .posts(1, { sg_list: elements });
    expect(long().done(1, 'IBV_WC_LOC_LEN_ERR').settle().broken()).toEqual([]);
    expect(long().sent(1).broken()).toEqual(['send-too-long']);
  });

  it('takes a UC or UD QP to SQE and an RC QP to ERR', () => {
    const failed = (service: 'RC' | 'UD'): VerbsTrace =>
      traced({ service })
        .posts(1, at({ lkey: 77 }))
        .done(1, 'IBV_WC_LOC_PROT_ERR')
        .settle();
    expect(failed('UD').state('IBV_QPS_SQE').broken()).toEqual([]);
    expect(failed('UD').state('IBV_QPS_ERR').broken()).toEqual(['state-after-failed-send']);
    expect(failed('RC').state('IBV_QPS_SQE').broken()).toEqual(['state-after-failure']);
    expect(failed('UD').enter('RTS').broken()).toEqual([]);
    expect(failed('UD').enter('RTS', {}, 22).broken()).toEqual(['unreliable-recovers']);
  });

  it('flushes what is behind it, in order, and no receives of UC and UD', () => {
    const failed = (): VerbsTrace =>
      traced()
        .receives(9)
        .posts(1, at({ lkey: 77 }))
        .posts(2)
        .posts(3)
        .done(1, 'IBV_WC_LOC_PROT_ERR');
    expect(failed().flush(2, 3).settle().broken()).toEqual([]);
    expect(failed().flush(2).settle().broken()).toEqual(['flush-send-in-sqe']);
    expect(failed().flush(3, 2).broken()).toContain('completion-in-order');
    expect(failed().sent(2).broken()).toEqual(['flush-send-in-sqe']);
    expect(failed().flush(2, 3, 9).settle().broken()).toEqual(['flush-receive-in-sqe']);
  });

  it('is not one that is sound', () => {
    expect(traced().posts(1).done(1, 'IBV_WC_LOC_PROT_ERR').broken()).toEqual(['send-sound']);
  });
});
