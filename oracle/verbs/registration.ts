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
    const unwritten = withoutLocalWrite(access);
    if (unwritten === undefined) return;
    const { book } = this.#context;
    const inputs = this.#context.event(undefined);
    inputs.call = callInputs(errno);
    inputs.region = { unwritten };
    const met = this.#context.met(undefined, inputs);
    const at = { ...when, qp: 'memory' };
    book.ended(book.decide('registration', met), met, { call: 'ibv_reg_mr', at, errno });
  }

  reregistrationAsked(asked: Reregistration, errno: number | undefined, when: When): void {
    const { book } = this.#context;
    const inputs = this.#context.event(undefined);
    inputs.call = callInputs(errno);
    inputs.rereg = reregistrationInputs(asked);
    const met = this.#context.met(undefined, inputs);
    const at = { ...when, qp: `mr ${asked.mr}` };
    book.ended(book.decide('reregistration', met), met, { call: 'ibv_rereg_mr', at, errno });
  }
}

/** What ibv_rereg_mr is asked for. */
function reregistrationInputs({ access, moves, doubtful }: Reregistration): VerbsInputs['rereg'] {
  return { unwritten: withoutLocalWrite(access) ?? 'none', doubtful, moves };
}

/** The right of others to write that software has not got itself; `undefined`: there is none. */
function withoutLocalWrite(access: readonly AccessFlag[]): VerbsInputs['region']['unwritten'] | undefined {
  if (access.includes('IBV_ACCESS_LOCAL_WRITE')) return undefined;
  if (access.includes('IBV_ACCESS_REMOTE_WRITE')) return 'remote-write';
  return access.includes('IBV_ACCESS_REMOTE_ATOMIC') ? 'remote-atomic' : undefined;
}
