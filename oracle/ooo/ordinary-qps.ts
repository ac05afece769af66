import type { RecvWr } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import type { ObjectListener, QpChange } from '../device/listener.ts';
import type { Objects } from '../device/objects.ts';
import { isResponse } from '../device/packet/opcode-shape.ts';
import type { Qp } from '../device/qp.ts';
import { isSendOpcode } from '../device/queues/send-queue.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { RuleBook } from '../rulebook/rule-book.ts';
import type { TraceEvent, TraceHeader } from '../trace.ts';
import { OrdinaryOrder } from './ordinary.ts';
import type { OooRules } from './registers.ts';

/** The RC QPs that are not out of order, of a device whose packets and verbs calls are all seen. */
export class OrdinaryQps implements ObjectListener {
  readonly #rules: OooRules;
  readonly #ledger: Ledger;
  readonly #objects: Objects;
  readonly #sees: boolean;
  readonly #qps = new Map<Qp, OrdinaryOrder>();
  /** all that may answer a READ or ATOMIC, those on an SRQ too */
  readonly #answering = new Set<Qp>();

  constructor({ sight }: TraceHeader, rules: OooRules, ledger: Ledger, objects: Objects) {
    this.#rules = rules;
    this.#ledger = ledger;
    this.#objects = objects;
    this.#sees = sight.packets === 'at-device' && sight.verbs;
  }

  #byNumber(number: number): OrdinaryOrder | undefined {
    const qp = this.#objects.byNumber(number);
    return qp && this.#qps.get(qp);
  }

  /** What must be seen of every RC QP, whatever order packets come in. */
  see(event: TraceEvent, index: number): void {
    if (this.#qps.size === 0) return;
    const when = { event: index, t: event.t };
    if (event.kind === 'packet') {
      const { packet, direction } = event;
      if (direction === 'to-dut') {
        if (!isResponse(packet.opcode)) this.#byNumber(packet.destQp)?.packet(packet);
        return;
      }
      // what answers of several QPs belong to is not looked into
      if (this.#answering.size > 1 || !answers(packet)) return;
      for (const one of this.#qps.values()) one.answered(packet, when);
    } else if (event.kind === 'completion') {
      const { wc } = event;
      if (wc.opcode === undefined || !isSendOpcode(wc.opcode))
        this.#byNumber(wc.qp_num)?.completion(wc, when);
    } else if (event.kind === 'settled') {
      for (const one of this.#qps.values()) one.settle();
    } else if (event.kind === 'gap' || event.kind === 'link') {
      for (const one of this.#qps.values()) one.loseSight();
    }
  }

  created(qp: Qp): void {
    if (qp.kind === 'RC') this.#answering.add(qp);
    if (qp.kind === 'RC' && this.#sees && qp.srq === undefined)
      this.#qps.set(qp, new OrdinaryOrder(new RuleBook(this.#rules.tables, this.#ledger, { qp: qp.name })));
  }

  destroyed(qp: Qp): void {
    this.#qps.delete(qp);
    this.#answering.delete(qp);
  }

  receivePosted(qp: Qp, wr: RecvWr): void {
    this.#qps.get(qp)?.post(wr);
  }

  modified(qp: Qp, { attr, to }: QpChange): void {
    const one = this.#qps.get(qp);
    if (to === 'RESET') one?.reset();
    if (attr.rq_psn !== undefined) one?.start(attr.rq_psn, attr.path_mtu ?? 0);
  }
}

function answers({ info }: Packet): boolean {
  const operation = info?.service === 'RC' ? info.operation : '';
  return operation.startsWith('RDMA_READ_RESPONSE') || operation === 'ATOMIC_ACKNOWLEDGE';
}
