import { VerbsError } from '../../adapter.ts';
import type { Wc } from '../../../spec/verbs.ts';
import { onReadable, type ContextOps, type Libibverbs, type Pointer } from '../ffi.ts';
import { decodeWc, sizes } from '../layout.ts';
import { takeCqEvents, withoutWaiting } from './events.ts';
import type { Objects } from './objects.ts';
import { bytesAt } from './memory.ts';
import type { QueuePairs } from './queue-pairs.ts';
import { destroyed, done, made } from './results.ts';

const batch = 16;
const entries = Buffer.alloc(sizes.wc * batch);
const cqeAt = 28; // of struct ibv_cq
const fdAt = 8; // of struct ibv_comp_channel

/** Completion queues of a device, and the channel of their events. Calls throw VerbsError. */
export class CompletionQueues {
  onEvent: (cq: number) => void = () => undefined;
  readonly #lib: Libibverbs;
  readonly #ops: ContextOps;
  readonly #context: Pointer;
  readonly #objects: Objects;
  readonly #qps: QueuePairs;
  readonly #channel: Pointer;
  readonly #poll: { close(): void };

  constructor(
    lib: Libibverbs,
    ops: ContextOps,
    objects: Objects,
    { context, qps }: { context: Pointer; qps: QueuePairs },
  ) {
    this.#lib = lib;
    this.#ops = ops;
    this.#context = context;
    this.#objects = objects;
    this.#qps = qps;
    this.#channel = made('ibv_create_comp_channel', lib.createCompChannel(context));
    const fd = bytesAt(lib, this.#channel, 16).readInt32LE(fdAt);
    withoutWaiting(lib, fd);
    this.#poll = onReadable(fd, () => this.#takeEvents());
  }

  create(cqe: number): number {
    const { cqs } = this.#objects;
    const handle = cqs.next();
    const cq = this.#lib.createCq(this.#context, cqe, BigInt(handle), this.#channel, 0);
    return cqs.add(made('ibv_create_cq', cq), handle);
  }

  /** ibv_cq.cqe */
  size(cq: number): number {
    return bytesAt(this.#lib, this.#objects.cqs.get('cq_size', cq), 32).readInt32LE(cqeAt);
  }

  /** Gives ibv_cq.cqe as the call leaves it. */
  resize(cq: number, cqe: number): number {
    const call = 'ibv_resize_cq';
    done(call, this.#lib.resizeCq(this.#objects.cqs.get(call, cq), cqe));
    return this.size(cq);
  }

  destroy(cq: number): void {
    // ibv_destroy_cq waits for ever for events that nobody fetches
    this.#takeEvents();
    destroyed('ibv_destroy_cq', this.#objects.cqs, cq, this.#lib.destroyCq);
  }

  /** Takes `max` completions at most. */
  poll(cq: number, max: number): Wc[] {
    const call = 'ibv_poll_cq';
    const pointer = this.#objects.cqs.get(call, cq);
    const isDatagram = (qpNum: number): boolean => this.#qps.typeOf(qpNum) === 'IBV_QPT_UD';
    const out: Wc[] = [];
    while (out.length < max) {
      const wanted = Math.min(batch, max - out.length);
      const got = this.#ops.pollCq(pointer, wanted, entries);
      if (got < 0) throw new VerbsError(call, -got);
      for (let i = 0; i < got; i++) out.push(decodeWc(entries, i * sizes.wc, isDatagram));
      if (got < wanted) break;
    }
    return out;
  }

  requestEvent(cq: number, solicitedOnly = false): void {
    const call = 'ibv_req_notify_cq';
    done(call, this.#ops.reqNotifyCq(this.#objects.cqs.get(call, cq), solicitedOnly ? 1 : 0));
  }

  /** Destroys what is left, and the channel. */
  close(): void {
    for (const cq of this.#objects.cqs.handles()) this.destroy(cq);
    this.#poll.close();
    // an open channel keeps the uverbs file, and then `rdma link del` waits for ever
    done('ibv_destroy_comp_channel', this.#lib.destroyCompChannel(this.#channel));
  }

  #takeEvents(): void {
    takeCqEvents(this.#lib, this.#channel, (cq) => this.onEvent(cq));
  }
}
