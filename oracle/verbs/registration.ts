import type { AccessFlag } from '../../spec/verbs.ts';
import type { ObjectListener, Reregistration } from '../device/listener.ts';
import type { When } from '../spot.ts';
import type { VerbsContext } from './context.ts';
import { callInputs } from './inputs.ts';
import type { VerbsInputs } from './variables.ts';

/** Judges whether memory regions are registered with rights that contradict each other, and whether they can be changed. */
export class RegistrationJudge implements ObjectListener {
  readonly #context: VerbsContext;

  constructor(context: VerbsContext) {
    this.#context = context;
  }

  registered(access: readonly AccessFlag[], errno: number | undefined, when: When): void {
    const { book } = this.#context;
    const inputs = this.#context.event(undefined);
    inputs.call = callInputs(errno);
    inputs.rights = rightsInputs(access);
    const met = this.#context.met(undefined, inputs);
    if (book.tables.machine.word('unwritten')(met.inputs, met.variables) === 'none') return;
    const at = { ...when, qp: 'memory' };
    book.ended(book.decide('registration', met), met, { call: 'ibv_reg_mr', at, errno });
  }

  reregistrationAsked(
    { mr, access, moves, doubtful }: Reregistration,
    errno: number | undefined,
    when: When,
  ): void {
    const { book } = this.#context;
    const inputs = this.#context.event(undefined);
    inputs.call = callInputs(errno);
    inputs.rights = rightsInputs(access);
    inputs.rereg = { doubtful, moves };
    const met = this.#context.met(undefined, inputs);
    const at = { ...when, qp: `mr ${mr}` };
    book.ended(book.decide('reregistration', met), met, { call: 'ibv_rereg_mr', at, errno });
  }
}

function rightsInputs(access: readonly AccessFlag[]): VerbsInputs['rights'] {
  return {
    localWrite: access.includes('IBV_ACCESS_LOCAL_WRITE'),
    remoteWrite: access.includes('IBV_ACCESS_REMOTE_WRITE'),
    remoteAtomic: access.includes('IBV_ACCESS_REMOTE_ATOMIC'),
  };
}
