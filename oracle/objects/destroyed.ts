import type { Wc } from '../../spec/verbs.ts';
import type { Packet } from '../../wire/packet.ts';
import type { DepartedQp } from '../device/departed.ts';
import type { Objects } from '../device/objects.ts';
import type { Stalls } from '../device/stalls.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { MachineBook } from '../rulebook/machine-book.ts';
import type { When } from '../spot.ts';
import type { TraceHeader } from '../trace.ts';
import type { ObjectsRules, ObjectsTable } from './machine.ts';
import { ObjectsVariables } from './variables.ts';
import type { ObjectsInputs } from './variables.ts';

/** Judges what comes of QPs behind ibv_destroy_qp. */
export class DestroyedQpJudge {
  readonly #book: MachineBook<ObjectsTable, ObjectsVariables, ObjectsInputs>;
  readonly #objects: Objects;
  readonly #stalls: Stalls;
  /** nanoseconds that what was done before may take to be seen; infinite where the trace does not tell */
  readonly #slack: number;
  readonly #variables = new ObjectsVariables();
  /** when every CQ was last found empty */
  #rested = Number.NEGATIVE_INFINITY;

  constructor(
    { tables }: ObjectsRules,
    ledger: Ledger,
    { header: { timing }, objects, stalls }: { header: TraceHeader; objects: Objects; stalls: Stalls },
  ) {
    this.#book = new MachineBook(tables, ledger, { capabilities: objects.capabilities });
    this.#objects = objects;
    this.#stalls = stalls;
    this.#slack = timing === undefined ? Number.POSITIVE_INFINITY : timing.responseTime + timing.jitter;
  }

  /** The device has sent a packet. */
  sent(packet: Packet, when: When): void {
    // what called for a CNP came before, and a CNP is no work of the QP
    if (packet.info?.kind === 'cnp') return;
    const from = this.#objects.departedSender(packet);
    if (from === undefined) return;
    const late = this.#stalls.earliest(when.t - this.#slack) > from.t;
    this.#seen(from, 'packet', late, when, packet.info?.name ?? `opcode ${packet.opcode}`);
  }

  /** A packet has reached the device: of one to a QP that was destroyed nothing may come. */
  arrived({ destQp }: Packet): void {
    const to = this.#objects.departed(destQp);
    if (to === undefined) return;
    this.#refrains('packet');
    if (this.#rested > to.t) this.#refrains('completion');
  }

  /** Software has taken a completion of a QP that the device does not have. */
  completed({ qp_num: number, status, wr_id: id }: Wc, when: When): void {
    const of = this.#objects.departed(number);
    if (of === undefined) return;
    this.#seen(of, 'completion', this.#rested > of.t, when, `${status} of work request ${id}`);
  }

  /** Everything has had its time, and every CQ was polled empty. */
  rested(t: number): void {
    this.#rested = t;
  }

  #refrains(of: 'packet' | 'completion'): void {
    this.#book.decide('destroyed', this.#met('none', of, true));
  }

  #seen({ qp }: DepartedQp, of: 'packet' | 'completion', late: boolean, when: When, observed: string): void {
    const broken = this.#book.broken('destroyed', 'mustRemain', this.#met(of, of, late));
    for (const rule of broken)
      this.#book.violate(rule, { ...when, qp: qp.name }, `no ${of} behind ibv_destroy_qp`, observed);
  }

  #met(
    seen: ObjectsInputs['remains']['seen'],
    of: ObjectsInputs['remains']['of'],
    late: boolean,
  ): { inputs: { remains: ObjectsInputs['remains'] }; variables: ObjectsVariables } {
    return { inputs: { remains: { seen, of, late } }, variables: this.#variables };
  }
}
