import type { TraceEvent } from '../../../oracle/index.ts';
import { calls, changed, inserted, moved, of, packets, rewritten, type View } from './view.ts';

const nothing = (): TraceEvent[] => [];
const twice = (event: TraceEvent): TraceEvent[] => [event, event];

/** All that happened behind the middle comes `factor` times as late after what was before it. */
function paced(factor: number): View {
  return ({ header, events }) => {
    const from = events[events.length >> 1]?.t ?? 0;
    const at = (t: number): number => (t <= from ? t : from + Math.round((t - from) * factor));
    return {
      header,
      events: events.map((event) => {
        const t = at(event.t);
        if (event.kind === 'stall') return { ...event, t, until: at(event.until) };
        return 'start' in event ? { ...event, t, start: at(event.start) } : { ...event, t };
      }),
    };
  };
}

function flipped(event: TraceEvent): TraceEvent[] {
  if (event.kind !== 'memory') return [event];
  const bytes = Uint8Array.from(event.bytes);
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  return [{ ...event, bytes }];
}

function turned(event: TraceEvent): TraceEvent[] {
  if (event.kind !== 'completion') return [event];
  const { wc } = event;
  const status = wc.status === 'IBV_WC_SUCCESS' ? 'IBV_WC_REM_ACCESS_ERR' : 'IBV_WC_SUCCESS';
  return [{ ...event, wc: { ...wc, status } }];
}

/** The call that made the newest QP. */
function creation(before: readonly TraceEvent[]): Extract<TraceEvent, { call: 'create_qp' }> | undefined {
  for (const event of before.toReversed())
    if (event.kind === 'call' && event.call === 'create_qp') return event;
  return undefined;
}

function state(qp_state: 'IBV_QPS_ERR' | 'IBV_QPS_RESET' | 'IBV_QPS_SQD'): View {
  return inserted(0.6, (t, before) => {
    const made = creation(before);
    return made && { kind: 'call', t, start: t, call: 'modify_qp', qp: made.qp, attr: { qp_state } };
  });
}

function event(event_type: 'IBV_EVENT_QP_FATAL' | 'IBV_EVENT_CQ_ERR' | 'IBV_EVENT_COMM_EST'): View {
  return inserted(0.6, (t, before) => {
    const made = creation(before);
    if (made === undefined) return undefined;
    const whose = event_type === 'IBV_EVENT_CQ_ERR' ? { cq: made.recv_cq } : { qp_num: made.qp_num };
    return { kind: 'async', t, event: { event_type, ...whose } };
  });
}

/** Another QP on the same CQs and SRQ. */
const twin = inserted(0.4, (t, before) => {
  const made = creation(before);
  return made && { ...made, t, start: t, qp: made.qp + 1000, qp_num: made.qp_num + 1000 };
});

const destroyed = inserted(0.6, (t, before) => {
  const made = creation(before);
  return made && { kind: 'call', t, start: t, call: 'destroy_qp', qp: made.qp };
});

const psnMask = 0xff_ffff;
const answer = packets('from-dut');
const request = packets('to-dut');

/** Traces of devices and peers that did something else, once. */
export const spoiled: Readonly<Record<string, View>> = {
  'packet of the device lost': changed(answer, nothing),
  'packet of the device twice': changed(answer, twice),
  'packet of the device late': moved(answer),
  'packet of the device with another PSN': changed(
    answer,
    rewritten(({ psn }) => ({ psn: (psn + 1) & psnMask })),
  ),
  'answer with another syndrome': changed(
    answer,
    rewritten(({ aeth }) => aeth && { aeth: { ...aeth, syndrome: aeth.syndrome < 0x20 ? 0x63 : 0x1f } }),
  ),
  'answer with another MSN': changed(
    answer,
    rewritten(({ aeth }) => aeth && { aeth: { ...aeth, msn: (aeth.msn + 1) & psnMask } }),
  ),
  'data of the device changed': changed(
    answer,
    rewritten(({ payload }) =>
      payload.length === 0 ? undefined : { payload: payload.map((byte) => byte ^ 0xff) },
    ),
  ),
  'packet to the device unseen': changed(request, nothing),
  'packet to the device twice': changed(request, twice),
  'packet to the device with another PSN': changed(
    request,
    rewritten(({ psn }) => ({ psn: (psn + 1) & psnMask })),
  ),
  'packet to another QP': changed(
    request,
    rewritten(({ destQp }) => ({ destQp: (destQp + 77) & 0xff_ffff })),
  ),
  'completion lost': changed(of('completion'), nothing),
  'completion twice': changed(of('completion'), twice),
  'completion turned': changed(of('completion'), turned),
  'completion late': moved(of('completion')),
  'memory changed': changed(of('memory'), flipped),
  'event lost': changed(of('async'), nothing),
  'event twice': changed(of('async'), twice),
  'rate lost': changed(of('rate'), nothing),
  'call unseen': changed(of('call'), nothing),
  'receive late': moved(calls('post_recv', 'post_srq_recv')),
  slow: paced(3),
  hasty: paced(0.3),
  twin,
  destroyed,
  reset: state('IBV_QPS_RESET'),
  'in error': state('IBV_QPS_ERR'),
  drained: state('IBV_QPS_SQD'),
  'QP fatal': event('IBV_EVENT_QP_FATAL'),
  'CQ in error': event('IBV_EVENT_CQ_ERR'),
  established: event('IBV_EVENT_COMM_EST'),
  'link down': inserted(0.6, (t) => ({ kind: 'link', t, start: t, up: false })),
};
