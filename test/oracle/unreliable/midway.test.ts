import { describe, expect, it } from 'vitest';
import { bytes, mtu, reth } from '../trace/packets.ts';
import type { Trace } from '../trace/trace.ts';
import { uc, ud } from './setup.ts';

const full = { payload: bytes(mtu) };
const some = { payload: bytes(8) };
const judged = (trace: Trace): string[] => trace.settle().broken();

describe('a UC QP that software stops in the middle of its messages', () => {
  const two = (): Trace =>
    uc().recv(1024).recv(1024).to('SEND_ONLY', 0, some).to('SEND_FIRST', 1, full).to('SEND_LAST', 2, some);
  const flushed = 'IBV_WC_WR_FLUSH_ERR';

  it('may have received all of them, some or none', () => {
    const failed = (): Trace => two().enter('ERR');
    expect(judged(failed().received(1, 8).received(2, 264))).toEqual([]);
    expect(judged(failed().received(1, 8).done(2, flushed))).toEqual([]);
    expect(judged(failed().done(1, flushed).done(2, flushed))).toEqual([]);
  });

  it('may not have received more than came, something else, or what it has passed over', () => {
    const failed = (): Trace => two().enter('ERR');
    expect(judged(failed().received(1, 9))).toEqual(['uc-receive-length']);
    expect(judged(failed().received(1, 8).received(2, 263))).toEqual(['uc-receive-length']);
    expect(judged(failed().received(2, 264))).not.toEqual([]);
    expect(judged(failed().done(1, flushed).received(2, 264))).not.toEqual([]);
    expect(judged(failed().to('SEND_ONLY', 3, some).done(1, flushed).received(2, 8))).not.toEqual([]);
  });

  it('knows nothing of them in the life behind RESET', () => {
    const judging = { judged: /^unreliable\/(uc|ud)-/ };
    const life = (trace: Trace): Trace =>
      trace.enter('INIT').settle().enter('RTR', { rq_psn: 0 }).enter('RTS');
    const anew = (): Trace =>
      life(uc(judging).recv(1024).to('SEND_FIRST', 0, full).enter('RESET'))
        .recv(1024)
        .to('SEND_LAST', 0, some);
    expect(judged(anew())).toEqual([]);
    expect(judged(anew().received(1, 264))).toEqual(['uc-no-message']);
    expect(judged(anew().received(2, 8))).toEqual(['uc-no-message']);
    const whole = (): Trace => anew().to('SEND_ONLY', 1, some);
    expect(judged(whole())).toEqual(['uc-restarts-after-loss']);
    expect(judged(whole().received(2, 8))).toEqual([]);
  });

  it('may have its completions taken behind RESET, and no longer after a rest', () => {
    const ended = (): Trace => two().enter('RESET');
    expect(judged(ended().received(1, 8).received(2, 264))).toEqual([]);
    expect(judged(ended().received(1, 8).received(1, 8))).toEqual(['unreliable-receive-undue']);
    expect(judged(ended().settle().received(1, 8))).toEqual(['unreliable-receive-undue']);
  });

  it('has left behind what nobody can tell, and touched nothing else', () => {
    const write = (): Trace =>
      uc()
        .to('RDMA_WRITE_ONLY', 0, { ...some, ...reth(8) })
        .enter('ERR')
        .settle();
    expect(judged(write().memory(0, bytes(8)))).toEqual([]);
    expect(judged(write().memory(0, bytes(8, 0)))).toEqual([]);
    expect(judged(write().memory(8, bytes(8)))).toEqual(['unreliable-memory-unnamed']);
  });
});

describe('a UD QP that software stops', () => {
  it('may have received a datagram or not', () => {
    const failed = (): Trace => ud().recv(1024).to('SEND_ONLY', 0, some).enter('ERR');
    expect(judged(failed().received(1, 48))).toEqual([]);
    expect(judged(failed().done(1, 'IBV_WC_WR_FLUSH_ERR'))).toEqual([]);
    expect(judged(failed().received(1, 47))).toEqual(['ud-receive-length']);
  });
});
