import { directionOf } from '../congestion/direction.ts';
import type { Path } from '../device/path.ts';
import type { QueuePair } from '../device/qp.ts';
import type { QpAttr } from '../../../spec/verbs.ts';
import { faultsAt } from '../seam.ts';
import { queried } from '../verbs/queue-pairs.ts';
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
  pathOfPacket,
  sourceFits,
} from './migration.ts';

/** QPs that have migrated before */
const migrated = new WeakSet<QueuePair>();

/** addresses at the end of the path that a QP has left */
const left = new WeakMap<QueuePair, string>();

/** path that a QP has left when it migrated last */
const pathsLeft = new WeakMap<QueuePair, QpAttr['ah_attr']>();

/** path that answers of a QP still take */
const answered = new WeakMap<QueuePair, Path>();

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
    'migration-old-path-accepted': (sound, core, qp) => {
      const { remote } = qp;
      sound(core, qp);
      if (remote !== undefined) left.set(qp, remote.ip);
    },
  }),

  faultsAt(migrate, {
    'answers-on-old-path': (sound, core, qp) => {
      const { remote } = qp;
      sound(core, qp);
      if (remote !== undefined) answered.set(qp, remote);
    },
  }),

  faultsAt(pathOfPacket, {
    'answers-on-old-path': (sound, core, qp, to, fields) =>
      (to === qp && directionOf(fields) !== 'requests' ? answered.get(qp) : undefined) ??
      sound(core, qp, to, fields),
  }),

  faultsAt(migrate, {
    'query-path-left': (sound, core, qp) => {
      pathsLeft.set(qp, qp.attr.ah_attr);
      sound(core, qp);
    },
  }),
  faultsAt(queried, {
    'query-path-left': (sound, device, qp) => {
      const attr = sound(device, qp);
      const ah_attr = pathsLeft.get(qp);
      return ah_attr === undefined ? attr : { ...attr, ah_attr };
    },
    'query-without-alternate': (sound, device, qp) => {
      const { alt_ah_attr: _untold, ...attr } = sound(device, qp);
      return attr;
    },
    'query-alternate-timeout-of-primary': (sound, device, qp) => {
      const attr = sound(device, qp);
      const { timeout, alt_timeout: other } = attr;
      return other === undefined || timeout === undefined ? attr : { ...attr, alt_timeout: timeout };
    },
  }),

  faultsAt(announceMigration, { 'migration-event-missing': () => undefined }),
  faultsAt(asksToMigrate, { 'migration-request-ignored': () => false }),

  faultsAt(sourceFits, {
    'source-address-unchecked': () => true,
    'migration-old-path-accepted': (sound, core, qp, packet) =>
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
