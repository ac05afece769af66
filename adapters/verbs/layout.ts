import {
  accessFlags,
  migState,
  pathMtu,
  qpAttrMask,
  qpState,
  qpType,
  sendFlags,
  wcFlags,
  wcOpcode,
  wcStatus,
  wrOpcode,
} from '../../spec/constants.ts';
import type {
  AccessFlag,
  AhAttr,
  MigState,
  MwBind,
  PathMtu,
  QpAttr,
  QpCap,
  QpState,
  QpType,
  RecvWr,
  SendWr,
  Sge,
  Wc,
} from '../../spec/verbs.ts';
import { isGid } from '../../wire/gid.ts';
import { addressOf } from './ffi.ts';
import type { Pointer } from './ffi.ts';

// Byte offsets of the x86-64 structs in <infiniband/verbs.h>, printed by a C program over rdma-core 44.
export const sizes = {
  qpAttr: 144,
  qpInitAttr: 64,
  sendWr: 128,
  recvWr: 32,
  sge: 16,
  mwBind: 48,
  wc: 48,
  ah: 32,
} as const;

const flagBits = (names: readonly string[], numbers: Readonly<Record<string, number>>): number =>
  names.reduce((bits, name) => {
    const bit = numbers[name];
    if (bit === undefined) throw new RangeError(`unknown flag ${name}`);
    return bits | bit;
  }, 0);

/** Bits of `enum ibv_access_flags`. */
export const accessBits = (flags: readonly AccessFlag[]): number => flagBits(flags, accessFlags.numbers);

function writeAh(b: Buffer, at: number, ah: AhAttr): void {
  if (!isGid(ah.dgid)) throw new RangeError(`dgid is not 32 hex digits: ${ah.dgid}`);
  b.write(ah.dgid, at, 'hex');
  b.writeUInt32LE(ah.flow_label ?? 0, at + 16);
  b.writeUInt8(ah.sgid_index, at + 20);
  b.writeUInt8(ah.hop_limit ?? 64, at + 21);
  b.writeUInt8(ah.traffic_class ?? 0, at + 22);
  b.writeUInt8(1, at + 29); // is_global: RoCE always routes by GID
  b.writeUInt8(ah.port_num ?? 1, at + 30);
}

/** `struct ibv_ah_attr`. RangeError for a value that does not fit its field. */
export function encodeAh(ah: AhAttr): Buffer {
  const b = Buffer.alloc(sizes.ah);
  writeAh(b, 0, ah);
  return b;
}

function readAh(b: Buffer, at: number): AhAttr {
  return {
    dgid: b.toString('hex', at, at + 16),
    flow_label: b.readUInt32LE(at + 16),
    sgid_index: b.readUInt8(at + 20),
    hop_limit: b.readUInt8(at + 21),
    traffic_class: b.readUInt8(at + 22),
    port_num: b.readUInt8(at + 30),
  };
}

type Writers = { [K in keyof Required<QpAttr>]: [mask: string, (b: Buffer, v: Required<QpAttr>[K]) => void] };
const u8 =
  (at: number) =>
  (b: Buffer, value: number): void =>
    void b.writeUInt8(value, at);
const u32 =
  (at: number) =>
  (b: Buffer, value: number): void =>
    void b.writeUInt32LE(value, at);

const attrWriters: Writers = {
  qp_state: ['IBV_QP_STATE', (b, v) => u32(0)(b, qpState.number(v))],
  cur_qp_state: ['IBV_QP_CUR_STATE', (b, v) => u32(4)(b, qpState.number(v))],
  path_mtu: ['IBV_QP_PATH_MTU', (b, v) => u32(8)(b, pathMtu.number(`IBV_MTU_${v}`))],
  path_mig_state: ['IBV_QP_PATH_MIG_STATE', (b, v) => u32(12)(b, migState.number(v))],
  qkey: ['IBV_QP_QKEY', u32(16)],
  rq_psn: ['IBV_QP_RQ_PSN', u32(20)],
  sq_psn: ['IBV_QP_SQ_PSN', u32(24)],
  dest_qp_num: ['IBV_QP_DEST_QPN', u32(28)],
  qp_access_flags: ['IBV_QP_ACCESS_FLAGS', (b, v) => u32(32)(b, accessBits(v))],
  ah_attr: ['IBV_QP_AV', (b, v) => writeAh(b, 56, v)],
  alt_ah_attr: [
    'IBV_QP_ALT_PATH',
    (b, v) => {
      writeAh(b, 88, v);
      b.writeUInt8(v.port_num ?? 1, 133);
    },
  ],
  alt_pkey_index: ['IBV_QP_ALT_PATH', (b, v) => void b.writeUInt16LE(v, 122)],
  alt_port_num: ['IBV_QP_ALT_PATH', u8(133)],
  alt_timeout: ['IBV_QP_ALT_PATH', u8(134)],
  pkey_index: ['IBV_QP_PKEY_INDEX', (b, v) => void b.writeUInt16LE(v, 120)],
  en_sqd_async_notify: ['IBV_QP_EN_SQD_ASYNC_NOTIFY', (b, v) => u8(124)(b, v ? 1 : 0)],
  max_rd_atomic: ['IBV_QP_MAX_QP_RD_ATOMIC', u8(126)],
  max_dest_rd_atomic: ['IBV_QP_MAX_DEST_RD_ATOMIC', u8(127)],
  min_rnr_timer: ['IBV_QP_MIN_RNR_TIMER', u8(128)],
  port_num: ['IBV_QP_PORT', u8(129)],
  timeout: ['IBV_QP_TIMEOUT', u8(130)],
  retry_cnt: ['IBV_QP_RETRY_CNT', u8(131)],
  rnr_retry: ['IBV_QP_RNR_RETRY', u8(132)],
};

/** `struct ibv_qp_attr` and the mask of the keys present. RangeError for a value that does not fit its field. */
export function encodeQpAttr(attr: QpAttr): { bytes: Buffer; mask: number } {
  const bytes = Buffer.alloc(sizes.qpAttr);
  let mask = 0;
  for (const key of Object.keys(attrWriters) as (keyof QpAttr)[]) {
    const value: unknown = attr[key];
    if (value === undefined) continue;
    const [bit, write] = attrWriters[key] as [string, (b: Buffer, v: unknown) => void];
    write(bytes, value);
    mask |= 1 << qpAttrMask.number(bit);
  }
  return { bytes, mask };
}

/** Every attribute of a queried `struct ibv_qp_attr`. */
export function decodeQpAttr(b: Buffer): QpAttr {
  const state = (at: number): QpState | undefined => qpState.name(b.readUInt32LE(at));
  const mtu = pathMtu.name(b.readUInt32LE(8));
  const migration = migState.name(b.readUInt32LE(12)) as MigState | undefined;
  const access = b.readUInt32LE(32);
  const qp_state = state(0);
  const cur_qp_state = state(4);
  return {
    ...(qp_state !== undefined && { qp_state }),
    ...(cur_qp_state !== undefined && { cur_qp_state }),
    ...(mtu !== undefined && { path_mtu: Number(mtu.slice('IBV_MTU_'.length)) as PathMtu }),
    ...(migration !== undefined && { path_mig_state: migration }),
    qkey: b.readUInt32LE(16),
    rq_psn: b.readUInt32LE(20),
    sq_psn: b.readUInt32LE(24),
    dest_qp_num: b.readUInt32LE(28),
    qp_access_flags: (Object.entries(accessFlags.numbers) as [AccessFlag, number][])
      .filter(([, bit]) => access & bit)
      .map(([name]) => name),
    ah_attr: readAh(b, 56),
    alt_ah_attr: readAh(b, 88),
    alt_pkey_index: b.readUInt16LE(122),
    alt_port_num: b.readUInt8(133),
    alt_timeout: b.readUInt8(134),
    pkey_index: b.readUInt16LE(120),
    en_sqd_async_notify: b.readUInt8(124) !== 0,
    max_rd_atomic: b.readUInt8(126),
    max_dest_rd_atomic: b.readUInt8(127),
    min_rnr_timer: b.readUInt8(128),
    port_num: b.readUInt8(129),
    timeout: b.readUInt8(130),
    retry_cnt: b.readUInt8(131),
    rnr_retry: b.readUInt8(132),
  };
}

/** `struct ibv_qp_init_attr`. */
export function encodeQpInit(init: {
  send_cq: bigint;
  recv_cq: bigint;
  srq: bigint;
  cap: QpCap;
  qp_type: QpType;
  sq_sig_all: boolean;
}): Buffer {
  const b = Buffer.alloc(sizes.qpInitAttr);
  b.writeBigUInt64LE(init.send_cq, 8);
  b.writeBigUInt64LE(init.recv_cq, 16);
  b.writeBigUInt64LE(init.srq, 24);
  b.writeUInt32LE(init.cap.max_send_wr, 32);
  b.writeUInt32LE(init.cap.max_recv_wr, 36);
  b.writeUInt32LE(init.cap.max_send_sge, 40);
  b.writeUInt32LE(init.cap.max_recv_sge, 44);
  b.writeUInt32LE(init.cap.max_inline_data ?? 0, 48);
  b.writeUInt32LE(qpType.number(init.qp_type), 52);
  b.writeInt32LE(init.sq_sig_all ? 1 : 0, 56);
  return b;
}

function writeSges(b: Buffer, header: number, list: readonly Sge[]): void {
  list.forEach((sge, i) => {
    const at = header + i * sizes.sge;
    b.writeBigUInt64LE(BigInt.asUintN(64, sge.addr), at);
    b.writeUInt32LE(sge.length, at + 8);
    b.writeUInt32LE(sge.lkey, at + 12);
  });
  if (list.length > 0) b.writeBigUInt64LE(addressOf(b) + BigInt(header), 16);
  b.writeInt32LE(list.length, 24);
}

/** `struct ibv_recv_wr` with its scatter list behind it, in one Buffer that points into itself. */
export function encodeRecvWr(wr: RecvWr): Buffer {
  const b = Buffer.alloc(sizes.recvWr + wr.sg_list.length * sizes.sge);
  b.writeBigUInt64LE(BigInt(wr.wr_id), 0);
  writeSges(b, sizes.recvWr, wr.sg_list);
  return b;
}

/** Objects that a send work request names, as libibverbs knows them. */
export interface NamedObjects {
  /** of a WR for a UD QP, whose destination stands where other services have the remote address */
  ah?: Pointer;
  mw?: Pointer;
  mr?: Pointer;
}

/** `struct ibv_send_wr` with its gather list behind it, in one Buffer that points into itself. */
export function encodeSendWr(wr: SendWr, { ah, mw = 0n, mr = 0n }: NamedObjects = {}): Buffer {
  const b = Buffer.alloc(sizes.sendWr + wr.sg_list.length * sizes.sge);
  b.writeBigUInt64LE(BigInt(wr.wr_id), 0);
  writeSges(b, sizes.sendWr, wr.sg_list);
  b.writeUInt32LE(wr.raw_opcode ?? wrOpcode.number(wr.opcode), 28);
  b.writeUInt32LE(flagBits(wr.send_flags ?? [], sendFlags.numbers), 32);
  // imm_data is big-endian (__be32), invalidate_rkey shares its place and is not
  if (wr.opcode === 'IBV_WR_SEND_WITH_INV' || wr.opcode === 'IBV_WR_LOCAL_INV')
    b.writeUInt32LE(wr.invalidate_rkey ?? 0, 36);
  else b.writeUInt32BE(wr.imm_data ?? 0, 36);
  if (ah !== undefined) {
    b.writeBigUInt64LE(ah, 40);
    b.writeUInt32LE(wr.remote_qpn ?? 0, 48);
    b.writeUInt32LE(wr.remote_qkey ?? 0, 52);
    return b;
  }
  if (wr.bind_mw !== undefined) {
    const { rkey, addr, length, access } = wr.bind_mw;
    b.writeBigUInt64LE(mw, 80);
    b.writeUInt32LE(rkey, 88);
    b.writeBigUInt64LE(mr, 96);
    b.writeBigUInt64LE(BigInt.asUintN(64, addr), 104);
    b.writeBigUInt64LE(BigInt(length), 112);
    b.writeUInt32LE(accessBits(access), 120);
    return b;
  }
  b.writeBigUInt64LE(BigInt.asUintN(64, wr.remote_addr ?? 0n), 40);
  if (wr.opcode === 'IBV_WR_ATOMIC_CMP_AND_SWP' || wr.opcode === 'IBV_WR_ATOMIC_FETCH_AND_ADD') {
    b.writeBigUInt64LE(BigInt.asUintN(64, wr.compare_add ?? 0n), 48);
    b.writeBigUInt64LE(BigInt.asUintN(64, wr.swap ?? 0n), 56);
    b.writeUInt32LE(wr.rkey ?? 0, 64);
  } else b.writeUInt32LE(wr.rkey ?? 0, 48);
  return b;
}

/** `struct ibv_mw_bind`. */
export function encodeMwBind({ wr_id, send_flags, addr, length, access }: MwBind, mr: Pointer): Buffer {
  const b = Buffer.alloc(sizes.mwBind);
  b.writeBigUInt64LE(BigInt(wr_id), 0);
  b.writeUInt32LE(flagBits(send_flags, sendFlags.numbers), 8);
  b.writeBigUInt64LE(mr, 16);
  b.writeBigUInt64LE(BigInt.asUintN(64, addr), 24);
  b.writeBigUInt64LE(BigInt(length), 32);
  b.writeUInt32LE(accessBits(access), 40);
  return b;
}

/**
 * One `struct ibv_wc` at byte `at`. Fields that a failed completion leaves undefined are left out, as are those of a datagram
 * where `isDatagram` says that the QP is none.
 */
export function decodeWc(b: Buffer, at: number, isDatagram: (qpNum: number) => boolean = () => false): Wc {
  const code = b.readUInt32LE(at + 8);
  const status = wcStatus.name(code) ?? `IBV_WC_UNKNOWN_${code}`;
  const wc: Wc = {
    wr_id: Number(b.readBigUInt64LE(at)),
    status,
    qp_num: b.readUInt32LE(at + 28),
    vendor_err: b.readUInt32LE(at + 16),
  };
  if (status !== 'IBV_WC_SUCCESS') return wc;
  const opcode = b.readUInt32LE(at + 12);
  const flags = b.readUInt32LE(at + 36);
  wc.opcode = wcOpcode.name(opcode) ?? `IBV_WC_UNKNOWN_${opcode}`;
  wc.byte_len = b.readUInt32LE(at + 20);
  if (flags & wcFlags.number('IBV_WC_WITH_IMM')) wc.imm_data = b.readUInt32BE(at + 24);
  if (opcode & wcOpcode.number('IBV_WC_RECV') && isDatagram(wc.qp_num)) {
    wc.src_qp = b.readUInt32LE(at + 32);
    wc.grh = (flags & wcFlags.number('IBV_WC_GRH')) !== 0;
  }
  if (flags & wcFlags.number('IBV_WC_WITH_INV')) wc.invalidated_rkey = b.readUInt32LE(at + 24);
  return wc;
}
