import { encode } from '../../../../wire/index.ts';
import { ecnOf } from '../../congestion/ecn.ts';
import { migReqOf } from '../../path-migration/migration.ts';
import type { Core } from '../core.ts';
import type { Fields } from '../headers.ts';
import type { Destination, Path } from '../path.ts';
import { pkey } from './pkey.ts';
import type { QueuePair } from '../qp.ts';

/** Where frames leave from, and where the next hop is. */
export interface Addresses {
  srcMac: string;
  dstMac: string;
  srcIp: string;
}

/** The frame of a packet of a QP; what `fields` leave open is filled in. */
export function frameOf(
  core: Core,
  qp: QueuePair,
  fields: Fields,
  { destQp, srcPort }: Destination,
  remote: Path,
  { srcMac, dstMac, srcIp }: Addresses,
): Uint8Array {
  const { ip: dstIp, trafficClass, hopLimit, flowLabel } = remote;
  return encode({
    // A literal that begins with a spread takes V8 three times as long.
    srcMac,
    dstMac,
    srcIp,
    dstIp,
    trafficClass: core.config.rcm ? (trafficClass & ~3) | ecnOf(core, fields.opcode) : trafficClass,
    hopLimit,
    flowLabel,
    srcPort,
    migReq: migReqOf(core, qp),
    pkey,
    ...fields,
    destQp,
  });
}
