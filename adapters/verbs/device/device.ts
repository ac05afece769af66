import type { AhAttr, AsyncEvent, DeviceAttr } from '../../../spec/verbs.ts';
import { attrBytes, decodeAbilities, decodeDeviceAttr, type Abilities } from '../attributes.ts';
import { bindContextOps, loadLibibverbs, type Libibverbs, type Pointer } from '../ffi.ts';
import { encodeAh } from '../layout.ts';
import { CompletionQueues } from './completion-queues.ts';
import { onAsyncEvents, openSecondContext, qpNumAt, takeAsyncEvents } from './events.ts';
import type { EventOwners, SecondContext } from './events.ts';
import { noObjects, type Objects } from './objects.ts';
import type { DeviceInfo } from './info.ts';
import { bytesAt } from './memory.ts';
import { openContext } from './open.ts';
import { VerbsPort } from './port.ts';
import { QueuePairs } from './queue-pairs.ts';
import { MemoryRegions } from './regions.ts';
import { destroyed, done, made } from './results.ts';
import { SharedReceiveQueues } from './shared-receive-queues.ts';
import { MemoryWindows } from './windows.ts';

const contextBytes = 328;

/**
 * One RDMA device by libibverbs, called synchronously. Objects are numbers that grow and are never used again. Calls
 * throw VerbsError with libibverbs' errno; an object number that does not exist gives EINVAL (22).
 */
export class VerbsDevice {
  readonly name: string;
  onAsyncEvent: (event: AsyncEvent) => void = () => undefined;
  onSecondContextEvent: (event: AsyncEvent) => void = () => undefined;
  readonly port: VerbsPort;
  readonly mrs: MemoryRegions;
  readonly mws: MemoryWindows;
  readonly cqs: CompletionQueues;
  readonly srqs: SharedReceiveQueues;
  readonly qps: QueuePairs;
  readonly #lib: Libibverbs;
  readonly #context: Pointer;
  readonly #objects: Objects = noObjects();
  readonly #events: { close(): void };
  readonly #second: SecondContext | undefined;
  readonly #owners: EventOwners;

  constructor(name: string, lib: Libibverbs = loadLibibverbs()) {
    const objects = this.#objects;
    this.name = name;
    this.#lib = lib;
    this.#context = openContext(lib, name);
    const ops = bindContextOps(bytesAt(lib, this.#context, contextBytes));
    this.port = new VerbsPort(lib, this.#context);
    this.mrs = new MemoryRegions(lib, objects);
    this.mws = new MemoryWindows(lib, ops, objects);
    // the calls that destroy them wait for ever for events that nobody acknowledges
    const takeEvents = (): void => this.#takeEvents();
    this.srqs = new SharedReceiveQueues(lib, ops, objects, takeEvents);
    this.qps = new QueuePairs(lib, ops, objects, { windows: this.mws, takeEvents });
    this.cqs = new CompletionQueues(lib, ops, objects, { context: this.#context, qps: this.qps });
    this.#owners = ownersOf(lib, objects);
    this.#events = onAsyncEvents(lib, this.#context, () => this.#takeEvents());
    this.#second = openSecondContext(lib, name, this.#owners, (event) => this.onSecondContextEvent(event));
  }

  query(): DeviceAttr {
    return decodeDeviceAttr(this.#attributes());
  }

  /** Optional operations that the device says it has. */
  abilities(): Abilities {
    return decodeAbilities(this.#attributes());
  }

  info(): DeviceInfo {
    const { max_msg_sz, active_mtu } = this.port.query();
    const { max_qp, max_qp_rd_atom } = this.query();
    const second_context = this.#second !== undefined;
    const gids = this.port.gids();
    return { device: this.name, max_qp, max_qp_rd_atom, max_msg_sz, active_mtu, gids, second_context };
  }

  allocatePd(): number {
    return this.#objects.pds.add(made('ibv_alloc_pd', this.#lib.allocPd(this.#context)));
  }

  deallocatePd(pd: number): void {
    destroyed('ibv_dealloc_pd', this.#objects.pds, pd, this.#lib.deallocPd);
    this.mrs.free(pd);
  }

  createAh(args: { pd: number; attr: AhAttr }): number {
    const call = 'ibv_create_ah';
    const { pds, ahs } = this.#objects;
    return ahs.add(made(call, this.#lib.createAh(pds.get(call, args.pd), encodeAh(args.attr))));
  }

  destroyAh(ah: number): void {
    destroyed('ibv_destroy_ah', this.#objects.ahs, ah, this.#lib.destroyAh);
  }

  /** Destroys whatever is left, in the order that libibverbs demands, and closes the device. */
  close(): void {
    const { mws, qps, ahs, srqs, mrs, pds } = this.#objects;
    for (const mw of mws.handles()) this.mws.deallocate(mw);
    for (const qp of qps.handles()) this.qps.destroy(qp);
    for (const ah of ahs.handles()) this.destroyAh(ah);
    for (const srq of srqs.handles()) this.srqs.destroy(srq);
    this.cqs.close();
    for (const mr of mrs.handles()) this.mrs.deregister(mr);
    for (const pd of pds.handles()) this.deallocatePd(pd);
    this.#second?.close();
    this.#events.close();
    done('ibv_close_device', this.#lib.closeDevice(this.#context));
  }

  #attributes(): Buffer {
    const bytes = Buffer.alloc(attrBytes.device);
    done('ibv_query_device', this.#lib.queryDevice(this.#context, bytes));
    return bytes;
  }

  #takeEvents(): void {
    takeAsyncEvents(this.#lib, this.#context, this.#owners, (event) => this.onAsyncEvent(event));
  }
}

/** Numbers of the objects that events are about. */
function ownersOf(lib: Libibverbs, { cqs, srqs, qps }: Objects): EventOwners {
  return {
    cq: (element) => cqs.find((cq) => cq === element)?.[0],
    srq: (element) => srqs.find((srq) => srq === element)?.[0],
    qpNum: (element) => {
      const [, qp] = qps.find(({ pointer }) => pointer === element) ?? [];
      return qp === undefined ? undefined : qpNumAt(lib, qp.pointer);
    },
  };
}
