import type { Destruction, Numbering, ObjectListener } from '../device/listener.ts';
import type { Room } from '../device/objects/room.ts';
import type { Qp } from '../device/qp.ts';
import type { Ledger } from '../rulebook/ledger.ts';
import { MachineBook } from '../rulebook/machine-book.ts';
import type { When } from '../spot.ts';
import type { ObjectsRules, ObjectsTable } from './machine.ts';
import { ObjectsVariables } from './variables.ts';
import type { ObjectsInputs } from './variables.ts';

const verbs: Readonly<Record<Destruction['object'], string>> = {
  qp: 'destroy',
  cq: 'destroy',
  srq: 'destroy',
  mr: 'dereg',
  mw: 'dealloc',
  pd: 'dealloc',
};

/** Judges whether objects have the room that software asked for, and whether they go when they may. */
export class ObjectsJudge implements ObjectListener {
  readonly #book: MachineBook<ObjectsTable, ObjectsVariables, ObjectsInputs>;
  readonly #variables = new ObjectsVariables();

  constructor({ tables }: ObjectsRules, ledger: Ledger, capabilities: ReadonlySet<string> | undefined) {
    this.#book = new MachineBook(tables, ledger, { capabilities });
  }

  destroyAsked({ object, used, name: qp }: Destruction, errno: number | undefined, when: When): void {
    const inputs = { destroyed: { object, used }, call: { refused: errno !== undefined } };
    const met = { inputs, variables: this.#variables };
    const call = `ibv_${verbs[object]}_${object}`;
    this.#book.ended(this.#book.decide('destroy', met), met, { call, at: { ...when, qp }, errno });
  }

  qpNumbered({ others, taken }: Numbering, { name, qpNumber }: Qp, when: When): void {
    const met = { inputs: { number: { others, taken } }, variables: this.#variables };
    for (const rule of this.#book.broken('number', 'mustNumber', met))
      this.#book.violate(
        rule,
        { ...when, qp: name },
        'a number of its own',
        `qp_num ${qpNumber}, of another QP`,
      );
  }

  roomMade(rooms: readonly Room[], qp: string, when: When): void {
    for (const room of rooms) {
      const met = { inputs: { room }, variables: this.#variables };
      for (const rule of this.#book.broken('room', 'mustMake', met)) {
        const { name, asked, given } = room;
        this.#book.violate(rule, { ...when, qp }, `${name} ${asked} or more`, `${name} ${given}`);
      }
    }
  }
}
