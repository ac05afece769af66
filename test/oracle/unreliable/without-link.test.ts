import { describe, expect, it } from 'vitest';
import { bytes, mtu } from '../trace/packets.ts';
import type { Trace } from '../trace/trace.ts';
import { uc, ud } from './setup.ts';

const some = { payload: bytes(16, 0) };

describe.each([
  ['UC', uc],
  ['UD', ud],
] as const)('work of %s that is posted without a link', (_, make) => {
  const posted = (trace = make()): Trace => trace.settle().link(false).send();

  it('is lost or waits as long as there is none', () => {
    expect(posted().settle().broken()).toEqual([]);
    expect(posted().sent(1).settle().broken()).toEqual([]);
  });

  it('has completed when everything is at rest with the link back', () => {
    expect(posted().settle().link(true).settle().broken()).toEqual(['unreliable-outage-completes']);
    expect(posted().settle().link(true).sent(1).settle().broken()).toEqual([]);
    expect(posted().link(true).from('SEND_ONLY', 0, some).sent(1).settle().broken()).toEqual([]);
  });

  it('needs no completion that it has not asked for', () => {
    const quiet = make().settle().link(false).send({ send_flags: [] }).settle().link(true);
    expect(quiet.settle().broken()).toEqual([]);
  });

  it('leaves open which PSN comes next, and nothing else', () => {
    const back = (): Trace => posted().sent(1).settle().link(true).settle().send();
    expect(back().from('SEND_ONLY', 0, some).sent(2).settle().broken()).toEqual([]);
    expect(back().from('SEND_ONLY', 1, some).sent(2).settle().broken()).toEqual([]);
    expect(back().settle().broken()).toEqual(['unreliable-send-owed']);
    expect(
      back()
        .from('SEND_ONLY', 1, { payload: bytes(16, 1) })
        .sent(2)
        .settle()
        .broken(),
    ).toEqual(['unreliable-request-payload']);
  });

  it('was under way, perhaps, when the link went', () => {
    const underWay = (): Trace => make().send({ length: 16 }).link(false).settle().link(true);
    expect(underWay().settle().broken()).toEqual(['unreliable-outage-completes']);
    expect(underWay().sent(1).settle().broken()).toEqual([]);
  });

  it('is not judged where software stops the QP meanwhile', () => {
    expect(posted().enter('SQD').settle().link(true).settle().broken()).toEqual([
      'qp 0x000011: the link was down',
    ]);
  });
});

describe('packets that are sent to a port without a link', () => {
  const lost = (trace = uc()): Trace => trace.recv().recv().settle().link(false).to('SEND_ONLY', 0, some);

  it('never come', () => {
    expect(lost().settle().broken()).toEqual([]);
    expect(lost().received(1, 16).settle().broken()).toEqual(['unreliable-receive-undue']);
    const next = (): Trace => lost().settle().link(true).settle().to('SEND_ONLY', 1, some);
    expect(next().received(1, 16).settle().broken()).toEqual([]);
    expect(next().received(2, 16).settle().broken()).toEqual(['unreliable-receive-order']);
  });

  it('leave a message as it was that has come in part', () => {
    const full = { payload: bytes(mtu, 0) };
    const part = (): Trace =>
      uc()
        .recv(2 * mtu)
        .to('SEND_FIRST', 0, full)
        .settle()
        .link(false)
        .settle()
        .link(true);
    expect(
      part()
        .to('SEND_LAST', 1, some)
        .received(1, mtu + 16)
        .settle()
        .broken(),
    ).toEqual([]);
    expect(part().to('SEND_LAST', 1, some).settle().broken()).toEqual(['uc-receive-completes']);
  });
});
