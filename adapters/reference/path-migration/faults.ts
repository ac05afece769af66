import type { QueuePair } from '../device/qp.ts';
import { faultsAt } from '../seam.ts';
import {
  alternatePath,
  announceMigration,
  announceWrongPath,
  arms,
  asksToMigrate,
  canMigrate,
  migrate,
  migrationState,
  migReqOf,
  namesAlternate,
  sourceFits,
} from './migration.ts';

/** QPs that have migrated before */
const migrated = new WeakSet<QueuePair>();

/** addresses at the end of the path that a QP has left */
const left = new WeakMap<QueuePair, string>();

/** The last byte of an IPv4 address, the last 16 bits of an IPv6 address. */
const lastPart = (address = ''): string | undefined => address.split(/[.:]/).at(-1);

/** What mutants do wrong in path migration. */
export const migrationFaults = [
  faultsAt(migrate, {
    'migration-once': (sound, core, qp) => {
      migrated.add(qp);
      sound(core, qp);
    },
  }),
  faultsAt(canMigrate, { 'migration-once': (sound, core, qp) => !migrated.has(qp) && sound(core, qp) }),
  faultsAt(asksToMigrate, {
    'migration-once': (sound, core, qp, packet) => !migrated.has(qp) && sound(core, qp, packet),
  }),

  faultsAt(migReqOf, {
    'mig-req-zero': () => false,
    'mig-req-set-when-armed': () => true,
  }),

  faultsAt(canMigrate, {
    'migration-not-attempted': () => false,
    'migration-endless': (_sound, { config }, qp) => config.apm && alternatePath(qp) !== undefined,
  }),

  faultsAt(migrate, {
    'migration-old-path': (sound, core, qp) => {
      const { remote } = qp;
      sound(core, qp);
      qp.remote = remote;
    },
    'migration-old-path-heard': (sound, core, qp) => {
      const { remote } = qp;
      sound(core, qp);
      if (remote !== undefined) left.set(qp, remote.ip);
    },
  }),

  faultsAt(announceMigration, { 'migration-event-missing': () => undefined }),
  faultsAt(asksToMigrate, { 'migration-request-ignored': () => false }),

  faultsAt(sourceFits, {
    'source-address-unchecked': () => true,
    'migration-old-path-heard': (sound, core, qp, packet) =>
      sound(core, qp, packet) || left.get(qp) === packet.srcIp,
    'source-address-end-alone': (_sound, _core, { remote }, { srcIp }) =>
      lastPart(srcIp) === lastPart(remote?.ip),
    'response-source-unchecked': (sound, core, qp, packet) =>
      packet.info?.kind === 'response' || sound(core, qp, packet),
  }),

  faultsAt(arms, {
    'arms-for-any-packet': (_sound, _core, qp) => migrationState(qp) === 'IBV_MIG_REARM',
    'rearm-ignored': () => false,
  }),

  faultsAt(namesAlternate, { 'migration-path-unchecked': () => true }),
  faultsAt(announceWrongPath, { 'migration-error-event-missing': () => undefined }),
];
