import { describe, expect, it } from 'vitest';
import { bytes, reth } from '../trace/packets.ts';
import { VerbsTrace } from './trace.ts';

const raised = 'IBV_EVENT_COMM_EST';
const onward = { sq_psn: 100, timeout: 14, retry_cnt: 7, rnr_retry: 6, max_rd_atomic: 1 } as const;
const written = { ...reth(8), payload: bytes(8), ackReq: false };
const announced = (service: 'RC' | 'UC'): VerbsTrace =>
  new VerbsTrace({ service, state: 'RTR' }).receives(1).to('RDMA_WRITE_ONLY', 0, written).event(raised);

describe('IBV_EVENT_COMM_EST of a QP that is not in RTR', () => {
  const at = (service: 'RC' | 'UC' | 'UD', state: 'RESET' | 'INIT' | 'RTS'): VerbsTrace =>
    new VerbsTrace({ service, state });

  it('does not come before RTR', () => {
    for (const state of ['RESET', 'INIT'] as const)
      for (const service of ['RC', 'UC', 'UD'] as const)
        expect(at(service, state).event(raised).settle().broken()).toEqual(['established-unready']);
    expect(at('RC', 'INIT').to('RDMA_WRITE_ONLY', 0, written).event(raised).settle().broken()).toEqual([
      'established-unready',
    ]);
  });

  it('does not come a second time behind RTR, or out of nothing', () => {
    const again = announced('RC').settle().enter('RTS', onward).to('RDMA_WRITE_ONLY', 1, written);
    expect(again.settle().broken()).toEqual([]);
    expect(again.event(raised).settle().broken()).toEqual(['established-reliable-behind']);
    expect(at('RC', 'RTS').event(raised).settle().broken()).toEqual(['established-reliable-behind']);
  });

  it('may come for a packet before, or for the first one', () => {
    const late = new VerbsTrace({ service: 'RC', state: 'RTR' }).to('RDMA_WRITE_ONLY', 0, written);
    expect(late.enter('RTS', onward).event(raised).settle().broken()).toEqual([]);
    const first = at('RC', 'RTS').to('RDMA_WRITE_ONLY', 0, written);
    expect(first.event(raised).settle().broken()).toEqual([]);
  });

  it('may come behind the RESET that has ended its life, and once more in the next', () => {
    for (const service of ['RC', 'UC'] as const) {
      const ended = (): VerbsTrace =>
        new VerbsTrace({ service, state: 'RTR' }).receives(1).to('RDMA_WRITE_ONLY', 0, written);
      expect(ended().enter('RESET').event(raised).settle().broken()).toEqual([]);
      expect(ended().restart(100).event(raised).settle().broken()).toEqual([]);
      const both = (): VerbsTrace => ended().restart(100).to('RDMA_WRITE_ONLY', 0, written).event(raised);
      expect(both().event(raised).settle().broken()).toEqual([]);
      expect(both().event(raised).enter('ERR').event(raised).settle().broken()).not.toEqual([]);
    }
  });

  it('is of this life once everything was at rest', () => {
    const ended = announced('UC').settle().enter('RESET').settle();
    expect(ended.event(raised).settle().broken()).toEqual(['established-unready']);
    const silent = new VerbsTrace({ service: 'UC', state: 'RTR' }).to('RDMA_WRITE_ONLY', 0, written);
    expect(silent.enter('RESET').settle().event(raised).settle().broken()).toEqual(['established-unready']);
  });
});
