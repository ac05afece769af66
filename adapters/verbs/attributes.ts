import { pathMtu } from '../../spec/constants.ts';
import { portStates } from '../../spec/verbs.ts';
import type { DeviceAttr, PathMtu, PortAttr, SrqAttr } from '../../spec/verbs.ts';

// Byte offsets of the x86-64 structs in <infiniband/verbs.h>, printed by a C program over rdma-core 44.
/** Bytes to have ready for each; the structs may grow at their ends. */
export const attrBytes = { device: 256, port: 64, srq: 12, srqInit: 24 } as const;

/** Bits of `ibv_device_attr.device_cap_flags`. */
const deviceFlags = {
  portActiveEvent: 1 << 10,
  srqResize: 1 << 13,
  memMgtExtensions: 1 << 21,
  windowsOfType1: 1 << 17,
  windowsOfType2: (1 << 23) | (1 << 24),
} as const;

/** `struct ibv_device_attr`. */
export function decodeDeviceAttr(b: Buffer): DeviceAttr {
  const flags = b.readUInt32LE(116);
  return {
    max_qp: b.readInt32LE(108),
    max_qp_rd_atom: b.readInt32LE(144),
    max_qp_init_rd_atom: b.readInt32LE(156),
    local_ca_ack_delay: b.readUInt8(226),
    max_sge: b.readInt32LE(120),
    max_cqe: b.readInt32LE(132),
    max_srq_wr: b.readInt32LE(216),
    srq_resize: (flags & deviceFlags.srqResize) !== 0,
    port_active_event: (flags & deviceFlags.portActiveEvent) !== 0,
  };
}

/** Optional operations of a device. */
export interface Abilities {
  atomic: boolean;
  srq: boolean;
  sendWithInvalidate: boolean;
  /** of type 2 */
  memoryWindows: boolean;
  memoryWindowsOfType1: boolean;
}

/** What `struct ibv_device_attr` says of optional operations. */
export function decodeAbilities(b: Buffer): Abilities {
  return {
    atomic: b.readUInt32LE(164) !== 0,
    srq: b.readInt32LE(212) > 0,
    sendWithInvalidate: (b.readUInt32LE(116) & deviceFlags.memMgtExtensions) !== 0,
    memoryWindows: (b.readUInt32LE(116) & deviceFlags.windowsOfType2) !== 0,
    memoryWindowsOfType1: (b.readUInt32LE(116) & deviceFlags.windowsOfType1) !== 0,
  };
}

/** `struct ibv_port_attr`. RangeError for a state or an MTU that has no name. */
export function decodePortAttr(b: Buffer): PortAttr {
  const state = portStates[b.readUInt32LE(0)];
  const mtu = pathMtu.name(b.readUInt32LE(8));
  if (state === undefined) throw new RangeError(`ibv_query_port gives state ${b.readUInt32LE(0)}`);
  if (mtu === undefined) throw new RangeError(`ibv_query_port gives active_mtu ${b.readUInt32LE(8)}`);
  return {
    state,
    max_msg_sz: b.readUInt32LE(20),
    active_mtu: Number(mtu.slice('IBV_MTU_'.length)) as PathMtu,
    pkey_tbl_len: b.readUInt16LE(32),
  };
}

/** Entries of the port's GID table, in `struct ibv_port_attr`. */
export const gidTableLength = (b: Buffer): number => b.readInt32LE(12);

/** `struct ibv_srq_attr`. */
export function decodeSrqAttr(b: Buffer): SrqAttr {
  return { max_wr: b.readUInt32LE(0), max_sge: b.readUInt32LE(4), srq_limit: b.readUInt32LE(8) };
}

/** `struct ibv_srq_attr` and its mask, of the keys present. */
export function encodeSrqAttr(attr: { max_wr?: number; srq_limit?: number }): {
  bytes: Buffer;
  mask: number;
} {
  const bytes = Buffer.alloc(attrBytes.srq);
  bytes.writeUInt32LE(attr.max_wr ?? 0, 0);
  bytes.writeUInt32LE(attr.srq_limit ?? 0, 8);
  return { bytes, mask: (attr.max_wr === undefined ? 0 : 1) | (attr.srq_limit === undefined ? 0 : 2) };
}

/** `struct ibv_srq_init_attr`. ibv_create_srq takes no limit. */
export function encodeSrqInit(init: { max_wr: number; max_sge: number }): Buffer {
  const bytes = Buffer.alloc(attrBytes.srqInit);
  bytes.writeUInt32LE(init.max_wr, 8);
  bytes.writeUInt32LE(init.max_sge, 12);
  return bytes;
}
