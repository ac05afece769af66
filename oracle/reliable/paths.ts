import type { QpAttr } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import { addressInUse, queriedPath, queriedPaths, wrongMigReq } from '../path-migration/tables.ts';
import type { Qp } from '../device/qp.ts';
import type { Migration } from '../path-migration/migration.ts';
import type { MigrationTables } from '../path-migration/tables.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import type { When } from '../spot.ts';
import type { ReliablePair } from './pair.ts';

/**
 * Path migration where it concerns both roles of a QP. The requester keeps account of it, since spent retries migrate; the
 * responder follows. Where both are busy while a path may change, the responder loses sight.
 */
export class Paths {
  readonly #tables: MigrationTables;
  readonly #ledger: Ledger;

  constructor(tables: MigrationTables, ledger: Ledger) {
    this.#tables = tables;
    this.#ledger = ledger;
  }

  /** A request is about to be looked at. */
  request(pair: ReliablePair, packet: Packet): void {
    if (mayHaveMoved(pair))
      pair.responder.loseSight(`${packet.info?.name ?? 'a request'} while the path may change`);
  }

  /** A response of the device is about to be looked at. */
  reply(pair: ReliablePair, packet: Packet): void {
    const { migration } = pair.responder.state;
    if (!migration.loaded) return;
    const asKnown =
      packet.dstIp === addressInUse(pair.qp, migration) &&
      wrongMigReq(this.#tables, pair.qp, migration, packet).wrong === undefined;
    if (!asKnown && mayHaveMoved(pair)) pair.responder.loseSight('responses while the path may change');
  }

  /** The requester may have moved; the responder goes along. */
  follow({ responder, requester }: ReliablePair, { event, t }: When): void {
    if (responder.lost || !responder.state.migration.loaded) return;
    if (requester === undefined || requester.lost) {
      if (responder.state.migration.armed) responder.loseSight('the requester may have migrated');
      return;
    }
    const migration = requester.state.migration.settled;
    if (migration === responder.state.migration || migration.paths === responder.state.migration.paths)
      return;
    if (responder.unsettled) return responder.loseSight('the path changed while requests were under way');
    responder.push({ kind: 'call', event, t, apply: (state) => void (state.migration = migration) });
  }

  /** ibv_query_qp of a QP at rest. */
  query({ qp, requester }: ReliablePair, attr: QpAttr, when: When): void {
    const migration = requester?.migration;
    const queried = migration && queriedPath(this.#tables, migration, attr);
    if (requester === undefined || migration === undefined || queried === undefined) return;
    this.#ledger.exercise(queried.rules);
    if (queried.wrong === undefined) return this.#queryPaths(qp, migration, attr, when);
    const { rule, given } = queried.wrong;
    this.#ledger.violate({
      // what led to the state, or kept it, was not done
      rule: (migration.disobeyed(given) ?? rule).id,
      ...when,
      qp: requester.requester.connection.name,
      expected: `path_mig_state ${migration.pathState}`,
      observed: `path_mig_state ${given}`,
    });
  }

  #queryPaths(qp: Qp, migration: Migration, attr: QpAttr, when: When): void {
    const queried = queriedPaths(this.#tables, qp, migration, attr);
    if (queried === undefined) return;
    this.#ledger.exercise(queried.rules);
    if (queried.wrong === undefined) return;
    const { rule, expected, observed } = queried.wrong;
    this.#ledger.violate({ rule: rule.id, ...when, qp: qp.name, expected, observed });
  }
}

function mayHaveMoved({ responder, requester }: ReliablePair): boolean {
  if (responder.lost || !responder.state.migration.armed) return false;
  return requester === undefined || requester.lost || requester.busy;
}
