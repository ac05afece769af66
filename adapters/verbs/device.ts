import { VerbsError } from '../adapter.ts';
import type { AllocatedMw, MrChange, RegisteredMr, Verbs } from '../adapter.ts';
import type {
  AccessFlag,
  AhAttr,
  AsyncEvent,
  DeviceAttr,
  MwBind,
  MwType,
  PortAttr,
  QpAttr,
  QpCap,
  QpType,
  RecvWr,
  SendWr,
  SrqAttr,
  Wc,
} from '../../spec/verbs.ts';
import { bindContextOps, errno, loadLibibverbs, onReadable } from './ffi.ts';
import type { ContextOps, Libibverbs, Pointer } from './ffi.ts';
import {
  attrBytes,
  decodeAbilities,
  decodeDeviceAttr,
  decodePortAttr,
  decodeSrqAttr,
  encodeSrqAttr,
  encodeSrqInit,
  type Abilities,
} from './attributes.ts';
import { handleOf, numberOf, onAsyncEvents, openSecondContext, qpNumAt } from './events.ts';
import { takeAsyncEvents, takeCqEvents, withoutWaiting } from './events.ts';
import type { EventOwners, SecondContext } from './events.ts';
import { decodeQpAttr, encodeAh, encodeQpAttr, encodeQpInit } from './layout.ts';
import { encodeRecvWr, encodeSendWr, sizes, type NamedObjects } from './layout.ts';
import { bytesAt, readMemory, RetiredMemory, writeMemory } from './memory.ts';
import type { DeviceInfo } from './device-info.ts';
import { openContext } from './open.ts';
import { pollCompletions } from './polling.ts';
import { VerbsPort } from './port.ts';
import { postList, reasonOf } from './posting.ts';
import { keysOf, register, reregister, type Mr } from './regions.ts';
import { roomOf } from './room.ts';
import { MemoryWindows } from './windows.ts';

export type { DeviceInfo } from './device-info.ts';

interface Qp {
  pointer: Pointer;
  type: QpType;
}

const einval = 22;

/**
 * One RDMA device by libibverbs, called synchronously. Objects are numbers that grow and are never used again. Calls
 * throw VerbsError with libibverbs' errno; an object number that does not exist gives EINVAL (22).
 */
export class VerbsDevice {
  readonly name: string;
  onCqEvent: (cq: number) => void = () => undefined;
  onAsyncEvent: (event: AsyncEvent) => void = () => undefined;
  onSecondContextEvent: (event: AsyncEvent) => void = () => undefined;
  readonly #lib: Libibverbs;
  readonly #context: Pointer;
  readonly #ops: ContextOps;
  readonly #channel: Pointer;
  readonly #polls: readonly { close(): void }[];
  readonly #second: SecondContext | undefined;
  readonly #pds = new Map<number, Pointer>();
  readonly #mrs = new Map<number, Mr>();
  readonly #windows: MemoryWindows;
  readonly #port: VerbsPort;
  readonly #cqs = new Map<number, Pointer>();
  readonly #srqs = new Map<number, Pointer>();
  readonly #ahs = new Map<number, Pointer>();
  readonly #qps = new Map<number, Qp>();
  /** types of QPs by their numbers, destroyed ones too: their completions may still be in a CQ */
  readonly #types = new Map<number, QpType>();
  readonly #retired: RetiredMemory;
  readonly #owners: EventOwners = {
    cq: (element) => handleOf(this.#cqs, element),
    srq: (element) => handleOf(this.#srqs, element),
    qpNum: (element) => numberOf(this.#lib, [...this.#qps.values()], element),
  };
  #next = 1;

  constructor(name: string, lib: Libibverbs = loadLibibverbs()) {
    this.#lib = lib;
    this.name = name;
    this.#context = openContext(lib, name);
    this.#ops = bindContextOps(this.#bytes(this.#context, 328));
    this.#windows = new MemoryWindows(lib, this.#ops);
    this.#retired = new RetiredMemory(lib);
    this.#port = new VerbsPort(lib, this.#context);
    this.#channel = this.#made('ibv_create_comp_channel', lib.createCompChannel(this.#context));
    const channelFd = this.#bytes(this.#channel, 16).readInt32LE(8);
    withoutWaiting(lib, channelFd);
    this.#polls = [
      onReadable(channelFd, () => this.#takeCqEvents()),
      onAsyncEvents(lib, this.#context, () => this.#takeAsyncEvents()),
    ];
    this.#second = openSecondContext(lib, name, this.#owners, (event) => this.onSecondContextEvent(event));
  }

  query_device(): DeviceAttr {
    return decodeDeviceAttr(this.#deviceAttr());
  }

  #deviceAttr(): Buffer {
    const bytes = Buffer.alloc(attrBytes.device);
    this.#done('ibv_query_device', this.#lib.queryDevice(this.#context, bytes));
    return bytes;
  }

  query_port(): PortAttr {
    return decodePortAttr(this.#port.attributes());
  }

  query_gid(): string[] {
    return this.#port.gids();
  }

  query_pkey(index: number): number {
    return this.#port.pkey(index);
  }

  /** Optional operations that the device says it has. */
  abilities(): Abilities {
    return decodeAbilities(this.#deviceAttr());
  }

  info(): DeviceInfo {
    const port = this.#port.attributes();
    const { max_msg_sz, active_mtu } = decodePortAttr(port);
    const gids = this.#port.gids(port);
    const { max_qp, max_qp_rd_atom } = this.query_device();
    const second_context = this.#second !== undefined;
    return { device: this.name, max_qp, max_qp_rd_atom, max_msg_sz, active_mtu, gids, second_context };
  }

  alloc_pd(): number {
    return this.#keep(this.#pds, this.#made('ibv_alloc_pd', this.#lib.allocPd(this.#context)));
  }

  dealloc_pd(pd: number): void {
    this.#destroy('ibv_dealloc_pd', this.#pds, pd, this.#lib.deallocPd);
    this.#retired.free(pd);
  }

  reg_mr(args: { pd: number; length: number; access: AccessFlag[]; iova?: bigint }): RegisteredMr {
    const pd = this.#get('ibv_reg_mr', this.#pds, args.pd);
    const region = { ...register(this.#lib, pd, args), pd: args.pd };
    const mr = this.#keep(this.#mrs, region);
    return { mr, addr: region.addr, ...keysOf(this.#lib, region.pointer) };
  }

  rereg_mr(mr: number, change: MrChange): Omit<RegisteredMr, 'mr'> {
    const region = this.#get('ibv_rereg_mr', this.#mrs, mr);
    const pd = change.pd === undefined ? undefined : this.#get('ibv_rereg_mr', this.#pds, change.pd);
    const moved = reregister(this.#lib, region, pd, change);
    if (moved !== undefined) {
      this.#retired.add(region);
      region.memory = moved;
      region.addr = moved.addr;
    }
    region.pd = change.pd ?? region.pd;
    return { addr: region.addr, ...keysOf(this.#lib, region.pointer) };
  }

  dereg_mr(mr: number): void {
    const region = this.#get('ibv_dereg_mr', this.#mrs, mr);
    this.#done('ibv_dereg_mr', this.#lib.deregMr(region.pointer));
    this.#mrs.delete(mr);
    this.#retired.add(region);
  }

  alloc_mw(pd: number, type: MwType = 'IBV_MW_TYPE_2'): AllocatedMw {
    return this.#windows.allocate(this.#next++, this.#get('ibv_alloc_mw', this.#pds, pd), type);
  }

  /** libibverbs follows the pointers without a look: EINVAL where there is no such QP, window or region. */
  bind_mw(qp: number, bind: MwBind): number {
    const call = 'ibv_bind_mw';
    const { pointer } = this.#get(call, this.#qps, qp);
    return this.#windows.bind(pointer, bind, this.#get(call, this.#mrs, bind.mr).pointer);
  }

  dealloc_mw(mw: number): void {
    this.#windows.deallocate(mw);
  }

  read_memory(mr: number, offset: number, length: number): Buffer {
    return readMemory(this.#lib, this.#get('read_memory', this.#mrs, mr).memory, offset, length);
  }

  write_memory(mr: number, offset: number, bytes: Buffer): void {
    writeMemory(this.#lib, this.#get('write_memory', this.#mrs, mr).memory, offset, bytes);
  }

  create_ah(args: { pd: number; attr: AhAttr }): number {
    const pd = this.#get('ibv_create_ah', this.#pds, args.pd);
    const made = this.#lib.createAh(pd, encodeAh(args.attr));
    return this.#keep(this.#ahs, this.#made('ibv_create_ah', made));
  }

  destroy_ah(ah: number): void {
    this.#destroy('ibv_destroy_ah', this.#ahs, ah, this.#lib.destroyAh);
  }

  create_cq(args: { cqe: number }): number {
    const handle = this.#next;
    const cq = this.#lib.createCq(this.#context, args.cqe, BigInt(handle), this.#channel, 0);
    return this.#keep(this.#cqs, this.#made('ibv_create_cq', cq));
  }

  cq_size(cq: number): number {
    return this.#bytes(this.#get('cq_size', this.#cqs, cq), 32).readInt32LE(28); // ibv_cq.cqe
  }

  /** Gives ibv_cq.cqe as the call leaves it. */
  resize_cq(cq: number, cqe: number): number {
    this.#done('ibv_resize_cq', this.#lib.resizeCq(this.#get('ibv_resize_cq', this.#cqs, cq), cqe));
    return this.cq_size(cq);
  }

  destroy_cq(cq: number): void {
    // ibv_destroy_cq waits for ever for events that nobody fetches
    this.#takeCqEvents();
    this.#destroy('ibv_destroy_cq', this.#cqs, cq, this.#lib.destroyCq);
  }

  poll_cq(cq: number, max: number): Wc[] {
    const pointer = this.#get('ibv_poll_cq', this.#cqs, cq);
    const isDatagram = (qpNum: number): boolean => this.#types.get(qpNum) === 'IBV_QPT_UD';
    return pollCompletions(this.#ops.pollCq, pointer, max, isDatagram);
  }

  req_notify_cq(cq: number, solicitedOnly = false): void {
    const call = 'ibv_req_notify_cq';
    this.#done(call, this.#ops.reqNotifyCq(this.#get(call, this.#cqs, cq), solicitedOnly ? 1 : 0));
  }

  create_srq(args: { pd: number; max_wr: number; max_sge: number; srq_limit?: number }): number {
    const pd = this.#get('ibv_create_srq', this.#pds, args.pd);
    const made = this.#lib.createSrq(pd, encodeSrqInit(args));
    const srq = this.#keep(this.#srqs, this.#made('ibv_create_srq', made));
    // ibv_create_srq ignores the limit
    if (args.srq_limit !== undefined && args.srq_limit > 0)
      this.modify_srq(srq, { srq_limit: args.srq_limit });
    return srq;
  }

  modify_srq(srq: number, attr: { max_wr?: number; srq_limit?: number }): void {
    const { bytes, mask } = encodeSrqAttr(attr);
    const pointer = this.#get('ibv_modify_srq', this.#srqs, srq);
    this.#done('ibv_modify_srq', this.#lib.modifySrq(pointer, bytes, mask));
  }

  query_srq(srq: number): SrqAttr {
    const bytes = Buffer.alloc(attrBytes.srq);
    this.#done('ibv_query_srq', this.#lib.querySrq(this.#get('ibv_query_srq', this.#srqs, srq), bytes));
    return decodeSrqAttr(bytes);
  }

  destroy_srq(srq: number): void {
    this.#takeAsyncEvents();
    this.#destroy('ibv_destroy_srq', this.#srqs, srq, this.#lib.destroySrq);
  }

  post_srq_recv(srq: number, wr: RecvWr, next: readonly RecvWr[] = []): void {
    const pointer = this.#get('ibv_post_srq_recv', this.#srqs, srq);
    const encoded = next.map(encodeRecvWr);
    postList('ibv_post_srq_recv', this.#ops.postSrqRecv, pointer, [encodeRecvWr(wr), ...encoded]);
  }

  create_qp(args: Parameters<Verbs['create_qp']>[0]): { qp: number; qp_num: number; cap: QpCap } {
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
    const qp_num = qpNumAt(this.#lib, pointer);
    this.#types.set(qp_num, args.qp_type);
    const qp = this.#keep(this.#qps, { pointer, type: args.qp_type });
    return { qp, qp_num, cap: roomOf(this.#lib, pointer, init) };
  }

  modify_qp(qp: number, attr: QpAttr): void {
    const { pointer } = this.#get('ibv_modify_qp', this.#qps, qp);
    const { bytes, mask } = encodeQpAttr(attr);
    this.#done('ibv_modify_qp', this.#lib.modifyQp(pointer, bytes, mask));
  }

  query_qp(qp: number): QpAttr {
    const { pointer } = this.#get('ibv_query_qp', this.#qps, qp);
    const attr = Buffer.alloc(sizes.qpAttr);
    const init = Buffer.alloc(sizes.qpInitAttr);
    this.#done('ibv_query_qp', this.#lib.queryQp(pointer, attr, 0x1fffff, init));
    return decodeQpAttr(attr);
  }

  destroy_qp(qp: number): void {
    this.#takeAsyncEvents(); // ibv_destroy_qp waits for ever for events that nobody acknowledges
    const { pointer } = this.#get('ibv_destroy_qp', this.#qps, qp);
    this.#done('ibv_destroy_qp', this.#lib.destroyQp(pointer));
    this.#qps.delete(qp);
  }

  /** A WR of a UD QP must name an address handle: libibverbs would follow a null pointer. EINVAL without. */
  post_send(qp: number, wr: SendWr, next: readonly SendWr[] = []): void {
    const { pointer, type } = this.#get('ibv_post_send', this.#qps, qp);
    const encode = (one: SendWr): Buffer => encodeSendWr(one, this.#namedBy(one, type));
    postList('ibv_post_send', this.#ops.postSend, pointer, [encode(wr), ...next.map(encode)]);
    this.#windows.posted([wr, ...next]);
  }

  #namedBy({ ah, bind_mw: binding }: SendWr, type: QpType): NamedObjects {
    const call = 'ibv_post_send';
    if (type === 'IBV_QPT_UD') return { ah: this.#get(call, this.#ahs, ah ?? 0) };
    if (binding === undefined) return {};
    return {
      mw: this.#windows.pointer(call, binding.mw),
      mr: this.#get(call, this.#mrs, binding.mr).pointer,
    };
  }

  post_recv(qp: number, wr: RecvWr, next: readonly RecvWr[] = []): void {
    const { pointer } = this.#get('ibv_post_recv', this.#qps, qp);
    const encoded = next.map(encodeRecvWr);
    postList('ibv_post_recv', this.#ops.postRecv, pointer, [encodeRecvWr(wr), ...encoded]);
  }

  /** Destroys whatever is left (a Map may lose entries while it is walked), in the order that libibverbs demands, and closes the device. */
  close(): void {
    this.#windows.close();
    for (const qp of this.#qps.keys()) this.destroy_qp(qp);
    for (const ah of this.#ahs.keys()) this.destroy_ah(ah);
    for (const srq of this.#srqs.keys()) this.destroy_srq(srq);
    for (const cq of this.#cqs.keys()) this.destroy_cq(cq);
    for (const mr of this.#mrs.keys()) this.dereg_mr(mr);
    for (const pd of this.#pds.keys()) this.dealloc_pd(pd);
    this.#second?.close();
    for (const poll of this.#polls) poll.close();
    // an open channel keeps the uverbs file, and then `rdma link del` waits for ever
    this.#done('ibv_destroy_comp_channel', this.#lib.destroyCompChannel(this.#channel));
    this.#done('ibv_close_device', this.#lib.closeDevice(this.#context));
  }

  #takeCqEvents(): void {
    takeCqEvents(this.#lib, this.#channel, (cq) => this.onCqEvent(cq));
  }

  #takeAsyncEvents(): void {
    takeAsyncEvents(this.#lib, this.#context, this.#owners, (event) => this.onAsyncEvent(event));
  }

  #bytes(at: Pointer, length: number): Buffer {
    return bytesAt(this.#lib, at, length);
  }

  #keep<T>(table: Map<number, T>, value: T): number {
    const handle = this.#next++;
    table.set(handle, value);
    return handle;
  }

  #get<T>(call: string, table: Map<number, T>, handle: number): T {
    const found = table.get(handle);
    if (found === undefined) throw new VerbsError(call, einval);
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
    if (result !== 0) throw new VerbsError(call, reasonOf(result));
  }
}
