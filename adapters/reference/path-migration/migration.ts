import type { MigState, QpAttr } from '../../../spec/verbs.ts';
import type { Packet } from '../../../wire/index.ts';
import type { Core } from '../device/core.ts';
import { pathOf, type Path } from '../device/path.ts';
import type { QueuePair } from '../device/qp.ts';

/** State of path migration; a QP begins migrated. */
export function migrationState({ attr }: QueuePair): MigState {
  return attr.path_mig_state ?? 'IBV_MIG_MIGRATED';
}

/** MigReq of the packets that a QP sends: 1 as long as there is nothing to migrate from. */
export function migReqOf({ fault }: Core, qp: QueuePair): boolean {
  if (fault === 'mig-req-zero') return false;
  if (fault === 'mig-req-set-when-armed') return true;
  return migrationState(qp) === 'IBV_MIG_MIGRATED';
}

function alternatePath({ attr }: QueuePair): Path | undefined {
  return attr.alt_ah_attr === undefined ? undefined : pathOf(attr.alt_ah_attr);
}

/** Whether spent retries lead to the alternate path. */
export function canMigrate({ fault, config }: Core, qp: QueuePair): boolean {
  if (!config.apm || fault === 'migration-not-attempted' || alternatePath(qp) === undefined) return false;
  return migrationState(qp) === 'IBV_MIG_ARMED' || fault === 'migration-endless';
}

/** Both directions take the alternate path from now on; primary and alternate path are the same then. */
export function migrate(core: Core, qp: QueuePair): void {
  const path = alternatePath(qp);
  const { attr } = qp;
  if (path === undefined || attr.alt_ah_attr === undefined) return;
  attr.path_mig_state = 'IBV_MIG_MIGRATED';
  attr.ah_attr = { ...attr.alt_ah_attr };
  if (attr.alt_pkey_index !== undefined) attr.pkey_index = attr.alt_pkey_index;
  if (attr.alt_port_num !== undefined) attr.port_num = attr.alt_port_num;
  if (attr.alt_timeout !== undefined) attr.timeout = attr.alt_timeout;
  if (core.fault !== 'migration-old-path') qp.remote = path;
  if (core.fault !== 'migration-event-missing')
    core.raise({ event_type: 'IBV_EVENT_PATH_MIG', qp_num: qp.num });
}

/** Whether a packet came over a path of the QP; what it says of migration is heeded. False where it is dropped. */
export function acceptPath(core: Core, qp: QueuePair, packet: Packet): boolean {
  const { fault } = core;
  const state = migrationState(qp);
  const asked = state === 'IBV_MIG_ARMED' && packet.migReq && core.config.apm;
  if (asked && fault !== 'migration-request-ignored') return followPeer(core, qp, packet);
  const unchecked =
    fault === 'source-address-unchecked' ||
    (fault === 'response-source-unchecked' && packet.info?.kind === 'response');
  if (packet.srcIp !== qp.remote?.ip && !unchecked) return false;
  const arms = !packet.migReq || fault === 'arms-for-any-packet';
  if (state === 'IBV_MIG_REARM' && arms && fault !== 'rearm-ignored')
    qp.attr.path_mig_state = 'IBV_MIG_ARMED';
  return true;
}

function followPeer(core: Core, qp: QueuePair, packet: Packet): boolean {
  if (packet.srcIp !== alternatePath(qp)?.ip && core.fault !== 'migration-path-unchecked') {
    if (core.fault !== 'migration-error-event-missing')
      core.raise({ event_type: 'IBV_EVENT_PATH_MIG_ERR', qp_num: qp.num });
    return false;
  }
  migrate(core, qp);
  return true;
}

/**
 * Whether ibv_modify_qp may take what it says of paths: software moves Migrated to Rearm and Armed to Migrated, and sets no QP
 * to Armed. Naming the state that a QP is in changes nothing.
 */
export function migrationAllowed({ config }: Core, qp: QueuePair, attr: QpAttr): boolean {
  if (attr.alt_ah_attr !== undefined && (!config.apm || pathOf(attr.alt_ah_attr) === undefined)) return false;
  const to = attr.path_mig_state;
  const from = migrationState(qp);
  if (to === undefined || to === from) return true;
  if (!config.apm) return false;
  return to === 'IBV_MIG_REARM'
    ? from === 'IBV_MIG_MIGRATED'
    : to === 'IBV_MIG_MIGRATED' && from === 'IBV_MIG_ARMED';
}
