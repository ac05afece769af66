import { psnMask } from '../../../wire/psn.ts';
import type { Outcome, Rule, RuleSet } from '../../rules.ts';
import { byteText } from '../../device/byte-text.ts';
import type { Qp } from '../../device/qp.ts';
import { addressees, wrongHeader } from '../../device/packet/header.ts';
import type { Difference } from '../../device/packet/header.ts';
import type { ObservedReply } from '../../device/packet/observed-reply.ts';
import type { Migration } from '../../path-migration/migration.ts';
import { addressInUse, migrationTables, wrongMigReq } from '../../path-migration/tables.ts';
import { MachineTable } from '../../rulebook/machine-table.ts';
import { ofRule, ruleWord } from '../../rulebook/outcome.ts';
import { responderMachine } from '../machine.ts';
import type { ResponderMachine } from '../machine.ts';
import type { PendingReply } from '../pending.ts';
import type { ResponderState } from '../state.ts';
import { wrongData } from '../words/data.ts';
import { SeenReply } from './seen-reply.ts';

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
  rulesFor(state: ResponderState, seen: ObservedReply): readonly Rule[];
  /** rules of every packet, by the path that the QP is on */
  pathRules(connection: Qp, state: ResponderState, seen: ObservedReply): readonly Rule[];
  /** The rule that forbids such a response where no request calls for it, if one does. */
  unasked(state: ResponderState, seen: ObservedReply): Rule | undefined;
  /** The rule about the MSN of such a response. */
  counts(state: ResponderState, seen: ObservedReply): Rule | undefined;
  /** Demands not met by a response that answers `item`; call before the state moves on. */
  unmet(connection: Qp, state: ResponderState, seen: ObservedReply, item: PendingReply | undefined): Unmet[];
  /** Of these, the demands that are wrong by the header alone. */
  wrongHeader(connection: Qp, state: ResponderState, seen: ObservedReply): Unmet[];
}

/** `word`: what is demanded. */
type Text = (judged: SeenReply, state: ResponderState, word: string) => Difference;

/** What a response shows that is not as a demand has it, by the demands whose condition is in the YAML. */
const texts: Readonly<Record<string, Text>> = {
  mustMsn: msnText,
  mustAddressee: ({ qp, farAddress, packet }) => addressees(qp.peerQpNumber, farAddress, packet),
  mustHeader: headerText,
  mustBits: bitsText,
  mustCredits: creditText,
  mustPsn: ({ answered, reply }) => ({
    expected: `PSN ${answered.newestPsn} (newest executed)`,
    observed: `PSN ${reply.psn}`,
  }),
};

/** One demand of a rule, and whether it is met. */
interface Demand {
  rule: Rule;
  key: string;
  word: string;
  outcome: Outcome;
  holds: ReturnType<ResponderMachine['holds']>;
  text: Text;
}

const textsOf = ofRule(texts);

export function createReplyDemands(rules: RuleSet): ReplyDemands {
  const machine = responderMachine(rules);
  const table = new MachineTable(rules, machine, 'rc-responder-response');
  const paths = migrationTables(rules);
  const compiled = new Map<
    ObservedReply['kind'],
    { found: readonly Rule[]; demands: Demand[]; data: Rule[] }
  >();
  const of = (
    seen: ObservedReply,
    state: ResponderState,
  ): { found: readonly Rule[]; demands: Demand[]; data: Rule[] } => {
    let entry = compiled.get(seen.kind);
    if (entry === undefined) {
      const found = table.at({ reply: seen }, state);
      const demands = found.flatMap((rule) =>
        textsOf(rule).map(({ key, word, kept: text }) => {
          const [outcome = {}] = rule.outcomes;
          return { rule, key, word, outcome, holds: machine.holds(key), text };
        }),
      );
      const data = found.filter((rule) => ruleWord(rule, 'mustData') !== undefined);
      compiled.set(seen.kind, (entry = { found, demands, data }));
    }
    return entry;
  };
  /** The path that the response took: that in use, or the one when its request was carried out. */
  const pathOf = (
    qp: Qp,
    { migration }: ResponderState,
    { packet }: ObservedReply,
    item: PendingReply | undefined,
  ): Migration => {
    if (item === undefined || item.migration === migration) return migration;
    const former =
      packet.dstIp === addressInUse(qp, item.migration) &&
      wrongMigReq(paths, qp, item.migration, packet).wrong === undefined;
    return former ? item.migration : migration;
  };
  return {
    rulesFor: (state, seen) => of(seen, state).found,
    pathRules: (qp, { migration }, { packet }) => paths.sent.at({ qp, packet }, migration),
    unasked: (state, seen) =>
      of(seen, state).found.find((rule) => ruleWord(rule, 'mustAnswer') === 'request'),
    counts: (state, seen) => of(seen, state).found.find((rule) => ruleWord(rule, 'mustMsn') !== undefined),
    wrongHeader: (connection, state, seen) => {
      const judged = new SeenReply(connection, state, seen, undefined);
      let wrong: Unmet[] | undefined;
      for (const { rule, key, word, outcome, holds, text } of of(seen, state).demands)
        if (key === 'mustHeader' && holds(outcome, judged, state) === false)
          (wrong ??= []).push({ rule, key, ...text(judged, state, word) });
      return wrong ?? none;
    },
    unmet: (connection, state, seen, item) => {
      const migration = pathOf(connection, state, seen, item);
      const judged = new SeenReply(connection, state, seen, item, migration);
      const { demands, data } = of(seen, state);
      let unmet: Unmet[] | undefined;
      for (const { rule, key, word, outcome, holds, text } of demands)
        if (holds(outcome, judged, state) === false)
          (unmet ??= []).push({ rule, key, ...text(judged, state, word), certain: key === 'mustBits' });
      for (const rule of data) {
        const failed = wrongData(state, seen, item);
        if (failed !== undefined) (unmet ??= []).push({ rule, key: 'mustData', ...failed });
      }
      const { wrong } = connection.verbs ? wrongMigReq(paths, connection, migration, seen.packet) : noPath;
      if (wrong !== undefined) (unmet ??= []).push({ ...wrong, certain: !state.migration.loaded });
      return unmet ?? none;
    },
  };
}

const none: Unmet[] = [];
const noPath = { wrong: undefined };

function msnText(judged: SeenReply, state: ResponderState, word: string): Difference {
  const { machine, msnBase } = state;
  const { reply, answered } = judged;
  const counted = word === 'completed';
  const least = counted ? machine.number('leastMsn')(judged, state) : answered.msnBefore;
  const span = counted ? machine.number('mostMsn')(judged, state) - least : 0;
  const from = (msnBase + least) & psnMask;
  const range = span === 0 ? `${from}` : `${from} to ${(from + span) & psnMask}`;
  return { expected: `MSN ${range}`, observed: `MSN ${reply.msn}` };
}

function headerText({ qp, packet, reply }: SeenReply): Difference {
  const wrong = wrongHeader(qp, packet);
  if (wrong !== undefined) return wrong;
  if (packet.payloadLength > 0 && !reply.kind.startsWith('read'))
    return { expected: 'no payload', observed: `${packet.payloadLength} bytes of payload` };
  const data = reply.kind === 'read-response' || reply.kind === 'atomic-ack';
  const expected = data ? 'a positive syndrome: a NAK is an Acknowledge' : 'a syndrome that is not reserved';
  return { expected, observed: `syndrome ${byteText(reply.syndrome)}` };
}

function bitsText({ packet: { solicited, ackReq, fecn } }: SeenReply): Difference {
  return {
    expected: 'SE 0, AckReq 0, FECN 0',
    observed: `SE ${Number(solicited)}, AckReq ${Number(ackReq)}, FECN ${Number(fecn)}`,
  };
}

function creditText({ onSrq, answered, reply }: SeenReply, { rqTail }: ResponderState): Difference {
  const value = reply.syndrome & 0x1f;
  return {
    expected: onSrq
      ? 'no credit count (0x1f), since the QP is on an SRQ'
      : `at most ${rqTail - answered.rqHead} credits`,
    observed: `${reply.credits} credits (code 0x${value.toString(16)})`,
  };
}
