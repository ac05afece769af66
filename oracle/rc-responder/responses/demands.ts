import { creditInvalid, credits, decodeSyndrome, opcodeByName } from '../../../spec/constants.ts';
import { psnDiff, psnMask } from '../../../wire/psn.ts';
import type { Rule, RuleSet } from '../../rules.ts';
import { byteText } from '../../device/byte-text.ts';
import type { Qp } from '../../device/qp.ts';
import { wrongAddressee, wrongHeader } from '../../device/packet/header.ts';
import type { Difference } from '../../device/packet/header.ts';
import { firstDifference, readMemory } from '../../device/memory.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import { addressInUse, migrationTables, wrongMigReq } from '../../path-migration/tables.ts';
import { lookupOf } from '../../rulebook/lookup.ts';
import { coversPsn } from './match.ts';
import type { PendingReply } from '../pending.ts';
import type { ResponderState } from '../state.ts';
import { outcomeWord } from '../../rulebook/outcome.ts';

/** A demand that was not met. */
export interface Unmet {
  rule: Rule;
  expected: string;
  observed: string;
  /** the outcome that makes the demand, for demands on responses */
  key?: string;
  /** no other way could make it good */
  certain?: boolean;
}

/** What comparing a completion or event yields: the rules it exercised, the demands not met. */
export interface Compared {
  exercised: readonly Rule[];
  unmet: Unmet[];
}

/** What every response must satisfy (table rc-responder-response). */
export interface ReplyDemands {
  rulesFor(seen: ObservedReply): readonly Rule[];
  /** rules of every packet, by the path that the QP is on */
  pathRules(state: ResponderState): readonly Rule[];
  /** The rule that forbids such a response where no request calls for it, if one does. */
  unasked(seen: ObservedReply): Rule | undefined;
  /** Demands not met by a response that answers `item`; call before the state moves on. */
  unmet(connection: Qp, state: ResponderState, seen: ObservedReply, item: PendingReply | undefined): Unmet[];
  /** Of these, the demands that are wrong by the header alone. */
  wrongHeader(connection: Qp, state: ResponderState, seen: ObservedReply): Unmet[];
}

type Check = (
  demand: string,
  connection: Qp,
  state: ResponderState,
  seen: ObservedReply,
  item: PendingReply | undefined,
) => (Difference & { rule?: Rule }) | undefined;

const checks: Readonly<Record<string, Check>> = {
  mustMsn: checkMsn,
  mustAddressee: checkAddressee,
  mustHeader: checkHeader,
  mustCredits: checkCredits,
  mustPsn: checkPsn,
  mustData: checkData,
};

export function createReplyDemands(rules: RuleSet): ReplyDemands {
  const lookup = lookupOf(rules, 'rc-responder-response');
  const paths = migrationTables(rules);
  const compiled = new Map<ObservedReply['kind'], { found: readonly Rule[]; demands: Demand[] }>();
  const of = (kind: ObservedReply['kind']): { found: readonly Rule[]; demands: Demand[] } => {
    let entry = compiled.get(kind);
    if (entry === undefined) {
      const found = lookup({ replyKind: kind });
      compiled.set(kind, (entry = { found, demands: demandsOf(found) }));
    }
    return entry;
  };
  return {
    rulesFor: (seen) => of(seen.kind).found,
    pathRules: ({ migration }) => paths.sent.at({}, migration),
    unasked: (seen) =>
      of(seen.kind).found.find((rule) => outcomeWord(rule.outcomes[0] ?? {}, 'mustAnswer') === 'request'),
    wrongHeader: (connection, state, seen) => {
      let wrong: Unmet[] | undefined;
      for (const { rule, key, demand } of of(seen.kind).demands) {
        const failed = key === 'mustHeader' ? checkHeader(demand, connection, state, seen) : undefined;
        if (failed !== undefined) (wrong ??= []).push({ rule, key, ...failed });
      }
      return wrong ?? none;
    },
    unmet: (connection, state, seen, item) => {
      let unmet: Unmet[] | undefined;
      for (const { rule, key, demand, check } of of(seen.kind).demands) {
        const failed = check(demand, connection, state, seen, item);
        if (failed !== undefined) (unmet ??= []).push({ rule, key, ...failed });
      }
      const { wrong } = connection.verbs ? wrongMigReq(paths, state.migration, seen.packet) : nothing;
      if (wrong !== undefined) (unmet ??= []).push({ ...wrong, certain: !state.migration.loaded });
      return unmet ?? none;
    },
  };
}

interface Demand {
  rule: Rule;
  key: string;
  demand: string;
  check: Check;
}

const none: Unmet[] = [];
const nothing = { wrong: undefined };

function demandsOf(found: readonly Rule[]): Demand[] {
  return found.flatMap((rule) =>
    Object.entries(checks).flatMap(([key, check]) => {
      const demand = outcomeWord(rule.outcomes[0] ?? {}, key);
      return demand === undefined ? [] : [{ rule, key, demand, check }];
    }),
  );
}

function checkMsn(
  demand: string,
  _connection: Qp,
  state: ResponderState,
  seen: ObservedReply,
  item: PendingReply | undefined,
): ReturnType<Check> {
  if (seen.msn < 0 || item === undefined || state.msnBase < 0) return undefined;
  const lowest = demand === 'completed-without' ? item.msnBefore : lowestMsn(seen, item);
  const highest = demand === 'completed-without' ? item.msnBefore : highestMsn(state, seen, item);
  const span = highest - lowest;
  const from = (state.msnBase + lowest) & psnMask;
  if (((seen.msn - from) & psnMask) <= span) return undefined;
  const range = span === 0 ? `${from}` : `${from} to ${(from + span) & psnMask}`;
  return { expected: `MSN ${range}`, observed: `MSN ${seen.msn}` };
}

/**
 * Of several Acknowledges owed that the same PSN answers, this may be the last one's. Whoever counts a READ when its range is
 * checked, packet by packet, does not know yet that it will leave its region.
 */
function highestMsn(state: ResponderState, seen: ObservedReply, item: PendingReply): number {
  const last =
    seen.kind === 'ack'
      ? state.replies.findLast((r) => r.kind === 'ack' && coversPsn(r, seen.psn))
      : undefined;
  const begun = item.read?.readable === undefined || item.repeat ? 0 : 1;
  return Math.max(item.msn + begun + readsAfter(state, item), last?.msn ?? 0);
}

function readsAfter(state: ResponderState, item: PendingReply): number {
  const { replies } = state;
  if (replies.reads === 0) return 0;
  let count = 0;
  for (let i = replies.length - 1; i >= 0 && replies.at(i) !== item; i--)
    if (replies.at(i)?.kind === 'read') count++;
  return count;
}

const lastResponses: ReadonlySet<number> = new Set(
  ['LAST', 'ONLY'].map((position) => opcodeByName(`RC_RDMA_READ_RESPONSE_${position}`)),
);

function lowestMsn(seen: ObservedReply, item: PendingReply): number {
  if (item.repeat) return item.msnBefore;
  if (item.kind !== 'read' || !item.read) return item.msn;
  const last = item.read.count >= 0 && item.read.index >= item.read.count - 1;
  return last || lastResponses.has(seen.packet.opcode) ? item.msn : item.msnBefore;
}

function checkAddressee(
  _demand: string,
  connection: Qp,
  state: ResponderState,
  { packet }: ObservedReply,
): ReturnType<Check> {
  return wrongAddressee(connection, addressInUse(connection, state.migration), packet);
}

function checkHeader(
  _demand: string,
  connection: Qp,
  _state: ResponderState,
  { packet, syndrome, kind: replyKind }: ObservedReply,
): ReturnType<Check> {
  const wrong = wrongHeader(connection, packet);
  if (wrong !== undefined) return wrong;
  if (!isRead(replyKind) && packet.payloadLength > 0)
    return { expected: 'no payload', observed: `${packet.payloadLength} bytes of payload` };
  if (syndrome < 0) return undefined;
  const { kind, value } = decodeSyndrome(syndrome);
  if (kind !== 'reserved' && (kind !== 'nak' || value <= 3)) return undefined;
  return {
    expected: 'a syndrome that is not reserved',
    observed: `syndrome ${byteText(syndrome)}`,
  };
}

function isRead(kind: ObservedReply['kind']): boolean {
  return kind === 'read-response' || kind === 'read-middle';
}

function checkCredits(
  _demand: string,
  connection: Qp,
  state: ResponderState,
  { syndrome }: ObservedReply,
  item: PendingReply | undefined,
): ReturnType<Check> {
  if (!connection.verbs || syndrome < 0) return undefined;
  const { kind, value } = decodeSyndrome(syndrome);
  if (kind !== 'ack' || value === creditInvalid) return undefined;
  const posted = connection.srq ? 0 : state.rqTail - (item?.rqHead ?? state.rqHead);
  const offered = credits[value] ?? 0;
  if (!connection.srq && offered <= posted) return undefined;
  return {
    expected: connection.srq
      ? 'no credit count (0x1f), since the QP is on an SRQ'
      : `at most ${posted} credits`,
    observed: `${offered} credits (code 0x${value.toString(16)})`,
  };
}

function checkPsn(
  _demand: string,
  _connection: Qp,
  state: ResponderState,
  seen: ObservedReply,
  item: PendingReply | undefined,
): ReturnType<Check> {
  if (item === undefined || !item.duplicate || seen.psn === item.psnTo) return undefined;
  // a bare Acknowledge may stop short of a READ or ATOMIC whose answer could have been lost
  if (state.records.some((record) => psnDiff(record.psn, seen.psn) === 1)) return undefined;
  return { expected: `PSN ${item.psnTo} (newest executed)`, observed: `PSN ${seen.psn}` };
}

function checkData(
  _demand: string,
  _connection: Qp,
  state: ResponderState,
  seen: ObservedReply,
  item: PendingReply | undefined,
): ReturnType<Check> {
  if (item?.kind === 'atomic') {
    const want = item.atomic?.value;
    const got = seen.packet.atomicOriginal;
    if (want === undefined || got === want) return undefined;
    const expected = `original value 0x${want.toString(16)}`;
    const observed = `0x${(got ?? 0n).toString(16)}`;
    // of a repeated ATOMIC its own rule says which value that is
    return item.repeat ? { expected, observed, rule: item.rule } : { expected, observed };
  }
  const read = item?.read;
  if (!read?.region || seen.packet.payloadLength === 0) return undefined;
  const offset = read.offset + read.index * Math.max(0, state.pmtu);
  const { payload } = seen.packet;
  const then = readMemory(read.memory, read.region, offset, payload.length);
  if (firstDifference(then, payload) < 0) return undefined;
  const now = readMemory(state.memory, read.region, offset, payload.length);
  for (let i = 0; i < payload.length; i++) {
    const open = then.classAt(i) === 'undefined' || now.classAt(i) === 'undefined';
    if (open || payload[i] === then.bytes[i] || payload[i] === now.bytes[i]) continue;
    return {
      expected: `byte ${offset + i} of the region = ${byteText(then.bytes[i])}`,
      observed: byteText(payload[i]),
    };
  }
  return undefined;
}
