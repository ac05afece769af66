import { describe, expect, it } from 'vitest';
import type { SendFlag, SendWr, WcStatus } from '../../../spec/verbs.ts';
import { counting, dut } from '../trace/packets.ts';
import { RcTrace } from '../trace/rc.ts';

const EINVAL = 22;
const region = { addr: 0x10000n, length: 8192, lkey: 0x66, rkey: 0x77 };
const asked = { max_send_wr: 8, max_recv_wr: 8, max_send_sge: 2, max_recv_sge: 2, max_inline_data: 16 };

const elements = (count: number) =>
  Array.from({ length: count }, () => ({ addr: region.addr, length: 4, lkey: region.lkey }));

/** A QP that was made with room for 3 elements either way and 16 bytes of inline data; `told`: as the device has told. */
function limited(told: boolean): RcTrace {
  const room = { ...asked, max_send_sge: 3, max_recv_sge: 3 };
  return new RcTrace(
    {},
    {
      capabilities: ['room-reports'],
      regions: [{ pd: 1, mr: 1, access: ['IBV_ACCESS_LOCAL_WRITE'], ...region }],
      size: told ? { ...room, asked } : room,
    },
  );
}

/** What is broken where a work request of so many elements is posted, and ends so. */
function sends(count: number, status: WcStatus | 'refused', told = true, inline = false): string[] {
  const send_flags: SendFlag[] = inline ? ['IBV_SEND_SIGNALED', 'IBV_SEND_INLINE'] : ['IBV_SEND_SIGNALED'];
  const wr: SendWr = { wr_id: 1, opcode: 'IBV_WR_SEND', sg_list: elements(count), send_flags };
  const trace = limited(told).call(
    { call: 'post_send', qp: 1, wr },
    status === 'refused' ? EINVAL : undefined,
  );
  return (status === 'refused' ? trace : trace.done(1, status)).broken();
}

function receives(count: number, told: boolean): string[] {
  return limited(told)
    .call({ call: 'post_recv', qp: 1, wr: { wr_id: 20, sg_list: elements(count) } })
    .to('SEND_ONLY', 0, { payload: counting(4) })
    .ack(0, 1)
    .add({
      kind: 'completion',
      t: 1e6,
      cq: 1,
      wc: { wr_id: 20, status: 'IBV_WC_SUCCESS', opcode: 'IBV_WC_RECV', byte_len: 4, qp_num: dut.qp },
    })
    .settle()
    .broken();
}

describe('a work request', () => {
  it('is taken with as many elements as there is room for', () => {
    expect(sends(3, 'refused')).toContain('post-send-accepted');
    expect(receives(3, true)).toEqual([]);
  });

  it('does not succeed with more, where the device has told how many', () => {
    expect(sends(4, 'refused')).toEqual([]);
    expect(sends(4, 'IBV_WC_LOC_QP_OP_ERR')).toEqual([]);
    expect(sends(4, 'IBV_WC_SUCCESS')).toContain('send-too-many-elements');
    expect(sends(4, 'IBV_WC_LOC_PROT_ERR')).toContain('send-too-many-elements');
    expect(sends(4, 'IBV_WC_SUCCESS', false)).not.toContain('send-too-many-elements');
    expect(receives(4, true)).toContain('completion-beyond-room');
    expect(receives(4, false)).toEqual([]);
  });

  it('does not succeed with more inline data', () => {
    expect(sends(5, 'IBV_WC_SUCCESS', true, true)).not.toContain('send-too-much-inline');
    const wr: SendWr = {
      wr_id: 1,
      opcode: 'IBV_WR_SEND',
      sg_list: [{ addr: region.addr, length: 20, lkey: region.lkey }],
      send_flags: ['IBV_SEND_SIGNALED', 'IBV_SEND_INLINE'],
    };
    const post = (errno?: number): RcTrace => limited(true).call({ call: 'post_send', qp: 1, wr }, errno);
    expect(post(EINVAL).broken()).toEqual([]);
    expect(post().done(1).broken()).toContain('send-too-much-inline');
    expect(post().done(1, 'IBV_WC_LOC_LEN_ERR').broken()).toEqual([]);
  });
});
