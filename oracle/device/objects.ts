import type { AhAttr, PortAttr } from '../../spec/verbs.ts';
import type { TraceHeader, VerbsCall } from '../trace.ts';
import type { Packet } from '../../wire/packet.ts';
import { DepartedQps, type DepartedQp } from './departed.ts';
import { addressesOf, addressOf } from './packet/address.ts';
import { Memory } from './memory.ts';
import { Qp, unknownCq, type Cq, type QpKind, type QpSurroundings, type Srq } from './qp.ts';
import { Fences } from './queues/fences.ts';
import { ReceiveQueue } from './queues/receive-queue.ts';
import { Takers } from './queues/takers.ts';

type Call<Name extends VerbsCall['call']> = Extract<VerbsCall, { call: Name }>;

/** The objects of a device as software made and set them. What is destroyed is forgotten. */
export class Objects implements QpSurroundings {
  readonly memory = new Memory();
  /** what fenced work requests wait for */
  readonly fences = new Fences();
  readonly atDevice: boolean;
  readonly verbs = true;
  readonly capabilities: ReadonlySet<string> | undefined;
  readonly addresses: Set<string> | undefined;
  /** what ibv_query_port has said last */
  port: PortAttr | undefined;
  readonly #qps = new Map<number, Qp>();
  readonly #byNumber = new Map<number, Qp>();
  readonly #count = new Map<QpKind, number>();
  /** kinds of QPs that it has had */
  readonly #kinds = new Set<QpKind>();
  readonly #departed = new DepartedQps();
  readonly #cqs = new Map<number, Cq>();
  readonly #srqs = new Map<number, Srq>();
  /** PDs that address handles were made on */
  readonly #addressed = new Set<number>();
  readonly #addresses = new Map<number, AhAttr>();

  constructor({ sight, capabilities, dut }: Pick<TraceHeader, 'sight' | 'capabilities' | 'dut'>) {
    this.atDevice = sight.packets === 'at-device';
    this.addresses = this.atDevice && dut !== undefined ? addressesOf(dut.addresses) : undefined;
    this.capabilities = capabilities && new Set(capabilities);
  }

  /** In the order in which they were made. */
  qps(): IterableIterator<Qp> {
    return this.#qps.values();
  }

  cqs(): IterableIterator<Cq> {
    return this.#cqs.values();
  }

  srqs(): IterableIterator<Srq> {
    return this.#srqs.values();
  }

  /** QPs that the device has now. */
  get size(): number {
    return this.#qps.size;
  }

  /** Whether the device has had QPs of this kind alone. */
  hasHadOnly(kind: QpKind): boolean {
    return this.#kinds.size === 1 && this.#kinds.has(kind);
  }

  /** Whether the device has or had such a QP. */
  hasHad(kind: QpKind): boolean {
    return this.#kinds.has(kind);
  }

  /** Whether the device has such a QP now. */
  has(kind: QpKind): boolean {
    return (this.#count.get(kind) ?? 0) > 0;
  }

  qp(handle: number): Qp | undefined {
    return this.#qps.get(handle);
  }

  byNumber(qpNumber: number): Qp | undefined {
    return this.#byNumber.get(qpNumber);
  }

  /** A QP that was destroyed and had that number; `undefined` where there is another one now. */
  departed(qpNumber: number): DepartedQp | undefined {
    return this.#departed.byNumber(qpNumber);
  }

  /** The QP that was destroyed and a packet of the device is of. */
  departedSender(packet: Packet): DepartedQp | undefined {
    return this.#departed.senderOf(packet, this.qps());
  }

  cq(handle: number): Cq | undefined {
    return this.#cqs.get(handle);
  }

  srq(handle: number): Srq | undefined {
    return this.#srqs.get(handle);
  }

  /** Address that an address handle leads to; `undefined` where the trace holds none. */
  addressOf(ah: number): string | undefined {
    const path = this.#addresses.get(ah);
    return path && addressOf(path.dgid);
  }

  /** What an address handle was made of; `undefined` where the trace does not tell. */
  pathOf(ah: number): AhAttr | undefined {
    return this.#addresses.get(ah);
  }

  addCq(cq: Cq): Cq {
    this.#cqs.set(cq.handle, cq);
    return cq;
  }

  removeCq(handle: number): void {
    this.#cqs.delete(handle);
  }

  removeSrq(handle: number): void {
    this.#srqs.delete(handle);
  }

  /** Whether there is something on a PD, as far as the trace tells; address handles stay. */
  usesPd(pd: number): boolean {
    const registered = [...this.memory.regions.values()].some(
      (region) => region.pd === pd && region.registered,
    );
    return (
      registered ||
      this.memory.windows.usesPd(pd) ||
      this.#addressed.has(pd) ||
      [...this.#qps.values()].some((qp) => qp.pd === pd) ||
      [...this.#srqs.values()].some((srq) => srq.pd === pd)
    );
  }

  addSrq(call: Call<'create_srq'>): void {
    this.#srqs.set(call.srq, {
      handle: call.srq,
      pd: call.pd,
      size: call.max_wr,
      maxSge: call.max_sge ?? Number.POSITIVE_INFINITY,
      roomReported: call.asked !== undefined,
      limitedAtFirst: (call.srq_limit ?? 0) > 0,
      posted: new ReceiveQueue(),
      qps: new Set(),
      users: 0,
      takers: new Takers(),
    });
  }

  addAddress({ pd, ah, attr }: Call<'create_ah'>): void {
    this.#addressed.add(pd);
    this.#addresses.set(ah, attr);
  }

  addQp(call: Call<'create_qp'>): Qp {
    const cqOf = (handle: number): Cq => this.cq(handle) ?? this.addCq(unknownCq(handle));
    const sendCq = cqOf(call.send_cq);
    const receiveCq = cqOf(call.recv_cq);
    const srq = call.srq === undefined ? undefined : this.srq(call.srq);
    const qp = new Qp(call, this, { sendCq, receiveCq, srq });
    for (const owner of [sendCq, receiveCq, srq]) owner?.qps.add(qp);
    if (srq !== undefined) {
      srq.users++;
      srq.takers.add(qp);
    }
    this.#qps.set(qp.handle, qp);
    this.#byNumber.set(qp.qpNumber, qp);
    this.#departed.renew(qp.qpNumber);
    this.#kinds.add(qp.kind);
    this.#count.set(qp.kind, (this.#count.get(qp.kind) ?? 0) + 1);
    return qp;
  }

  /** The QP is destroyed; `t`: when the call was back. */
  remove(qp: Qp, t: number): void {
    this.#departed.add(qp, t);
    this.#qps.delete(qp.handle);
    this.#byNumber.delete(qp.qpNumber);
    this.#count.set(qp.kind, (this.#count.get(qp.kind) ?? 0) - 1);
    for (const owner of [qp.sendCq, qp.receiveCq, qp.srq]) owner?.qps.delete(qp);
    qp.srq?.takers.remove(qp);
    this.memory.windows.ended(qp.handle);
  }
}
