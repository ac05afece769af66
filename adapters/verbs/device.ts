import { VerbsError } from '../adapter.ts';
import type { RegisteredMr } from '../adapter.ts';
import { eventType, pathMtu } from '../../spec/constants.ts';
import type {
  AccessFlag,
  AsyncEvent,
  DeviceAttr,
  QpAttr,
  QpCap,
  QpType,
  RecvWr,
  SendWr,
  Wc,
} from '../../spec/verbs.ts';
import { bindContextOps, errno, loadLibibverbs, onReadable } from './ffi.ts';
import type { ContextOps, Libibverbs, Pointer } from './ffi.ts';
import { accessBits, decodeQpAttr, decodeWc, encodeQpAttr, encodeQpInit } from './layout.ts';
import { encodeRecvWr, encodeSendWr, sizes } from './layout.ts';

/** What a device says of itself. `gids` are 32 hex digits each, by index; unused entries are all zeros. */
export interface DeviceInfo {
  device: string;
  max_qp: number;
  max_qp_rd_atom: number;
  max_msg_sz: number;
  active_mtu: number;
  gids: string[];
}

interface Mr {
  pointer: Pointer;
  addr: Pointer;
  mapped: number;
  length: number;
}

const pageBytes = 4096;
const pollBatch = 16;

/**
 * One RDMA device by libibverbs, called synchronously. Objects are numbers that grow and are never used again. Calls
 * throw VerbsError with libibverbs' errno; an object number that does not exist gives EINVAL (22).
 */
export class VerbsDevice {
  onCqEvent: (cq: number) => void = () => undefined;
  onAsyncEvent: (event: AsyncEvent) => void = () => undefined;
  readonly #lib: Libibverbs;
  readonly #context: Pointer;
  readonly #ops: ContextOps;
  readonly #channel: Pointer;
  readonly #polls: { close(): void }[] = [];
  readonly #pds = new Map<number, Pointer>();
  readonly #mrs = new Map<number, Mr>();
  readonly #cqs = new Map<number, Pointer>();
  readonly #srqs = new Map<number, Pointer>();
  readonly #qps = new Map<number, Pointer>();
  readonly #name: string;
  readonly #wc = Buffer.alloc(sizes.wc * pollBatch);
  readonly #bad = Buffer.alloc(8);
  #next = 1;

  constructor(name: string, lib: Libibverbs = loadLibibverbs()) {
    this.#lib = lib;
    this.#name = name;
    this.#context = this.#open(name);
    const context = this.#bytes(this.#context, 328);
    this.#ops = bindContextOps(context);
    const asyncFd = context.readInt32LE(268);
    this.#channel = this.#made('ibv_create_comp_channel', lib.createCompChannel(this.#context));
    const channelFd = this.#bytes(this.#channel, 16).readInt32LE(8);
    for (const fd of [asyncFd, channelFd]) lib.fcntl(fd, 4, lib.fcntl(fd, 3, 0) | 0o4000); // O_NONBLOCK
    this.#polls.push(
      onReadable(channelFd, () => this.#takeCqEvents()),
      onReadable(asyncFd, () => this.#takeAsyncEvents()),
    );
  }

  query_device(): DeviceAttr {
    const b = this.#deviceAttr();
    return {
      max_qp: b.readInt32LE(108),
      max_qp_rd_atom: b.readInt32LE(144),
      max_qp_init_rd_atom: b.readInt32LE(156),
      local_ca_ack_delay: b.readUInt8(226),
    };
  }

  /** `struct ibv_device_attr` of rdma-core 44 on x86-64. */
  #deviceAttr(): Buffer {
    const bytes = Buffer.alloc(256);
    this.#done('ibv_query_device', this.#lib.queryDevice(this.#context, bytes));
    return bytes;
  }

  info(): DeviceInfo {
    const device = this.query_device();
    const port = Buffer.alloc(64);
    this.#done('ibv_query_port', this.#lib.queryPort(this.#context, 1, port));
    const gids: string[] = [];
    const gid = Buffer.alloc(16);
    for (let i = 0; i < Math.min(port.readInt32LE(12), 16); i++)
      gids.push(this.#lib.queryGid(this.#context, 1, i, gid) === 0 ? gid.toString('hex') : '0'.repeat(32));
    return {
      device: this.#name,
      max_qp: device.max_qp,
      max_qp_rd_atom: device.max_qp_rd_atom,
      max_msg_sz: port.readUInt32LE(20),
      active_mtu: Number((pathMtu.name(port.readUInt32LE(8)) ?? 'IBV_MTU_0').slice('IBV_MTU_'.length)),
      gids,
    };
  }

  alloc_pd(): number {
    return this.#keep(this.#pds, this.#made('ibv_alloc_pd', this.#lib.allocPd(this.#context)));
  }

  dealloc_pd(pd: number): void {
    this.#destroy('ibv_dealloc_pd', this.#pds, pd, this.#lib.deallocPd);
  }

  reg_mr(args: { pd: number; length: number; access: AccessFlag[] }): RegisteredMr {
    const pd = this.#get('ibv_reg_mr', this.#pds, args.pd);
    const mapped = Math.max(1, Math.ceil(args.length / pageBytes)) * pageBytes;
    // MAP_SHARED | MAP_ANONYMOUS: a fixed, zeroed address that no garbage collector moves
    const addr = this.#lib.mmap(null, mapped, 3, 0x21, -1, 0);
    if (BigInt.asIntN(64, addr) === -1n) throw new VerbsError('mmap', errno());
    const pointer = this.#lib.regMr(pd, addr, args.length, accessBits(args.access));
    if (pointer === null) {
      const code = errno();
      this.#lib.munmap(addr, mapped);
      throw new VerbsError('ibv_reg_mr', code);
    }
    const bytes = this.#bytes(pointer, 48);
    const mr = this.#keep(this.#mrs, { pointer, addr, mapped, length: args.length });
    return { mr, addr, lkey: bytes.readUInt32LE(36), rkey: bytes.readUInt32LE(40) };
  }

  dereg_mr(mr: number): void {
    const found = this.#get('ibv_dereg_mr', this.#mrs, mr);
    this.#done('ibv_dereg_mr', this.#lib.deregMr(found.pointer));
    this.#mrs.delete(mr);
    this.#lib.munmap(found.addr, found.mapped);
  }

  read_memory(mr: number, offset: number, length: number): Buffer {
    return this.#bytes(this.#range('read_memory', mr, offset, length), length);
  }

  write_memory(mr: number, offset: number, bytes: Buffer): void {
    const at = this.#range('write_memory', mr, offset, bytes.length);
    if (bytes.length > 0) this.#lib.copyIn(at, bytes, bytes.length);
  }

  create_cq(args: { cqe: number }): number {
    const handle = this.#next;
    const cq = this.#lib.createCq(this.#context, args.cqe, BigInt(handle), this.#channel, 0);
    return this.#keep(this.#cqs, this.#made('ibv_create_cq', cq));
  }

  destroy_cq(cq: number): void {
    this.#takeCqEvents(); // ibv_destroy_cq waits for ever for events that nobody fetches
    this.#destroy('ibv_destroy_cq', this.#cqs, cq, this.#lib.destroyCq);
  }

  poll_cq(cq: number, max: number): Wc[] {
    const pointer = this.#get('ibv_poll_cq', this.#cqs, cq);
    const out: Wc[] = [];
    while (out.length < max) {
      const wanted = Math.min(pollBatch, max - out.length);
      const got = this.#ops.pollCq(pointer, wanted, this.#wc);
      if (got < 0) throw new VerbsError('ibv_poll_cq', -got);
      for (let i = 0; i < got; i++) out.push(decodeWc(this.#wc, i * sizes.wc));
      if (got < wanted) break;
    }
    return out;
  }

  req_notify_cq(cq: number): void {
    this.#done('ibv_req_notify_cq', this.#ops.reqNotifyCq(this.#get('ibv_req_notify_cq', this.#cqs, cq), 0));
  }

  create_srq(args: { pd: number; max_wr: number; max_sge: number; srq_limit?: number }): number {
    const b = Buffer.alloc(24);
    b.writeUInt32LE(args.max_wr, 8);
    b.writeUInt32LE(args.max_sge, 12);
    const made = this.#lib.createSrq(this.#get('ibv_create_srq', this.#pds, args.pd), b);
    const srq = this.#keep(this.#srqs, this.#made('ibv_create_srq', made));
    // ibv_create_srq ignores the limit
    if (args.srq_limit !== undefined && args.srq_limit > 0)
      this.modify_srq(srq, { srq_limit: args.srq_limit });
    return srq;
  }

  modify_srq(srq: number, attr: { max_wr?: number; srq_limit?: number }): void {
    const b = Buffer.alloc(12);
    b.writeUInt32LE(attr.max_wr ?? 0, 0);
    b.writeUInt32LE(attr.srq_limit ?? 0, 8);
    const mask = (attr.max_wr === undefined ? 0 : 1) | (attr.srq_limit === undefined ? 0 : 2);
    const pointer = this.#get('ibv_modify_srq', this.#srqs, srq);
    this.#done('ibv_modify_srq', this.#lib.modifySrq(pointer, b, mask));
  }

  destroy_srq(srq: number): void {
    this.#takeAsyncEvents();
    this.#destroy('ibv_destroy_srq', this.#srqs, srq, this.#lib.destroySrq);
  }

  post_srq_recv(srq: number, wr: RecvWr): void {
    const pointer = this.#get('ibv_post_srq_recv', this.#srqs, srq);
    this.#done('ibv_post_srq_recv', this.#ops.postSrqRecv(pointer, encodeRecvWr(wr), this.#bad));
  }

  create_qp(args: {
    pd: number;
    qp_type: QpType;
    send_cq: number;
    recv_cq: number;
    srq?: number;
    cap: QpCap;
    sq_sig_all?: boolean;
  }): { qp: number; qp_num: number } {
    const call = 'ibv_create_qp';
    const init = encodeQpInit({
      send_cq: this.#get(call, this.#cqs, args.send_cq),
      recv_cq: this.#get(call, this.#cqs, args.recv_cq),
      srq: args.srq === undefined ? 0n : this.#get(call, this.#srqs, args.srq),
      cap: args.cap,
      qp_type: args.qp_type,
      sq_sig_all: args.sq_sig_all ?? false,
    });
    const pointer = this.#made(call, this.#lib.createQp(this.#get(call, this.#pds, args.pd), init));
    return { qp: this.#keep(this.#qps, pointer), qp_num: this.#qpNum(pointer) };
  }

  modify_qp(qp: number, attr: QpAttr): void {
    const pointer = this.#get('ibv_modify_qp', this.#qps, qp);
    const { bytes, mask } = encodeQpAttr(attr);
    this.#done('ibv_modify_qp', this.#lib.modifyQp(pointer, bytes, mask));
  }

  query_qp(qp: number): QpAttr {
    const pointer = this.#get('ibv_query_qp', this.#qps, qp);
    const attr = Buffer.alloc(sizes.qpAttr);
    const init = Buffer.alloc(sizes.qpInitAttr);
    this.#done('ibv_query_qp', this.#lib.queryQp(pointer, attr, 0x1fffff, init));
    return decodeQpAttr(attr);
  }

  destroy_qp(qp: number): void {
    this.#takeAsyncEvents(); // ibv_destroy_qp waits for ever for events that nobody acknowledges
    this.#destroy('ibv_destroy_qp', this.#qps, qp, this.#lib.destroyQp);
  }

  post_send(qp: number, wr: SendWr): void {
    const pointer = this.#get('ibv_post_send', this.#qps, qp);
    this.#done('ibv_post_send', this.#ops.postSend(pointer, encodeSendWr(wr), this.#bad));
  }

  post_recv(qp: number, wr: RecvWr): void {
    const pointer = this.#get('ibv_post_recv', this.#qps, qp);
    this.#done('ibv_post_recv', this.#ops.postRecv(pointer, encodeRecvWr(wr), this.#bad));
  }

  /** Destroys whatever is left (a Map may lose entries while it is walked), in the order that libibverbs demands, and closes the device. */
  close(): void {
    for (const qp of this.#qps.keys()) this.destroy_qp(qp);
    for (const srq of this.#srqs.keys()) this.destroy_srq(srq);
    for (const cq of this.#cqs.keys()) this.destroy_cq(cq);
    for (const mr of this.#mrs.keys()) this.dereg_mr(mr);
    for (const pd of this.#pds.keys()) this.dealloc_pd(pd);
    for (const poll of this.#polls) poll.close();
    // an open channel keeps the uverbs file, and then `rdma link del` waits for ever
    this.#done('ibv_destroy_comp_channel', this.#lib.destroyCompChannel(this.#channel));
    this.#done('ibv_close_device', this.#lib.closeDevice(this.#context));
  }

  #open(name: string): Pointer {
    const count = Buffer.alloc(4);
    const list = this.#made('ibv_get_device_list', this.#lib.getDeviceList(count));
    try {
      const entries = this.#bytes(list, 8 * count.readInt32LE(0));
      for (let i = 0; i < entries.length; i += 8) {
        const device = entries.readBigUInt64LE(i);
        if (this.#lib.getDeviceName(device) === name)
          return this.#made('ibv_open_device', this.#lib.openDevice(device));
      }
      throw new VerbsError(`ibv_open_device(${name})`, 19);
    } finally {
      this.#lib.freeDeviceList(list);
    }
  }

  #takeCqEvents(): void {
    const cq = Buffer.alloc(8);
    const cookie = Buffer.alloc(8);
    while (this.#lib.getCqEvent(this.#channel, cq, cookie) === 0) {
      this.#lib.ackCqEvents(cq.readBigUInt64LE(0), 1);
      this.onCqEvent(Number(cookie.readBigUInt64LE(0)));
    }
  }

  #takeAsyncEvents(): void {
    const bytes = Buffer.alloc(16);
    while (this.#lib.getAsyncEvent(this.#context, bytes) === 0) {
      const event = this.#describeEvent(bytes.readInt32LE(8), bytes.readBigUInt64LE(0));
      this.#lib.ackAsyncEvent(bytes);
      this.onAsyncEvent(event);
    }
  }

  #describeEvent(code: number, element: Pointer): AsyncEvent {
    const event_type = eventType.name(code) ?? `IBV_EVENT_UNKNOWN_${code}`;
    const handle = (table: Map<number, Pointer>): number | undefined =>
      [...table].find(([, pointer]) => pointer === element)?.[0];
    switch (event_type) {
      case 'IBV_EVENT_CQ_ERR': {
        const cq = handle(this.#cqs);
        return { event_type, ...(cq !== undefined && { cq }) };
      }
      case 'IBV_EVENT_SRQ_ERR':
      case 'IBV_EVENT_SRQ_LIMIT_REACHED': {
        const srq = handle(this.#srqs);
        return { event_type, ...(srq !== undefined && { srq }) };
      }
      case 'IBV_EVENT_QP_FATAL':
      case 'IBV_EVENT_QP_REQ_ERR':
      case 'IBV_EVENT_QP_ACCESS_ERR':
      case 'IBV_EVENT_COMM_EST':
      case 'IBV_EVENT_SQ_DRAINED':
      case 'IBV_EVENT_PATH_MIG':
      case 'IBV_EVENT_PATH_MIG_ERR':
      case 'IBV_EVENT_QP_LAST_WQE_REACHED':
        return { event_type, qp_num: this.#qpNum(element) };
      default:
        // the element of a port event is the port's number in the low half of the union
        return code >= 8 && code !== 19
          ? { event_type, port_num: Number(element & 0xffffffffn) }
          : { event_type };
    }
  }

  #qpNum(qp: Pointer): number {
    return this.#bytes(qp, 56).readUInt32LE(52);
  }

  #bytes(at: Pointer, length: number): Buffer {
    const out = Buffer.alloc(length);
    if (length > 0) this.#lib.copyOut(out, at, length);
    return out;
  }

  #range(call: string, mr: number, offset: number, length: number): Pointer {
    const region = this.#get(call, this.#mrs, mr);
    if (offset < 0 || length < 0 || offset + length > region.length) throw new VerbsError(call, 22);
    return region.addr + BigInt(offset);
  }

  #keep<T>(table: Map<number, T>, value: T): number {
    const handle = this.#next++;
    table.set(handle, value);
    return handle;
  }

  #get<T>(call: string, table: Map<number, T>, handle: number): T {
    const found = table.get(handle);
    if (found === undefined) throw new VerbsError(call, 22);
    return found;
  }

  #destroy(call: string, table: Map<number, Pointer>, handle: number, free: (p: Pointer) => number): void {
    this.#done(call, free(this.#get(call, table, handle)));
    table.delete(handle);
  }

  #made(call: string, pointer: Pointer | null): Pointer {
    if (pointer === null) throw new VerbsError(call, errno());
    return pointer;
  }

  #done(call: string, result: number): void {
    // -1 leaves the reason in errno; everything else is the errno itself, with either sign
    if (result !== 0) throw new VerbsError(call, result === -1 ? errno() : Math.abs(result));
  }
}
