import koffi from 'koffi';

/** Address of a C object. */
export type Pointer = bigint;
type CFunction<Args extends unknown[], Result> = (...args: Args) => Result;

/** The functions of libibverbs and libc that the verbs device calls. Pointers are bigint; null is failure. */
export interface Libibverbs {
  getDeviceList: CFunction<[count: Buffer], Pointer | null>;
  freeDeviceList: CFunction<[list: Pointer], void>;
  getDeviceName: CFunction<[device: Pointer], string>;
  openDevice: CFunction<[device: Pointer], Pointer | null>;
  closeDevice: CFunction<[context: Pointer], number>;
  queryDevice: CFunction<[context: Pointer, attr: Buffer], number>;
  queryPort: CFunction<[context: Pointer, port: number, attr: Buffer], number>;
  queryGid: CFunction<[context: Pointer, port: number, index: number, gid: Buffer], number>;
  queryPkey: CFunction<[context: Pointer, port: number, index: number, pkey: Buffer], number>;
  allocPd: CFunction<[context: Pointer], Pointer | null>;
  deallocPd: CFunction<[pd: Pointer], number>;
  regMr: CFunction<[pd: Pointer, address: Pointer, length: number, access: number], Pointer | null>;
  regMrIova: CFunction<
    [pd: Pointer, address: Pointer, length: number, iova: bigint, access: number],
    Pointer | null
  >;
  reregMr: CFunction<
    [mr: Pointer, flags: number, pd: Pointer, address: Pointer, length: number, access: number],
    number
  >;
  deregMr: CFunction<[mr: Pointer], number>;
  createCompChannel: CFunction<[context: Pointer], Pointer | null>;
  destroyCompChannel: CFunction<[channel: Pointer], number>;
  createCq: CFunction<
    [context: Pointer, cqe: number, cookie: Pointer, channel: Pointer, vector: number],
    Pointer | null
  >;
  resizeCq: CFunction<[cq: Pointer, cqe: number], number>;
  destroyCq: CFunction<[cq: Pointer], number>;
  createSrq: CFunction<[pd: Pointer, attr: Buffer], Pointer | null>;
  modifySrq: CFunction<[srq: Pointer, attr: Buffer, mask: number], number>;
  querySrq: CFunction<[srq: Pointer, attr: Buffer], number>;
  destroySrq: CFunction<[srq: Pointer], number>;
  createAh: CFunction<[pd: Pointer, attr: Buffer], Pointer | null>;
  destroyAh: CFunction<[ah: Pointer], number>;
  createQp: CFunction<[pd: Pointer, attr: Buffer], Pointer | null>;
  modifyQp: CFunction<[qp: Pointer, attr: Buffer, mask: number], number>;
  queryQp: CFunction<[qp: Pointer, attr: Buffer, mask: number, init: Buffer], number>;
  destroyQp: CFunction<[qp: Pointer], number>;
  getAsyncEvent: CFunction<[context: Pointer, event: Buffer], number>;
  ackAsyncEvent: CFunction<[event: Buffer], void>;
  getCqEvent: CFunction<[channel: Pointer, cq: Buffer, cookie: Buffer], number>;
  ackCqEvents: CFunction<[cq: Pointer, count: number], void>;
  mmap: CFunction<
    [at: null, length: number, protection: number, flags: number, fd: number, offset: number],
    Pointer
  >;
  munmap: CFunction<[address: Pointer, length: number], number>;
  /** copies C memory into a Buffer */
  copyOut: CFunction<[to: Buffer, from: Pointer, length: number], Pointer>;
  /** copies a Buffer into C memory */
  copyIn: CFunction<[to: Pointer, from: Buffer, length: number], Pointer>;
  fcntl: CFunction<[fd: number, command: number, argument: number], number>;
}

/**
 * Loads libibverbs and binds what is needed of it. `path` defaults to the loader's search; throws where the library
 * or a symbol is missing.
 */
export function loadLibibverbs(path = 'libibverbs.so.1'): Libibverbs {
  const verbs = koffi.load(path);
  const libc = koffi.load('libc.so.6');
  const v = (definition: string): never => verbs.func(definition) as never;
  const c = (definition: string): never => libc.func(definition) as never;
  return {
    getDeviceList: v('void *ibv_get_device_list(void *n)'),
    freeDeviceList: v('void ibv_free_device_list(void *list)'),
    getDeviceName: v('const char *ibv_get_device_name(void *device)'),
    openDevice: v('void *ibv_open_device(void *device)'),
    closeDevice: v('int ibv_close_device(void *context)'),
    queryDevice: v('int ibv_query_device(void *context, void *attr)'),
    queryPort: v('int ibv_query_port(void *context, uint8_t port, void *attr)'),
    queryGid: v('int ibv_query_gid(void *context, uint8_t port, int index, void *gid)'),
    queryPkey: v('int ibv_query_pkey(void *context, uint8_t port, int index, void *pkey)'),
    allocPd: v('void *ibv_alloc_pd(void *context)'),
    deallocPd: v('int ibv_dealloc_pd(void *pd)'),
    regMr: v('void *ibv_reg_mr(void *pd, void *address, size_t length, int access)'),
    regMrIova: v('void *ibv_reg_mr_iova(void *pd, void *address, size_t length, uint64_t iova, int access)'),
    reregMr: v('int ibv_rereg_mr(void *mr, int flags, void *pd, void *address, size_t length, int access)'),
    deregMr: v('int ibv_dereg_mr(void *mr)'),
    createCompChannel: v('void *ibv_create_comp_channel(void *context)'),
    destroyCompChannel: v('int ibv_destroy_comp_channel(void *channel)'),
    createCq: v('void *ibv_create_cq(void *context, int cqe, void *cookie, void *channel, int vector)'),
    resizeCq: v('int ibv_resize_cq(void *cq, int cqe)'),
    destroyCq: v('int ibv_destroy_cq(void *cq)'),
    createSrq: v('void *ibv_create_srq(void *pd, void *attr)'),
    modifySrq: v('int ibv_modify_srq(void *srq, void *attr, int mask)'),
    querySrq: v('int ibv_query_srq(void *srq, void *attr)'),
    destroySrq: v('int ibv_destroy_srq(void *srq)'),
    createAh: v('void *ibv_create_ah(void *pd, void *attr)'),
    destroyAh: v('int ibv_destroy_ah(void *ah)'),
    createQp: v('void *ibv_create_qp(void *pd, void *attr)'),
    modifyQp: v('int ibv_modify_qp(void *qp, void *attr, int mask)'),
    queryQp: v('int ibv_query_qp(void *qp, void *attr, int mask, void *init)'),
    destroyQp: v('int ibv_destroy_qp(void *qp)'),
    getAsyncEvent: v('int ibv_get_async_event(void *context, void *event)'),
    ackAsyncEvent: v('void ibv_ack_async_event(void *event)'),
    getCqEvent: v('int ibv_get_cq_event(void *channel, void *cq, void *cookie)'),
    ackCqEvents: v('void ibv_ack_cq_events(void *cq, unsigned int count)'),
    mmap: c('void *mmap(void *at, size_t length, int protection, int flags, int fd, int64_t offset)'),
    munmap: c('int munmap(void *address, size_t length)'),
    copyOut: c('void *memcpy(void *to, void *from, size_t length)'),
    copyIn: c('void *memmove(void *to, void *from, size_t length)'),
    fcntl: c('int fcntl(int fd, int command, int argument)'),
  };
}

/** Calls that are static inline in verbs.h, so reached through `ibv_context.ops`. */
export interface ContextOps {
  allocMw: CFunction<[pd: Pointer, type: number], Pointer | null>;
  bindMw: CFunction<[qp: Pointer, mw: Pointer, bind: Buffer], number>;
  deallocMw: CFunction<[mw: Pointer], number>;
  pollCq: CFunction<[cq: Pointer, max: number, wc: Buffer], number>;
  reqNotifyCq: CFunction<[cq: Pointer, solicitedOnly: number], number>;
  postSrqRecv: CFunction<[srq: Pointer, wr: Buffer, bad: Buffer], number>;
  postSend: CFunction<[qp: Pointer, wr: Buffer, bad: Buffer], number>;
  postRecv: CFunction<[qp: Pointer, wr: Buffer, bad: Buffer], number>;
}

const allocMwProto = koffi.proto('void *rdma_conform_alloc_mw(void *pd, int type)');
const bindMwProto = koffi.proto('int rdma_conform_bind_mw(void *qp, void *mw, void *bind)');
const deallocMwProto = koffi.proto('int rdma_conform_dealloc_mw(void *mw)');
const pollProto = koffi.proto('int rdma_conform_poll_cq(void *cq, int max, void *wc)');
const notifyProto = koffi.proto('int rdma_conform_req_notify(void *cq, int solicited)');
const postProto = koffi.proto('int rdma_conform_post(void *queue, void *wr, void *bad)');

/** Binds the function pointers found in a copy of `struct ibv_context`. */
export function bindContextOps(context: Buffer): ContextOps {
  // struct ibv_context_ops starts at byte 8 of struct ibv_context.
  const pointer = (offset: number): Pointer => context.readBigUInt64LE(8 + offset);
  return {
    allocMw: koffi.decode(pointer(56), allocMwProto) as ContextOps['allocMw'],
    bindMw: koffi.decode(pointer(64), bindMwProto) as ContextOps['bindMw'],
    deallocMw: koffi.decode(pointer(72), deallocMwProto) as ContextOps['deallocMw'],
    pollCq: koffi.decode(pointer(88), pollProto) as ContextOps['pollCq'],
    reqNotifyCq: koffi.decode(pointer(96), notifyProto) as ContextOps['reqNotifyCq'],
    postSrqRecv: koffi.decode(pointer(160), postProto) as ContextOps['postSrqRecv'],
    postSend: koffi.decode(pointer(200), postProto) as ContextOps['postSend'],
    postRecv: koffi.decode(pointer(208), postProto) as ContextOps['postRecv'],
  };
}

/** errno of the last call on this thread. */
export const errno = (): number => koffi.errno();
/** Address of a Buffer's first byte, valid while the Buffer is referenced. */
export const addressOf = (buffer: Buffer): Pointer => koffi.address(buffer);

/** Calls back when a file descriptor is readable; keep the result referenced until it is closed. */
export function onReadable(fd: number, listener: () => void): { close(): void } {
  return koffi.node.poll(fd, { readable: true }, listener);
}

const ioctl = koffi
  .load('libc.so.6')
  .func('int ioctl(int fd, unsigned long request, void *argument)') as CFunction<
  [fd: number, request: number, argument: Buffer],
  number
>;

/** Makes an open /dev/net/tun the TAP interface `name`, without a header in front of its frames. Returns errno or 0. */
export function attachTap(fd: number, name: string): number {
  const request = Buffer.alloc(40); // struct ifreq
  request.write(name, 0, 15, 'latin1');
  request.writeUInt16LE(0x1002, 16); // IFF_TAP | IFF_NO_PI
  return ioctl(fd, 0x400454ca, request) === 0 ? 0 : errno(); // TUNSETIFF
}

/** Takes the carrier of an attached TAP interface away, or gives it back. Returns errno or 0. */
export function setTapCarrier(fd: number, up: boolean): number {
  const value = Buffer.alloc(4);
  value.writeInt32LE(up ? 1 : 0, 0);
  return ioctl(fd, 0x400454e2, value) === 0 ? 0 : errno(); // TUNSETCARRIER
}
