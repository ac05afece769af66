import { byteText } from '../device/byte-text.ts';
import { classesIn, firstDifference, readMemory } from '../device/memory.ts';
import type { Lookup } from '../rulebook/lookup.ts';
import type { RequesterTables } from '../rc-requester/requester.ts';
import { outcomeWord } from '../rulebook/outcome.ts';
import type { TraceEvent } from '../trace.ts';
import { stateName } from '../device/qp-state.ts';
import type { Device } from '../device/devices.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { Paths } from '../path-migration/paths.ts';
import type { Requesters } from '../rc-requester/requesters.ts';

/** Tables for what software reads back. */
export interface ReadBackTables {
  state: Lookup;
  bytes: Lookup;
  requester: RequesterTables;
}

/** What there is to hold it against. */
export interface ReadBack {
  ledger: Ledger;
  device: Device;
  requesters: Requesters;
  paths: Paths;
  tables: ReadBackTables;
}

type QueryEvent = Extract<TraceEvent, { kind: 'call'; call: 'query_qp' }>;
type MemoryEvent = Extract<TraceEvent, { kind: 'memory' }>;

/** Holds what ibv_query_qp says of the QP's state against both roles. */
export function judgeQuery(
  { ledger, device, requesters, paths, tables }: ReadBack,
  event: QueryEvent,
  index: number,
): void {
  const judge = device.byHandle.get(event.qp);
  if (judge === undefined || judge.lost || judge.unsettled || event.attr.qp_state === undefined) return;
  const { state, connection } = judge;
  const requester = requesters.of(event.qp);
  if (requester?.lost === true || requester?.unsettled === true) return;
  const failed = requester?.failed === true;
  const found = [
    ...(failed ? [] : tables.state({ faulted: state.faulted ? 'fatal' : 'none' })),
    ...(state.faulted ? [] : tables.requester.state({ requesterFailed: failed ? 'failed' : 'working' })),
  ];
  ledger.exercise(found);
  paths.query(requester, event.attr, { event: index, t: event.t });
  const seen = stateName(event.attr.qp_state);
  for (const rule of found) {
    const want = outcomeWord(rule.outcomes[0] ?? {}, 'qp') === 'error' ? 'ERR' : state.softwareState;
    if (seen === want) continue;
    const { name } = connection;
    ledger.violate({
      rule: rule.id,
      event: index,
      t: event.t,
      qp: name,
      expected: `state ${want}`,
      observed: `state ${seen}`,
    });
  }
}

/** Holds bytes read back from the device's memory against what requests and responses did to it. */
export function judgeMemory(
  { ledger, device, requesters: all, tables }: ReadBack,
  event: MemoryEvent,
  index: number,
): void {
  const region = device.memory.regions.get(event.mr);
  if (region === undefined) return ledger.skip('memory that no verbs call registered');
  // guard bytes belong to no region
  if (event.offset < 0 || event.offset >= region.length) return;
  const judges = [...device.byHandle.values()];
  if (judges.some((judge) => judge.lost || judge.unsettled))
    return ledger.skip('memory, since the state of a QP was not known');
  const requesters = [...all.all()];
  if (requesters.some((judge) => judge.lost || judge.unsettled))
    return ledger.skip('memory, since the state of a requester was not known');
  const writers = [
    ...judges.map(({ state }) => [state.memory]),
    ...requesters.map(({ memories }) => memories),
  ];
  const [heads = [undefined], other] = writers.filter((w) => w.some((head) => head !== undefined));
  if (other !== undefined) return ledger.skip('memory that several QPs were writing');
  const view = readMemory(heads[0], region, event.offset, event.bytes.length);
  const { bytes } = view;
  // several ways may explain what was seen: it must be as one of them leaves it
  const explained = heads
    .slice(1)
    .some((h) => firstDifference(readMemory(h, region, event.offset, event.bytes.length), event.bytes) < 0);
  const wrong = explained ? -1 : firstDifference(view, event.bytes);
  for (const name of classesIn(region, heads[0])) {
    const found = tables.bytes({ bytes: name });
    ledger.exercise(found);
    if (wrong < 0 || view.classAt(wrong) !== name) continue;
    for (const rule of found) {
      if (outcomeWord(rule.outcomes[0] ?? {}, 'mustContent') === 'any') continue;
      const at = `byte ${event.offset + wrong} of region ${event.mr}`;
      ledger.violate({
        rule: rule.id,
        event: index,
        t: event.t,
        qp: judges[0]?.connection.name ?? 'memory',
        expected: `${at} = ${byteText(bytes[wrong])}`,
        observed: byteText(event.bytes[wrong]),
      });
    }
  }
}
