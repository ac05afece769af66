import type { QpAttr } from '../../spec/verbs.ts';
import type { Memory } from '../device/memory.ts';
import { stateName } from '../device/qp-state.ts';
import { requestErrors } from '../event-word.ts';
import type { When } from '../spot.ts';
import type { TraceEvent } from '../trace.ts';
import { describe, memoryMismatch } from './compare.ts';
import type { Around } from './decide.ts';
import type { End } from './end.ts';
import type { Ends } from './ends.ts';
import type { EffectsBook } from './tables.ts';

const flushed = 'IBV_WC_WR_FLUSH_ERR';

/** At rest: what is left to come is flushed work, and nothing else was seen. */
export function nothingElse(
  { machine, book, ends }: Pick<Around, 'machine' | 'book' | 'ends'>,
  end: End,
  at: When,
): void {
  const { rule, qp } = end;
  const violate = (expected: string, observed: string, event = at.event): void => {
    book.violate(rule, { event, t: at.t, qp: qp.name }, expected, observed);
    ends.broken(end);
  };
  if (machine.flag('sendsFlushed')({}, end)) {
    for (const { wr } of end.sends.splice(0)) {
      const seen = end.sendsSeen.shift();
      if (seen?.wc.wr_id === wr.wr_id && seen.wc.status === flushed) continue;
      const expected = `completion of work request wr_id ${wr.wr_id} with ${flushed}`;
      return violate(expected, describe(seen), seen?.event);
    }
  }
  if (machine.flag('receivesFlushed')({}, end) && qp.srq === undefined) {
    for (const { wr_id } of end.receives.waiting.splice(0)) {
      const seen = end.receivesSeen.shift();
      if (seen?.wc.wr_id === wr_id && seen.wc.status === flushed) continue;
      return violate(`completion of receive wr_id ${wr_id} with ${flushed}`, describe(seen), seen?.event);
    }
  }
  const extra = end.sendsSeen[0] ?? end.receivesSeen[0];
  if (extra !== undefined) return violate('no further completion', describe(extra), extra.event);
  const again = end.eventsSeen.find(({ event }) => requestErrors.has(event.event_type));
  if (again !== undefined) violate('no further event', again.event.event_type, again.index);
}

/** Holds what ibv_query_qp says of the state of a QP against what its work came to. */
export function judgeState(book: EffectsBook, ends: Ends, end: End, attr: QpAttr, at: When): void {
  if (end.lost || end.rule === undefined || attr.qp_state === undefined) return;
  if (ends.open.some(({ from, send }) => from === end || ends.addressee(from, send) === end)) return;
  const seen = stateName(attr.qp_state);
  if (seen === end.qpState) return;
  book.violate(end.rule, { ...at, qp: end.qp.name }, `state ${end.qpState}`, `state ${seen}`);
  ends.broken(end);
}

/** Holds bytes read back from the device's memory against what work left there. */
export function judgeBytes(
  book: EffectsBook,
  ends: Ends,
  memory: Memory,
  { mr, offset, bytes, t }: Extract<TraceEvent, { kind: 'memory' }>,
  event: number,
): void {
  const region = memory.regions.get(mr);
  if (region === undefined || offset < 0 || offset + bytes.length > region.length) return;
  const all = [...ends.all()];
  if (ends.memoryOpen || ends.open.length > 0)
    return book.skip('memory, since the state of a QP was not known');
  const what = memoryMismatch(region, offset, bytes);
  const rule = all.find((end) => end.rule !== undefined)?.rule;
  if (what === undefined) return;
  book.violate(rule, { event, t, qp: all[0]?.qp.name ?? 'memory' }, what.expected, what.observed);
}
