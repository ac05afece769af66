import type { QpAttr } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import { addressInUse, afterCall, disobeyed, migrationKey, pathStateOf } from './migration.ts';
import type { Migration, MigrationTables } from './migration.ts';
import type { ResponderState } from '../rc-responder/state.ts';
import { outcomeWord } from '../rulebook/outcome.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { RequesterJudge } from '../rc-requester/judge.ts';
import type { Requesters } from '../rc-requester/requesters.ts';
import type { ResponderJudge } from '../rc-responder/judge.ts';

/**
 * Path migration where it concerns both roles of a QP. The requester keeps account of it, since spent retries migrate; the
 * responder follows. Where both are busy while a path may change, the responder loses sight.
 */
export class Paths {
  readonly #tables: MigrationTables;
  readonly #requesters: Requesters;
  readonly #ledger: Ledger;

  constructor(tables: MigrationTables, requesters: Requesters, ledger: Ledger) {
    this.#tables = tables;
    this.#requesters = requesters;
    this.#ledger = ledger;
  }

  /** ibv_modify_qp, for the responder. */
  modify(state: ResponderState, attr: QpAttr): void {
    state.migration = afterCall(this.#tables, state.migration, attr).migration;
  }

  /** A request is about to be looked at. */
  request(judge: ResponderJudge, packet: Packet): void {
    if (this.#mayHaveMoved(judge))
      judge.loseSight(`${packet.info?.name ?? 'a request'} while the path may change`);
  }

  /** A response of the device is about to be looked at. */
  reply(judge: ResponderJudge, packet: Packet): void {
    const { connection, state } = judge;
    const { migration } = state;
    if (migration.alternate === undefined) return;
    const asKnown =
      packet.dstIp === addressInUse(connection, migration) &&
      packet.migReq === (migration.state === 'MIGRATED');
    if (!asKnown && this.#mayHaveMoved(judge)) judge.loseSight('responses while the path may change');
  }

  /** The requester may have moved; the responder goes along. */
  follow(judge: ResponderJudge | undefined, event: number, t: number): void {
    if (judge === undefined || judge.lost || judge.state.migration.alternate === undefined) return;
    const requester = this.#requesterOf(judge);
    if (requester === undefined || requester.lost) {
      if (judge.state.migration.state === 'ARMED') judge.loseSight('the requester may have migrated');
      return;
    }
    const { migration } = requester.state;
    if (samePaths(migration, judge.state.migration)) return;
    if (judge.unsettled) return judge.loseSight('the path changed while requests were under way');
    judge.push({ kind: 'call', event, t, apply: (state) => void (state.migration = migration) });
  }

  /** ibv_query_qp of a QP at rest. */
  query(requester: RequesterJudge | undefined, attr: QpAttr, seen: { event: number; t: number }): void {
    const { path_mig_state: told, qp_state: qpState } = attr;
    const connected = qpState === 'IBV_QPS_RTR' || qpState === 'IBV_QPS_RTS' || qpState === 'IBV_QPS_SQD';
    const migration = requester?.migration;
    if (requester === undefined || migration === undefined || told === undefined || !connected) return;
    const rules = this.#tables.query({ pathState: migration.state });
    this.#ledger.exercise(rules);
    const rule = rules.find((r) => outcomeWord(r.outcomes[0] ?? {}, 'mustReportPath') === 'as-moved');
    if (rule === undefined || pathStateOf(told) === migration.state) return;
    this.#ledger.violate({
      // what led to the state, or kept it, was not done
      rule: (disobeyed(migration, pathStateOf(told)) ?? rule).id,
      ...seen,
      qp: requester.requester.connection.name,
      expected: `path_mig_state ${migration.state}`,
      observed: `path_mig_state ${pathStateOf(told)}`,
    });
  }

  #mayHaveMoved(judge: ResponderJudge): boolean {
    if (judge.lost || judge.state.migration.state !== 'ARMED') return false;
    const requester = this.#requesterOf(judge);
    return requester === undefined || requester.lost || requester.busy;
  }

  #requesterOf({ connection }: ResponderJudge): RequesterJudge | undefined {
    return this.#requesters.byNumber(connection.qpNumber);
  }
}

function samePaths(a: Migration, b: Migration): boolean {
  return a === b || migrationKey(bare(a)) === migrationKey(bare(b));
}

function bare(migration: Migration): Migration {
  return { ...migration, by: undefined, kept: undefined };
}
