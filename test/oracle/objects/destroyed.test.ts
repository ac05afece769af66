import { describe, expect, it } from 'vitest';
import { answer, bytes, mtu, reth } from '../trace/packets.ts';
import { RcTrace } from '../trace/rc.ts';
import type { Trace } from '../trace/trace.ts';
import { uc } from '../unreliable/setup.ts';

const capabilities = ['destroy-calls'];
const rc = (): RcTrace => new RcTrace({}, { capabilities });
const ucQp = (): Trace => uc({ capabilities });
const gone = <T extends Trace>(trace: T): T => trace.call({ call: 'destroy_qp', qp: 1 });
const broken = (trace: Trace): string[] => [...trace.broken(), ...trace.judge().inconclusive];
const late = 1e7;
const some = { payload: bytes(8) };

describe('a QP that is destroyed', () => {
  const asked = (): RcTrace => rc().to('SEND_ONLY', 0).recv();

  it('may have sent packets just before, and sends none behind it', () => {
    const acked = (ns: number): string[] =>
      broken(gone(asked().recv()).wait(ns).from('ACKNOWLEDGE', 0, answer(1)));
    expect(acked(0)).toEqual([]);
    expect(acked(late)).toEqual(['destroyed-qp-silent']);
  });

  it('sends nothing again', () => {
    const again = (ns: number): string[] =>
      broken(
        gone(
          rc()
            .send()
            .from('SEND_ONLY', 0, { payload: bytes(16, 0) }),
        )
          .wait(ns)
          .from('SEND_ONLY', 0, { payload: bytes(16, 0) }),
      );
    expect(again(0)).toEqual([]);
    expect(again(late)).toEqual(['destroyed-qp-silent']);
  });

  it('may have completions in its CQ, until software has found that empty', () => {
    const taken = (rest: boolean): string[] => {
      const trace = gone(
        rc()
          .send()
          .from('SEND_ONLY', 0, { payload: bytes(16, 0) }),
      );
      return broken((rest ? trace.settle() : trace).sent(1));
    };
    expect(taken(false)).toEqual([]);
    expect(taken(true)).toEqual(['destroyed-qp-completes-nothing']);
  });

  it('has another one in its place where its number comes again', () => {
    const trace = gone(rc()).settle();
    trace.qp({ qp: 2, number: 0x11, peer: 0x22 });
    const write = { ...some, ...reth(8) };
    expect(broken(trace.wait(late).to('RDMA_WRITE_ONLY', 0, write).ack(0, 1).settle())).toEqual([]);
  });

  it('answers no packet that comes behind it', () => {
    const trace = gone(rc().recv()).settle().wait(late).to('SEND_ONLY', 0);
    expect(broken(trace.from('ACKNOWLEDGE', 0, answer(1)))).toEqual(['destroyed-qp-silent']);
  });

  it('leaves in memory what it did, and what nobody can tell of a WRITE that was on its way', () => {
    const written = (rest: boolean): RcTrace => {
      const trace = rc().to('RDMA_WRITE_ONLY', 0, { ...some, ...reth(8) });
      return gone(rest ? trace.ack(0, 1).settle() : trace).settle();
    };
    expect(broken(written(false).memory(0, bytes(8)))).toEqual([]);
    expect(broken(written(false).memory(0, bytes(8, 0)))).toEqual([]);
    expect(broken(written(false).memory(0, bytes(8, 1)))).not.toEqual([]);
    expect(broken(written(false).memory(8, bytes(8)))).not.toEqual([]);
    expect(broken(written(true).memory(0, bytes(8)))).toEqual([]);
    expect(broken(written(true).memory(0, bytes(8, 0)))).not.toEqual([]);
  });

  it('of UC leaves what nobody can tell of a WRITE that was on its way, and receives nothing more', () => {
    const written = (): Trace =>
      gone(ucQp().to('RDMA_WRITE_FIRST', 0, { payload: bytes(mtu), ...reth(2 * mtu) }));
    const rested = (): Trace =>
      written()
        .settle()
        .to('RDMA_WRITE_LAST', 1, { payload: bytes(mtu) })
        .settle();
    expect(broken(rested().memory(0, bytes(mtu)))).toEqual([]);
    expect(broken(rested().memory(0, bytes(mtu, 0)))).toEqual([]);
    expect(broken(rested().memory(mtu, bytes(mtu)))).not.toEqual([]);
  });
});
