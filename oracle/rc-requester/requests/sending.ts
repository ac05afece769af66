import type { Packet } from '../../../wire/packet.ts';
import type { Rule } from '../../rules.ts';
import { wrongMigReq } from '../../path-migration/tables.ts';
import { unmetDemands } from './demands.ts';
import { RequesterEvent } from '../inputs.ts';
import { openWork } from '../responses/memory.ts';
import type { Finding, Requester } from '../requester.ts';
import { expiryOf } from '../requester.ts';
import type { RequesterState, RetransmitCause } from '../state.ts';
import { onlyRule } from '../tables.ts';
import type { RequesterTables } from '../tables.ts';
import { causeFor } from '../retransmission/cause.ts';
import { rnrNaks } from '../retransmission/pending.ts';
import { outcomeWord } from '../../rulebook/outcome.ts';
import { inUnits } from '../../time.ts';
import type { WorkItem } from '../../device/queues/send-queue.ts';

/** What the rules say to a request packet that the device sent. `order`: it must not be sent here at all. */
export interface Sending {
  rules: readonly Rule[];
  order: Finding | undefined;
  unmet: readonly Finding[];
}

/** Holds a request packet against the state, and moves the state on. */
export function sendPacket(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  packet: Packet,
  t: number,
): Sending {
  const { psn } = packet;
  const item = requester.work.find(psn, state.head, state.tail);
  const { machine } = state;
  const seen = new RequesterEvent(requester, state, t, { packet, work: item, sent: true });
  const place = machine.place(seen, state);
  const rules: Rule[] = [];
  const cause = place === 'back' ? causeFor({ requester, tables, state, packet, event: seen, t }) : undefined;
  const transmission = onlyRule(
    tables.transmission.at(seen, state, { retransmitCause: cause?.retransmitCause ?? 'none' }),
  );
  rules.push(...(cause?.rules ?? []), transmission);
  let order: Finding | undefined;
  if (cause?.denied !== undefined)
    order = tooLate(cause.denied, state, packet, t) ?? denial(cause.denied, state, packet, item);
  else if (outcomeWord(transmission.outcomes[0] ?? {}, 'sends') === 'forbidden')
    order = denial(transmission, state, packet, item);
  if (order !== undefined) {
    const other = place === 'completed' ? otherThanComplete(requester, tables, state, packet, t) : undefined;
    if (other === undefined) return { rules, order, unmet: [] };
    return { rules: [...rules, other.rule], order: other, unmet: [] };
  }
  if (item === undefined) {
    machine.steps.sent(seen, state);
    return { rules, order, unmet: unmetOfComplete(requester, tables, state, packet, t) };
  }

  const first = machine.copy(seen, state) === 'first';
  const demands = tables.request.at(seen, state);
  rules.push(...demands);
  const migReq = wrongMigReq(tables.migration, requester.connection, state.migration, packet);
  rules.push(...migReq.rules);
  const certain = !state.migration.loaded;
  const unmet = [
    ...unmetDemands(demands, { requester, state, packet, item, event: seen }),
    ...(migReq.wrong === undefined ? [] : [{ ...migReq.wrong, certain }]),
  ];

  const back = place === 'back';
  const eventOf = (waiting: RetransmitCause): RequesterEvent =>
    new RequesterEvent(requester, state, t, { packet, waiting, back: { goesBack: back } });
  const waiting = rnrNaks(state.causes).find((nak) => machine.inTurn(eventOf(nak), state));
  if (waiting !== undefined && place === 'next') {
    const wait = new RequesterEvent(requester, state, t, { nak: waiting });
    const rule = onlyRule(tables.rnrTimer.at(wait, state));
    rules.push(rule);
    if (expiryOf(rule) === 'forbidden') order = denial(rule, state, packet, item);
  }
  machine.steps.sent(seen, state);
  machine.applyAny(transmission.outcomes, seen, state);
  moveOn(requester, state, { packet, item, first, eventOf });
  const timer = onlyRule(tables.timerStart.at(seen, state));
  machine.applyAny(timer.outcomes, seen, state);
  rules.push(timer);
  return { rules, order, unmet };
}

/** A packet with the PSN of a complete request that is no copy of it: which PSN it may have, depends on what it is. */
function otherThanComplete(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  packet: Packet,
  t: number,
): Finding | undefined {
  const item = requester.work.findComplete(packet.psn, state.head);
  if (item === undefined) return undefined;
  const event = new RequesterEvent(requester, state, t, { packet, work: item, sent: true });
  const ofOpcode = tables.request
    .at(event, state)
    .filter((rule) => outcomeWord(rule.outcomes[0] ?? {}, 'mustOpcode') !== undefined);
  return unmetDemands(ofOpcode, { requester, state, packet, item, event })[0];
}

/** A packet that waited in the port while its work request became complete is still the one that was sent first. */
function unmetOfComplete(
  requester: Requester,
  tables: RequesterTables,
  state: RequesterState,
  packet: Packet,
  t: number,
): readonly Finding[] {
  const item = requester.work.findComplete(packet.psn, state.head);
  if (item === undefined) return [];
  const event = new RequesterEvent(requester, state, t, { packet, work: item, sent: true });
  const demands = tables.request.at(event, state);
  return unmetDemands(demands, { requester, state, packet, item, event });
}

interface Moved {
  packet: Packet;
  item: WorkItem;
  first: boolean;
  /** the packet, beside one of the causes that wait */
  eventOf: (waiting: RetransmitCause) => RequesterEvent;
}

/** What is built in of what a packet does: lists of READs and of NAKs, and memory. */
function moveOn(requester: Requester, state: RequesterState, { packet, item, first, eventOf }: Moved): void {
  const { psn } = packet;
  if (item.kind === 'read') state.reads = [...state.reads.filter((sent) => sent !== psn), psn];
  if (first && psn === item.psn) openWork(requester, state, item);
  if (state.causes.length > 0)
    state.causes = state.causes.filter((l) => state.machine.waitsOn(eventOf(l), state));
}

/** A packet that is sent again when the ACK timer should have sent it long ago. */
function tooLate(rule: Rule, { ackLatest }: RequesterState, { psn }: Packet, t: number): Finding | undefined {
  if (expiryOf(rule) !== 'owed' || ackLatest < 0) return undefined;
  return {
    rule,
    expected: `PSN ${psn} sent again within 4 T, or its work request failed`,
    observed: `PSN ${psn} sent again ${inUnits(t - ackLatest)} after the timer began`,
  };
}

function denial(rule: Rule, state: RequesterState, packet: Packet, item: WorkItem | undefined): Finding {
  const goesOn =
    state.cursor === state.end ? `the next new packet (PSN ${state.end})` : `PSN ${state.cursor}`;
  const expected = rule.outcomes.some((o) => outcomeWord(o, 'action') === 'fail')
    ? 'no further retry: the counter is used up'
    : item === undefined || state.qpState === 'ERR'
      ? 'no request'
      : `${goesOn}, or nothing`;
  return { rule, expected, observed: `${packet.info?.name ?? 'a packet'} with PSN ${packet.psn}` };
}
