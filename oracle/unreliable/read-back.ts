import { byteText } from '../device/byte-text.ts';
import { classesIn, names } from '../device/memory.ts';
import { readBack } from '../device/read-back.ts';
import { ruleWord } from '../rulebook/outcome.ts';
import type { UnreliableBook } from './tables.ts';
import type { TraceEvent } from '../trace.ts';
import { stateName } from '../device/qp-state.ts';
import type { QpAttr } from '../../spec/verbs.ts';
import type { Memory, MemoryNode, Region } from '../device/memory.ts';
import type { When } from '../spot.ts';
import type { UnreliablePair } from './pair.ts';

type MemoryEvent = Extract<TraceEvent, { kind: 'memory' }>;

function headsOf({ receiver }: UnreliablePair): (MemoryNode | undefined)[] {
  return receiver.ways.all.map((state) => state.memory);
}

/** Whether UC or UD QPs have done something to a region that may still turn out to be otherwise, or may have. */
export function mayWrite(pairs: readonly UnreliablePair[], region: Region | undefined): boolean {
  if (region === undefined) return false;
  return pairs.some(
    (pair) =>
      (pair.qp.reaches(region.pd) && (pair.receiver.lost || pair.receiver.unsettled)) ||
      headsOf(pair).some((head) => names(head, region)),
  );
}

/** Holds bytes read back from the memory of a device that has UC and UD QPs alone against what they received. */
export function judgeUnreliableMemory(
  around: { pairs: readonly UnreliablePair[]; book: UnreliableBook; memory: Memory },
  event: MemoryEvent,
  index: number,
): void {
  const { pairs, book, memory } = around;
  const region = memory.regions.get(event.mr);
  if (region === undefined) return book.skip('memory that no verbs call registered');
  const { offset, bytes: seen } = event;
  // beside the region stand bytes that belong to nobody
  if (offset < 0 || offset + seen.length > region.length) return;
  if (pairs.some(({ receiver }) => receiver.lost || receiver.unsettled))
    return book.skip('memory, since the state of a QP was not known');
  const found = readBack(pairs.map(headsOf), region, offset, seen);
  if (found === undefined) return book.skip('memory that several QPs were writing');
  const { head, view, wrong } = found;
  for (const name of classesIn(region, head)) {
    const rules = book.decide('uc-ud-responder-memory', { by: { bytes: name } });
    if (wrong < 0 || view.classAt(wrong) !== name) continue;
    const byte = seen[wrong] ?? 0;
    const culprits = pairs.map(({ receiver }) => receiver.discards.writing(region, offset + wrong, byte));
    const violatedRule = culprits.find((rule) => rule !== undefined);
    const demanding = rules.filter((rule) => ruleWord(rule, 'mustContent') !== undefined);
    for (const rule of [...(violatedRule === undefined ? [] : [violatedRule]), ...demanding]) {
      const expected = `byte ${offset + wrong} of region ${event.mr} = ${byteText(view.bytes[wrong])}`;
      const qp = pairs[0]?.qp.name ?? 'memory';
      book.violate(rule, { event: index, t: event.t, qp }, expected, byteText(byte));
    }
  }
}

/** Holds what ibv_query_qp says of the state of a UC or UD QP against what has happened to it. */
export function judgeUnreliableState(
  { qp, receiver, sender }: UnreliablePair,
  book: UnreliableBook,
  attr: QpAttr,
  { event, t }: When,
): void {
  if (receiver.lost || receiver.unsettled || sender.lost || sender.unsettled) return;
  if (attr.qp_state === undefined) return;
  const faulted = receiver.ways.all.some((state) => state.faulted);
  const seen = stateName(attr.qp_state);
  const inputs = { qp, receiver: { faulted, mayHaveFailed: false }, query: { qp_state: seen } };
  const [wrong] = book.broken('uc-ud-state', 'qpKept', { inputs, variables: sender.sending });
  book.violate(wrong, { event, t, qp: qp.name }, `state ${qp.state}`, `state ${seen}`);
}
