import { describe, expect, it } from 'vitest';
import type { AccessFlag } from '../../../spec/verbs.ts';
import { binding, binds, from, windowPlan, writes } from '../trace/windows.ts';
import { OooTrace } from './trace.ts';

const denied = 0x62;
const traced = (): OooTrace =>
  new OooTrace({ ...windowPlan, capabilities: ['ooo', 'irn', 'memory-windows'], doubts: [] });
const asked = (trace: OooTrace, offset = from): OooTrace =>
  writes(trace, offset, undefined, { offset: 0, ackReq: true });
const taken = (trace: OooTrace): string[] => trace.ack(0, 1, 0).settle().broken();
const refused = (trace: OooTrace): string[] => trace.ack(0, 0, 0, false, denied).settle().broken();

describe('a WRITE to an out-of-order QP by the key of a window', () => {
  it('finds what it is bound to', () => {
    expect(taken(asked(binds(traced())))).toEqual([]);
    expect(refused(asked(binds(traced())))).toEqual(['ooo-nak-called-for']);
  });

  const access: AccessFlag[] = ['IBV_ACCESS_REMOTE_READ'];
  it.each([
    ['beside it', () => asked(binds(traced()), 512)],
    ['by one that grants no such right', () => asked(binds(traced(), { access }))],
    ['by one that another QP has bound', () => asked(binds(traced(), {}, 2))],
  ])('finds nothing %s', (_, trace) => {
    expect(refused(trace())).toEqual([]);
    expect(taken(trace())).toEqual(['ooo-access-refused']);
  });

  it('is not judged where it may find one or not', () => {
    const open = asked(binding(traced())).judge();
    expect([...open.notJudged.keys()]).toContain(
      'memory windows of out-of-order QPs that may be bound or not',
    );
    expect(taken(asked(binding(traced())))).toEqual([]);
    expect(refused(asked(binding(traced())))).toEqual([]);
  });
});
