import { describe, expect, it } from 'vitest';
import type { WrOpcode } from '../../../spec/verbs.ts';
import { RcTrace } from '../trace/rc.ts';

const none = 0;
const one = 1;

describe('a requester whose far end has no receive WQE left', () => {
  const waits = (credits: number, opcode: WrOpcode): string[] =>
    new RcTrace()
      .posts('IBV_WR_SEND')
      .sends(0)
      .acked(0, credits)
      .sent(1)
      .settle()
      .posts(opcode)
      .settle()
      .broken();

  it('may wait for credits with what takes one', () => {
    expect(waits(none, 'IBV_WR_SEND')).toEqual([]);
    expect(waits(none, 'IBV_WR_RDMA_WRITE_WITH_IMM')).toEqual([]);
  });

  it('goes on with what takes none, or where there are some', () => {
    expect(waits(none, 'IBV_WR_RDMA_WRITE')).toEqual(['rc-send-queue-goes-on']);
    expect(waits(none, 'IBV_WR_RDMA_READ')).toEqual(['rc-send-queue-goes-on']);
    expect(waits(one, 'IBV_WR_SEND')).toEqual(['rc-send-queue-goes-on']);
  });

  it('may send one message all the same', () => {
    const sent = new RcTrace().posts('IBV_WR_SEND').sends(0).acked(0, none).sent(1).settle();
    expect(sent.posts('IBV_WR_SEND').sends(1).acked(1).sent(2).settle().broken()).toEqual([]);
  });
});
