import { dcqcnTolerance } from '../../spec/dcqcn.ts';
import type { Backlog } from './backlog.ts';
import type { Limiter } from './limiter.ts';
import { mtuOf } from './qps.ts';
import type { CongestionContext } from './context.ts';

/** Bytes of all headers of a packet, at the most. */
export const headroom = 128;

/** Something that a limited QP should have told by now, or a packet that it should have sent. */
export interface Awaited {
  what: 'cut' | 'alpha-slot' | 'timer' | 'bytes' | 'packet';
  since: number;
  /** index of the event that called for it, if it was one */
  event?: number;
  expected: string;
}

/** The packet that should have left by now, of a QP with nothing to wait for but its rate. */
export function packetAwaited(
  { since, slowest }: Backlog,
  { qp, told }: Limiter,
  context: CongestionContext,
  t: number,
): Awaited | undefined {
  // a PAUSE of the switch holds packets back as well
  if (since === undefined || told === undefined || context.header.path !== undefined) return undefined;
  const { burst, pace } = dcqcnTolerance();
  const rate = Math.min(slowest, told.rate);
  const bound = ((burst * (mtuOf(qp) + headroom) * 8e9) / rate) * (1 + pace);
  if (context.waited(since, t) <= bound + context.slack) return undefined;
  const expected = `the next packet within ${Math.ceil(bound + context.slack)} ns at ${Math.round(rate / 1e6)} Mb/s`;
  return { what: 'packet', since, expected };
}

/** What is overdue of a limited QP, its slack included; at most one thing of each kind. */
export function* awaited(limiter: Limiter, context: CongestionContext, t: number): Generator<Awaited> {
  const parameters = context.profile?.dcqcn;
  if (parameters === undefined) return;
  const over = (since: number | undefined, span: number): since is number =>
    since !== undefined && context.waited(since, t) > span + context.slack;
  const { oldestUncut, lastCut, slotEnd, started, idleSince } = limiter;
  const { decreaseSlot, alphaSlot, timer, bytes } = parameters;
  // a CNP that came while a slot held a cut already may be taken for part of it
  const held = oldestUncut !== undefined && lastCut !== undefined && oldestUncut.t - lastCut < decreaseSlot;
  if (oldestUncut !== undefined && !held && over(oldestUncut.t, decreaseSlot))
    yield {
      what: 'cut',
      since: oldestUncut.t,
      event: oldestUncut.event,
      expected: `a cut within ${decreaseSlot} ns of the CNP`,
    };
  const slotSince = slotEnd ?? started;
  if (over(slotSince, alphaSlot))
    yield { what: 'alpha-slot', since: slotSince, expected: `the end of a slot after ${alphaSlot} ns` };
  if (over(idleSince, timer))
    yield { what: 'timer', since: idleSince, expected: `an increase after ${timer} ns` };
  if (idleSince !== undefined && limiter.bytesFull !== undefined && over(limiter.bytesFull, 0))
    yield { what: 'bytes', since: idleSince, expected: `an increase after ${bytes} bytes` };
}
