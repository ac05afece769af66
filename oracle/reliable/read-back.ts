import type { QpAttr } from '../../spec/verbs.ts';
import { byteText } from '../device/byte-text.ts';
import { classesIn, type Memory } from '../device/memory.ts';
import { readBack } from '../device/read-back.ts';
import { stateName } from '../device/qp-state.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import type { When } from '../spot.ts';
import type { TraceEvent } from '../trace.ts';
import type { ReliablePair } from './pair.ts';
import type { Paths } from './paths.ts';
import type { ReliableBook, ReliableRules } from './rules.ts';

/** What there is to hold it against. */
export interface ReadBack {
  book: ReliableBook;
  paths: Paths;
  rules: ReliableRules;
}

type MemoryEvent = Extract<TraceEvent, { kind: 'memory' }>;

/** Holds what ibv_query_qp says of the QP's state against both roles. */
export function judgeQuery(
  { book, paths, rules }: ReadBack,
  pair: ReliablePair,
  attr: QpAttr,
  { event, t }: When,
): void {
  const { qp, responder, requester, open } = pair;
  if (open || attr.qp_state === undefined) return;
  paths.query(pair, attr, { event, t });
  const { state } = responder;
  const failed = requester?.failed === true;
  const found = [
    ...(failed ? [] : book.ask('rc-responder-state', { faulted: state.faulted ? 'fatal' : 'none' })),
    ...(state.faulted ? [] : rules.requester.state.by({ requesterFailed: failed ? 'failed' : 'working' })),
  ];
  const seen = stateName(attr.qp_state);
  const wanted = found.map((rule) => (ruleWord(rule, 'qp') === 'error' ? 'ERR' : state.softwareState));
  // software may not have polled the completion of the work that failed
  if (seen === 'ERR' && pair.mayHaveFailed({ event, t }) && wanted.some((want) => want !== seen)) return;
  book.exercise(found);
  for (const [i, rule] of found.entries())
    if (wanted[i] !== seen)
      book.violate(rule, { event, t, qp: qp.name }, `state ${wanted[i]}`, `state ${seen}`);
}

/** Holds bytes read back from the device's memory against what requests and responses did to it. */
export function judgeMemory(
  { book }: ReadBack,
  pairs: readonly ReliablePair[],
  memory: Memory,
  event: MemoryEvent,
  index: number,
): void {
  const region = memory.regions.get(event.mr);
  if (region === undefined) return book.skip('memory that no verbs call registered');
  // guard bytes belong to no region
  if (event.offset < 0 || event.offset >= region.length) return;
  if (pairs.some(({ responder }) => responder.lost || responder.unsettled))
    return book.skip('memory, since the state of a QP was not known');
  if (pairs.some(({ open }) => open))
    return book.skip('memory, since the state of a requester was not known');
  const writers = [
    ...pairs.map(({ responder }) => responder.memories),
    ...pairs.map(({ requester }) => requester?.memories ?? []),
  ];
  const found = readBack(writers, region, event.offset, event.bytes);
  if (found === undefined) return book.skip('memory that several QPs were writing');
  const { head, view, wrong } = found;
  for (const name of classesIn(region, head)) {
    const rules = book.decide('rc-responder-memory', { bytes: name });
    if (wrong < 0 || view.classAt(wrong) !== name) continue;
    for (const rule of rules) {
      if (ruleWord(rule, 'mustContent') === undefined) continue;
      const at = `byte ${event.offset + wrong} of region ${event.mr}`;
      const spot = { event: index, t: event.t, qp: pairs[0]?.qp.name ?? 'memory' };
      book.violate(rule, spot, `${at} = ${byteText(view.bytes[wrong])}`, byteText(event.bytes[wrong]));
    }
  }
}
