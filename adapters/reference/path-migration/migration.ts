import type { MigState, QpAttr } from '../../../spec/verbs.ts';
import type { Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import type { Fields } from '../device/headers.ts';
import { pathOf, type Destination, type Path } from '../device/path.ts';
import type { QueuePair } from '../device/qp.ts';
import { seam } from '../seam.ts';

/** State of path migration; a QP begins migrated. */
export function migrationState({ attr }: QueuePair): MigState {
  return attr.path_mig_state ?? 'IBV_MIG_MIGRATED';
}

/** MigReq of the packets that a QP sends: 1 as long as there is nothing to migrate from. */
export const migReqOf = seam(
  (_core: Core, qp: QueuePair): boolean => migrationState(qp) === 'IBV_MIG_MIGRATED',
);

export function alternatePath({ attr }: QueuePair): Path | undefined {
  return attr.alt_ah_attr === undefined ? undefined : pathOf(attr.alt_ah_attr);
}

/** Whether spent retries lead to the alternate path. */
export const canMigrate = seam(
  ({ config }: Core, qp: QueuePair): boolean =>
    config.apm && alternatePath(qp) !== undefined && migrationState(qp) === 'IBV_MIG_ARMED',
);

/** Both directions take the alternate path from now on; primary and alternate path are the same then. */
export const migrate = seam((core: Core, qp: QueuePair): void => {
  const path = alternatePath(qp);
  const { attr } = qp;
  if (path === undefined || attr.alt_ah_attr === undefined) return;
  attr.path_mig_state = 'IBV_MIG_MIGRATED';
  attr.ah_attr = { ...attr.alt_ah_attr };
  if (attr.alt_pkey_index !== undefined) attr.pkey_index = attr.alt_pkey_index;
  if (attr.alt_port_num !== undefined) attr.port_num = attr.alt_port_num;
  if (attr.alt_timeout !== undefined) attr.timeout = attr.alt_timeout;
  qp.remote = path;
  announceMigration(core, qp);
});

/** The path that a packet of a QP leaves by. */
export const pathOfPacket = seam(
  (_core: Core, _qp: QueuePair, { remote }: Destination, _fields: Fields): Path | undefined => remote,
);

export const announceMigration = seam((core: Core, qp: QueuePair): void => {
  core.raise({ event_type: 'IBV_EVENT_PATH_MIG', qp_num: qp.num });
});

/** Whether a packet came over a path of the QP; what it says of migration takes effect. False where it is dropped. */
export function acceptPath(core: Core, qp: QueuePair, packet: Packet): boolean {
  if (asksToMigrate(core, qp, packet)) return followPeer(core, qp, packet);
  if (!sourceFits(core, qp, packet)) return false;
  if (arms(core, qp, packet)) qp.attr.path_mig_state = 'IBV_MIG_ARMED';
  return true;
}

/** The peer has migrated, and this end is ready to follow. */
export const asksToMigrate = seam(
  ({ config }: Core, qp: QueuePair, { migReq }: Packet): boolean =>
    migrationState(qp) === 'IBV_MIG_ARMED' && migReq && config.apm,
);

export const sourceFits = seam(
  (_core: Core, { remote }: QueuePair, { srcIp }: Packet): boolean => srcIp === remote?.ip,
);

/** The peer is ready to migrate as well. */
export const arms = seam(
  (_core: Core, qp: QueuePair, { migReq }: Packet): boolean =>
    migrationState(qp) === 'IBV_MIG_REARM' && !migReq,
);

function followPeer(core: Core, qp: QueuePair, packet: Packet): boolean {
  if (!namesAlternate(core, qp, packet)) {
    announceWrongPath(core, qp);
    return false;
  }
  migrate(core, qp);
  return true;
}

export const namesAlternate = seam(
  (_core: Core, qp: QueuePair, { srcIp }: Packet): boolean => srcIp === alternatePath(qp)?.ip,
);

export const announceWrongPath = seam((core: Core, qp: QueuePair): void => {
  core.raise({ event_type: 'IBV_EVENT_PATH_MIG_ERR', qp_num: qp.num });
});

/**
 * Whether ibv_modify_qp may take what it says of paths: software moves Migrated to Rearm and Armed to Migrated, and sets no QP
 * to Armed. Naming the state that a QP is in changes nothing.
 */
export function migrationAllowed(core: Core, qp: QueuePair, attr: QpAttr): boolean {
  const { config } = core;
  if (attr.alt_ah_attr !== undefined && (!config.apm || pathOf(attr.alt_ah_attr) === undefined)) return false;
  const to = attr.path_mig_state;
  const from = migrationState(qp);
  if (to === undefined || to === from) return true;
  if (!config.apm) return false;
  return to === 'IBV_MIG_REARM'
    ? from === 'IBV_MIG_MIGRATED' && mayRearm(core, qp, attr)
    : to === 'IBV_MIG_MIGRATED' && from === 'IBV_MIG_ARMED';
}

/** A QP waits for its peer only with an alternate path to go to. */
export const mayRearm = seam(
  (_core: Core, qp: QueuePair, { alt_ah_attr: given }: QpAttr): boolean =>
    given !== undefined || alternatePath(qp) !== undefined,
);
